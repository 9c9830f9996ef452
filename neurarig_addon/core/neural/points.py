"""The 27 points and 22 joints by which every biped is posed, whatever bones its rig has.

The joints come in SMPL's body order. Each joint has a rotation and carries the points below it; the five
sites are ends without a
rotation, which make the orientation of head, hands and toes observable.  `point_body` places them on a rig.
"""

import numpy as np

from ..shipped import shipped

JOINTS = (
    "pelvis",
    "hip.L",
    "hip.R",
    "spine1",
    "knee.L",
    "knee.R",
    "spine2",
    "ankle.L",
    "ankle.R",
    "spine3",
    "ball.L",
    "ball.R",
    "neck",
    "collar.L",
    "collar.R",
    "head",
    "shoulder.L",
    "shoulder.R",
    "elbow.L",
    "elbow.R",
    "wrist.L",
    "wrist.R",
)
SITES = ("head_top", "hand_tip.L", "hand_tip.R", "toe_tip.L", "toe_tip.R")
POINTS = JOINTS + SITES

_ABOVE = {
    "hip": "pelvis",
    "spine1": "pelvis",
    "knee": "hip",
    "spine2": "spine1",
    "ankle": "knee",
    "spine3": "spine2",
    "ball": "ankle",
    "neck": "spine3",
    "collar": "spine3",
    "head": "neck",
    "shoulder": "collar",
    "elbow": "shoulder",
    "wrist": "elbow",
    "head_top": "head",
    "hand_tip": "wrist",
    "toe_tip": "ball",
}


def parent_of(point: str) -> str:
    """Return the joint that carries a point; raises KeyError for the pelvis, which nothing carries."""
    stem, dot, side = point.partition(".")
    above = _ABOVE[stem]
    return above + dot + side if above + dot + side in JOINTS else above


INDEX = {point: row for row, point in enumerate(POINTS)}
# Row of the joint that carries each point `(27,)`, -1 for the pelvis; the first 22 are the joints' tree,
# parents before children.
PARENTS = np.array([-1] + [INDEX[parent_of(point)] for point in POINTS[1:]])
CHILDREN = tuple(tuple(int(row) for row in np.flatnonzero(joint == PARENTS)) for joint in range(len(JOINTS)))
# The child along which a joint's bone lies `(22,)`: the one that its swing is read from.
PRIMARY = np.array(
    [next(row for row in rows if POINTS[row] in ("spine1", "neck") or len(rows) == 1) for rows in CHILDREN]
)


def ways() -> np.ndarray:
    """Return which points lead from the pelvis to each, both included `(27, 27)`: 1 if the column's is on the
    row's way, else 0."""
    found = np.eye(len(POINTS))
    for point in range(1, len(POINTS)):
        found[point] += found[PARENTS[point]]
    return found


def in_parents(rotations: np.ndarray) -> np.ndarray:
    """Return the joints' rotations `(..., 22, 3, 3)` relative to their parents; the pelvis keeps its own."""
    found = rotations.copy()
    found[..., 1:, :, :] = (
        rotations.take(PARENTS[1 : len(JOINTS)], axis=-3).swapaxes(-1, -2) @ rotations[..., 1:, :, :]
    )
    return found


def from_parents(local: np.ndarray) -> np.ndarray:
    """Return the joints' rotations `(..., 22, 3, 3)` of those relative to their parents."""
    found = local.copy()
    for joint, parent in enumerate(PARENTS[1 : len(JOINTS)], 1):
        found[..., joint, :, :] = found[..., parent, :, :] @ local[..., joint, :, :]
    return found


def mirrored_rows() -> np.ndarray:
    """Return for each point the row of its mirror image `(27,)`."""
    swap = {"L": "R", "R": "L"}
    return np.array(
        [INDEX[f"{point[:-1]}{swap[point[-1]]}" if point[-2:] in (".L", ".R") else point] for point in POINTS]
    )


ADULT_LEG = 0.845  # metres of thigh and shin


def adult_offsets() -> np.ndarray:
    """Return each joint's place from its parent's `(22, 3)` in metres, in the walk frame; the pelvis at the
    origin."""
    known, offsets = shipped("adult_joints")["offsets"], np.zeros((len(JOINTS), 3))
    for row, joint in enumerate(JOINTS[1:], 1):
        offsets[row] = known[joint.removesuffix(".L").removesuffix(".R")]
        offsets[row, 1] *= -1.0 if joint.endswith(".R") else 1.0
    return offsets
