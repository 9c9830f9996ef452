"""The lines that the analytic pose is read from, as sums of points, and the order in which bones are
swung."""

import numpy as np

from ...geometry import rotation
from ...skeleton.roles import SIDES
from ..points import INDEX, POINTS, PRIMARY

THIN = 0.03  # of the body's height: points nearer to a line than this do not show a rotation about it


def _rows(*joints: str) -> np.ndarray:
    """Return the rows of joints; the stem of a limb's joint stands for left and right."""
    return np.array(
        [
            INDEX[name]
            for joint in joints
            for name in ([joint] if joint in INDEX else [f"{joint}.{side}" for side in SIDES])
        ]
    )


# Bones in three rounds, after pelvis and chest. In each round, each of the joints that hold them, solved
# before, holds equally many, so
# that all are solved in one product; where there are too few, one is repeated.
TRUNK = _rows("pelvis", "spine3")
FIRST = _rows("hip.L", "hip", "spine1", "spine2", "shoulder", "neck", "collar")
SECOND = _rows("knee", "elbow", "head")
THIRD = _rows("ankle.L", "ball.L", "ankle.R", "ball.R", "wrist.L", "wrist.L", "wrist.R", "wrist.R")
SWUNG = np.concatenate([FIRST, SECOND, THIRD])
HOLDERS = (TRUNK, _rows("hip", "shoulder", "neck"), _rows("knee", "elbow"))
TWISTED = slice(1, 7)  # of the first round
# Those are then twisted: the reference directions that show the twist (`SHOWN`: the lines that these follow).
BEND = np.array([[-1.0, 0.0, 0.0]] * 2 + [[0.0, 1.0, 0.0]] * 2 + [[1.0, 0.0, 0.0]] * 2)
# The lines: those that orient pelvis, chest and both as one, the first three exactly and the others as near
# as possible; then the swung bones.
SIDE, SHOULDERS, BONES = 0, 4, 6
TRUNK_LINES = [2, 5]
SHOWN_AT = PRIMARY[SWUNG]
_HIP_LINE = {"hip.L": 1.0, "hip.R": -1.0}
_PELVIS_UPRIGHTS = ({"pelvis": 1.0, "spine1": 1.0}, {"spine2": 2.0}, {"spine3": 2.0}, {"neck": 2.0})
_CHEST_UPRIGHTS = (
    {"neck": 1.0, "spine3": -1.0},
    {"neck": 1.0, "spine2": -1.0},
    {"head": 1.0, "spine3": -1.0},
)
_SHOULDER_LINE = {"shoulder.L": 1.0, "shoulder.R": -1.0}
# Pelvis and chest as one: sums over many points, in which noise averages out.
_TRUNK_SIDE = _HIP_LINE | _SHOULDER_LINE
_TRUNK_UPRIGHT = {
    "hip.L": -1.0,
    "hip.R": -1.0,
    "pelvis": -1.0,
    "spine3": 1.0,
    "neck": 1.0,
    "shoulder.L": 0.5,
    "shoulder.R": 0.5,
}
_SPINE_SHARES = (1.0 / 3.0, 2.0 / 3.0)  # of the shoulders' rotation relative to the hips


def sights(rest: np.ndarray, size: float) -> np.ndarray:
    """Return the lines that a pose is read from, as sums of points `(29, 27)`, for a body with reference pose
    `rest` `(27, 3)`."""
    hips = _line(_HIP_LINE)
    below = _line({"hip.L": -1.0, "hip.R": -1.0})
    uprights = [_line(above) + below for above in _PELVIS_UPRIGHTS]
    side = rotation.normalized(hips @ rest)
    tall = [line for line in uprights if np.linalg.norm(np.cross(line @ rest, side)) > 2.0 * THIN * size]
    chest = [line for line in map(_line, _CHEST_UPRIGHTS) if np.linalg.norm(line @ rest) > THIN * size]
    bones = np.zeros((len(SWUNG), len(POINTS)))
    bones[np.arange(len(SWUNG)), SHOWN_AT] += 1.0
    bones[np.arange(len(SWUNG)), SWUNG] -= 1.0
    exactly = [hips, (chest or [uprights[-1]])[0], _line(_TRUNK_SIDE)]
    nearly = [(tall or uprights[-1:])[0], _line(_SHOULDER_LINE), _line(_TRUNK_UPRIGHT)]
    return np.concatenate([np.stack(exactly + nearly), bones])


def _line(sums: dict[str, float]) -> np.ndarray:
    return np.array([sums.get(point, 0.0) for point in POINTS])


def _shown() -> np.ndarray:
    """Return the sums of lines `(6, 29)` that show the twist of the twisted bones: what they bend into, or
    hips and shoulders."""
    table = np.zeros((len(BEND), BONES + len(SWUNG)))
    table[[0, 1, 4, 5], BONES + len(FIRST) + np.arange(4)] = 1.0
    for row, share in zip((2, 3), _SPINE_SHARES, strict=True):
        table[row, [SIDE, SHOULDERS]] = 1.0 - share, share
    return table


SHOWN = _shown()
