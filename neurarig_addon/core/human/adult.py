"""A 1.75 m adult as a Body: proportions after Winter's segment table, rounded to half a centimetre."""

import numpy as np

from ..character.body import Body

HIP_Z, KNEE_Z, ANKLE_Z = 0.925, 0.5025, 0.08
HIP_HALF_WIDTH, SHOULDER_HALF_WIDTH = 0.09, 0.18
HEEL_X, BALL_X, TOE_X = -0.06, 0.125, 0.19
TOE_JOINT_Z = 0.025
KNEE_X = 0.015  # the knee is slightly bent at rest, which defines the direction of its bend
UPPER_ARM_M, FOREARM_M = 0.30, 0.26
ARM_DROP_DEG = {"T": 0.0, "A": 45.0, "DOWN": 85.0}


def human_body(arms: str = "A", scale: float = 1.0) -> Body:
    """Return the adult with its arms in T-pose, A-pose or DOWN, `scale` times as tall (1.75 m at 1)."""
    shoulder = pair(0.0, SHOULDER_HALF_WIDTH, 1.42)
    drop = np.radians(ARM_DROP_DEG[arms])
    along = pair(0.0, np.cos(drop), -np.sin(drop))
    elbow = shoulder + UPPER_ARM_M * along
    points = {
        "pelvis": np.array([-0.01, 0.0, 0.96]),
        "hip": pair(0.0, HIP_HALF_WIDTH, HIP_Z),
        "knee": pair(KNEE_X, HIP_HALF_WIDTH, KNEE_Z),
        "ankle": pair(0.0, HIP_HALF_WIDTH, ANKLE_Z),
        "heel": pair(HEEL_X, HIP_HALF_WIDTH, 0.0),
        "ball": pair(BALL_X, HIP_HALF_WIDTH, 0.0),
        "toe": pair(TOE_X, HIP_HALF_WIDTH, 0.0),
        "toe_joint": pair(BALL_X, HIP_HALF_WIDTH, TOE_JOINT_Z),
        "shoulder": shoulder,
        "elbow": elbow,
        "wrist": elbow + FOREARM_M * along,
        "spine": np.array([[-0.01, 0.0, 1.03], [-0.015, 0.0, 1.15], [-0.02, 0.0, 1.28]]),
        "neck": np.array([-0.02, 0.0, 1.46]),
        "head": np.array([-0.005, 0.0, 1.55]),
    }
    walk_to_armature = np.eye(4)
    return Body(walk_to_armature=walk_to_armature, **{name: scale * point for name, point in points.items()})


def pair(x: float, y: float, z: float) -> np.ndarray:
    """Return a left and a right point `(2, 3)`, mirrored in y."""
    return np.array([[x, y, z], [x, -y, z]])
