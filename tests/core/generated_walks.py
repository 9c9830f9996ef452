"""A walk as generative models write it: places and rotations of joints in arrays."""

import numpy as np

from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.core.mocap.generated_motion import LAYOUTS
from neurarig_addon.core.neural.points import JOINTS, PARENTS
from tests.core.walkers import WALKING

ROLES = {
    "hip": "thigh",
    "knee": "shin",
    "ankle": "foot",
    "ball": "toe",
    "collar": "upper_arm",
    "shoulder": "upper_arm",
    "elbow": "forearm",
}
ROLES |= {"wrist": "hand", "spine1": "spine.1", "spine2": "spine.2", "spine3": "spine.3"}
FPS = 30.0
BODY = human_body("T")
POSE = walk(BODY, StyleTrack(Style(speed=1.2)), Clock(fps=FPS), np.arange(1.0, 121.0), WALKING)
Y_UP = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])  # x left, y up, z ahead


def role_of(joint: str) -> str:
    stem, dot, side = joint.partition(".")
    return ROLES.get(stem, stem) + dot + side


def joints() -> tuple[np.ndarray, np.ndarray]:
    """Return places `(f, 22, 3)` and rotations from a T-pose of a walk's joints, x ahead and z up."""
    motions = [POSE.root.holding(POSE.motions[role_of(joint)]) for joint in JOINTS]
    places = np.stack([motion.position for motion in motions], axis=1)
    for side in "LR":
        collar, chest = JOINTS.index(f"collar.{side}"), JOINTS.index("spine3")
        places[:, collar] = 0.5 * (
            places[:, JOINTS.index("neck")] + places[:, JOINTS.index(f"shoulder.{side}")]
        )
        motions[collar] = motions[chest]
    return places, np.stack([motion.rotation for motion in motions], axis=1)


def laid_out(values: np.ndarray, count: int) -> np.ndarray:
    """Return the values of 22 joints in the rows of a layout: ends beyond their joints, others like the
    pelvis."""
    found, (rows, ends) = np.repeat(values[:, :1], count, axis=1), LAYOUTS[count]
    found[:, list(rows)] = values
    for joint, row in ends.items():
        number = JOINTS.index(joint)
        found[:, row] = values[:, number]
        if values.ndim == 3:
            found[:, row] += 0.5 * (values[:, number] - values[:, PARENTS[number]])
    return found
