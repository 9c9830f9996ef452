"""An adult of 1.75 m in T-pose, of the joints of SMPL: the body of motions that come without one."""

import numpy as np

from .points import JOINTS

# Metres ahead, left and up of each joint's parent, of a standing adult of 1.75 m in T-pose; the right side is the left one mirrored.
_ADULT = {
    "hip": (0.01, 0.09, -0.035),
    "knee": (0.015, 0.0, -0.4225),
    "ankle": (-0.015, 0.0, -0.4225),
    "ball": (0.125, 0.0, -0.055),
    "spine1": (0.0, 0.0, 0.07),
    "spine2": (-0.005, 0.0, 0.12),
    "spine3": (-0.005, 0.0, 0.13),
    "neck": (0.0, 0.0, 0.18),
    "head": (0.015, 0.0, 0.09),
    "collar": (0.0, 0.06, 0.13),
    "shoulder": (0.02, 0.12, 0.01),
    "elbow": (0.0, 0.3, 0.0),
    "wrist": (0.0, 0.26, 0.0),
}
ADULT_LEG = 0.845  # metres of thigh and shin


def adult_offsets() -> np.ndarray:
    """Return each joint's place from its parent's `(22, 3)` in metres, in the walk frame; the pelvis at the origin."""
    offsets = np.zeros((len(JOINTS), 3))
    for row, joint in enumerate(JOINTS[1:], 1):
        offsets[row] = _ADULT[joint.removesuffix(".L").removesuffix(".R")]
        offsets[row, 1] *= -1.0 if joint.endswith(".R") else 1.0
    return offsets
