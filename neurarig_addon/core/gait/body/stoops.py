"""How a body that stands goes down for its hands, as channels: it bows, stoops, squats, or kneels."""

import numpy as np

from ...body.kneel import LOWEST, Kneel
from ...body.stoop import STRAIGHT, bundled_habit
from ...contract.channels import CHANNELS
from ...easing import smoothstep

LEANS = 0.75  # radians that the line from hips to shoulders leans for each by which a spine bends
SQUATS = 0.3  # x its pitch as filed: how far a trunk leans that goes down upright
FALLS = 0.05  # leg lengths, and radians: a pose whose hips come down by less, or its chest, does not stoop
# x a stoop's depth: down to there legs stay straight; metres as in `StoopHabit` that a body has bowed then
BOWS, BOWED = 0.5, 0.5
# radians that a trunk leans on one knee, less and more; what of that its pelvis and head take
TRUNK, PELVIS, HEAD = np.radians([10.0, 80.0]), 0.45, 0.4
PARTS = [CHANNELS.index(f"pelvis.{axis}") for axis in ("x", "z", "pitch")]
PARTS += [CHANNELS.index(f"{part}.pitch") for part in ("chest", "head")]
BACK, FALLING, _, LEADING, _ = PARTS


def stoops(deepest: np.ndarray) -> bool:
    """Return whether a pose of channels `(46,)`, leg lengths and radians, is a stoop."""
    return bool(deepest[FALLING] <= -FALLS and deepest[LEADING] >= FALLS)


def stooping(deepest: np.ndarray, much: float, upright: float, farther: float = 0.0) -> np.ndarray:
    """Return the mix `(46, 46)` of an act's channels that goes down `much` as far as its `deepest` pose
    `(46,)`, hips by `farther` leg lengths behind that.

    A stoop first bows as people do whose legs stay straight, and then goes on to what it is; `upright`
    `0..1`: as far it squats instead.
    """
    found = much * np.eye(len(CHANNELS))
    if not stoops(deepest):
        return found
    filed = float(smoothstep(np.array((much - BOWS) / (1.0 - BOWS))))
    bowed = np.array([min(much / BOWS, 1.0) * BOWED])
    height, back, *pitches = bundled_habit(STRAIGHT).more(0.0, bowed)[:, 0]
    pelvis, trunk, head = np.radians(pitches)
    values = np.array([-back, height, *_turned(pelvis, trunk), head])
    squats = np.array([0.0, much, *(3 * (SQUATS * much,))])
    found[PARTS, PARTS] = upright * squats + (1.0 - upright) * filed * max(much, 1.0)
    found[LEADING, PARTS] += (1.0 - upright) * (1.0 - filed) * values / deepest[LEADING]
    found[LEADING, BACK] -= farther / deepest[LEADING]
    return found


def kneeling(deepest: np.ndarray, much: float, kneel: Kneel, stands: np.ndarray, leg: float) -> np.ndarray:
    """Return the mix `(46, 46)` of a stoop's channels that goes down on one knee as it comes to its `deepest`
    pose `(46,)`, and so `much` farther; arms go as they do. `stands` `(2,)`: where the hips of who stands are
    as in `Kneel.hips`; `leg`: metres of its length."""
    trunk = np.interp(much, [0.0, LOWEST], TRUNK)
    moved = (kneel.hips(much) - stands) / leg
    values = np.array([*moved, *_turned(PELVIS * trunk, trunk), HEAD * trunk])
    found = np.diag(np.array([channel.startswith("arm") for channel in CHANNELS], dtype=float))
    found[LEADING, PARTS] = values / deepest[LEADING]
    return found


def _turned(pelvis: float, trunk: float) -> tuple[float, float]:
    """Return the pitches of pelvis and chest of a trunk that leans so far, radians."""
    return pelvis, pelvis + (trunk - pelvis) / LEANS
