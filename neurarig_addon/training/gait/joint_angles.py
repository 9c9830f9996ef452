"""The joint angles of a walk as a gait laboratory reports them."""

import numpy as np

from ...core.gait.pose import WalkPose


def joint_angles(pose: WalkPose) -> dict[str, np.ndarray]:
    """Return the left leg in degrees: thigh to the vertical, knee flexion, ankle dorsiflexion, foot pitch; and the hips in metres."""
    place = {role: pose.motions[role].position for role in ("thigh.L", "shin.L", "foot.L", "thigh.R")}
    thigh = _sagittal(place["shin.L"] - place["thigh.L"])
    shank = _sagittal(place["foot.L"] - place["shin.L"])
    forward = pose.motions["foot.L"].rotation[:, :, 0]
    level = np.copysign(np.hypot(forward[:, 0], forward[:, 1]), forward[:, 0])  # a runner's toes point backward in mid swing
    pitch = np.degrees(np.arctan2(forward[:, 2], level))
    hips = 0.5 * (place["thigh.L"] + place["thigh.R"])
    return {"thigh": thigh, "knee": thigh - shank, "ankle": pitch - shank, "pitch": pitch, "hips": hips}


def _sagittal(bone: np.ndarray) -> np.ndarray:
    return np.degrees(np.arctan2(bone[:, 0], -bone[:, 2]))
