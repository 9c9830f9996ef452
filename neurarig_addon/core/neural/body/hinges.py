"""The axes about which a skeleton's elbows really bend.

A rest pose with straight arms does not show them: the shared reference pose assumes that the forearm bends forward with the palm down.
CMU's skeletons bend it 30 degrees upwards.  A clip shows it; corrected for it, an upper arm's twist means the same on all rigs.
"""

import numpy as np

from ...geometry import rotation
from ...skeleton.roles import SIDES
from ..points import INDEX

_ENOUGH = 1.0  # sum over frames of the squared sine of the bend: below, a clip shows nothing
_CLEAR = 0.9  # least agreement of a clip's bends (1: all in one plane)


def elbow_rolls(points: np.ndarray, rotations: np.ndarray) -> np.ndarray:
    """Return for both arms the angle `(2,)` in radians about the stretched arm by which a clip's bends deviate from forward.

    `points` `(f, 27, 3)` and `rotations` `(f, 22, 3, 3)` of the clip; 0 where it does not show the axis.
    """
    rolls = np.zeros(2)
    for side, letter in enumerate(SIDES):
        shoulder, elbow, wrist = (INDEX[f"{part}.{letter}"] for part in ("shoulder", "elbow", "wrist"))
        forearm = rotation.normalized(points[:, wrist] - points[:, elbow])
        x, _, z = np.einsum("fji,fj->if", rotations[:, shoulder], forearm)
        bend = np.hypot(x, z)
        along = np.array([bend @ x, bend @ z])
        if bend @ bend > _ENOUGH and np.hypot(*along) > _CLEAR * (bend @ bend):
            rolls[side] = np.arctan2(-along[1], along[0])
    return rolls
