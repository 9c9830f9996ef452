"""An adult of 1.75 m in T-pose, of the joints of SMPL: the body of motions that come without one."""

import numpy as np

from ..shipped import shipped
from .points import JOINTS

ADULT_LEG = 0.845  # metres of thigh and shin


def adult_offsets() -> np.ndarray:
    """Return each joint's place from its parent's `(22, 3)` in metres, in the walk frame; the pelvis at the
    origin."""
    known, offsets = shipped("adult_joints")["offsets"], np.zeros((len(JOINTS), 3))
    for row, joint in enumerate(JOINTS[1:], 1):
        offsets[row] = known[joint.removesuffix(".L").removesuffix(".R")]
        offsets[row, 1] *= -1.0 if joint.endswith(".R") else 1.0
    return offsets
