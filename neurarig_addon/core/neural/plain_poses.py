"""Poses of any biped by rotations of its own joints, so that its bones can reach them, whatever its
proportions."""

from typing import NamedTuple

import numpy as np

from ..geometry import rotation
from ..skeleton.roles import SIDES
from .points import INDEX, JOINTS, from_parents

LEAST_BEND = np.radians(4.0)  # radians, of knees and elbows: a straighter limb is at the end of its reach


class Plain(NamedTuple):
    """Degrees by which joints turn relative to their parents: `bow` forward, `tilt` and `twist` to the left,
    of the whole trunk; pairs are left and right: thighs forward, knees bent, arms lowered from the sides
    (negative: raised), arms forward, elbows bent."""

    bow: float
    tilt: float
    twist: float
    thighs: tuple[float, float]
    knees: tuple[float, float]
    lowered: tuple[float, float]
    ahead: tuple[float, float]
    elbows: tuple[float, float]

    @property
    def degrees(self) -> np.ndarray:
        """All the angles `(13,)`."""
        return np.hstack(self)


POSES = {
    "crouch": Plain(35.0, 0.0, 5.0, (95.0, 85.0), (115.0, 110.0), (50.0, 45.0), (60.0, 70.0), (60.0, 40.0)),
    "reach up": Plain(-12.0, 8.0, 0.0, (3.0, 4.0), (8.0, 9.0), (-75.0, 70.0), (10.0, 0.0), (8.0, 25.0)),
    "step": Plain(8.0, 0.0, -15.0, (40.0, -20.0), (35.0, 25.0), (65.0, 70.0), (-25.0, 40.0), (20.0, 45.0)),
    "lean": Plain(10.0, 30.0, 20.0, (5.0, 15.0), (10.0, 30.0), (20.0, 75.0), (20.0, 30.0), (30.0, 70.0)),
    "reach for the ground": Plain(
        75.0, 0.0, 25.0, (45.0, 40.0), (50.0, 45.0), (5.0, 40.0), (85.0, 20.0), (10.0, 30.0)
    ),
    "sit with a twist": Plain(
        5.0, -8.0, 45.0, (88.0, 92.0), (85.0, 95.0), (35.0, 55.0), (70.0, 60.0), (90.0, 100.0)
    ),
}


def joint_turns(degrees: np.ndarray, besides: np.ndarray | None = None) -> np.ndarray:
    """Return the pose of `Plain.degrees` `(13,)`: rotations `(22, 3, 3)` from the reference pose.

    `besides` `(22, 3, 3)`: rotations of joints to be applied before; knees and elbows ignore theirs.
    """
    angles = np.radians(degrees)
    (bow, tilt, twist), (thighs, knees, lowered, ahead, elbows) = angles[:3] / 3.0, angles[3:].reshape(5, 2)
    turns = np.tile(np.eye(3), (len(JOINTS), 1, 1)) if besides is None else besides.copy()
    third = rotation.about_z(twist) @ rotation.about_y(bow) @ rotation.about_x(-tilt)
    for joint in ("spine1", "spine2", "spine3"):
        turns[INDEX[joint]] = third @ turns[INDEX[joint]]
    for at, (side, sign) in enumerate(zip(SIDES, (1.0, -1.0), strict=True)):
        turns[INDEX[f"hip.{side}"]] = rotation.about_y(-thighs[at]) @ turns[INDEX[f"hip.{side}"]]
        turns[INDEX[f"knee.{side}"]] = rotation.about_y(np.maximum(knees[at], LEAST_BEND))
        arm = rotation.about_z(-sign * ahead[at]) @ rotation.about_x(-sign * lowered[at])
        turns[INDEX[f"shoulder.{side}"]] = arm @ turns[INDEX[f"shoulder.{side}"]]
        turns[INDEX[f"elbow.{side}"]] = rotation.about_z(-sign * np.maximum(elbows[at], LEAST_BEND))
    return from_parents(turns)
