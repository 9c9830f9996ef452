"""Poses of any biped by turns of its own joints: what its bones can reach, whatever its proportions."""

from typing import NamedTuple

import numpy as np

from neurarig_addon.core import rotation
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX, JOINTS, PARENTS
from neurarig_addon.core.roles import SIDES

SEEDS = range(3)
VARIED = 0.15  # of every turn, and radians of any joint: how far poses of one kind differ
LEAST_BEND = np.radians(4.0)  # of knees and elbows: a limb that is straighter is at the end of its reach


class _Kind(NamedTuple):
    """Degrees by which joints turn against their parents: `bow` forward, `tilt` to the left and `twist` to the left of the whole trunk;
    pairs are left and right: thighs forward, knees bent, arms lowered from the sides (negative: raised), arms forward, elbows bent."""

    bow: float
    tilt: float
    twist: float
    thighs: tuple[float, float]
    knees: tuple[float, float]
    lowered: tuple[float, float]
    ahead: tuple[float, float]
    elbows: tuple[float, float]


KINDS = {
    "crouch": _Kind(35.0, 0.0, 5.0, (95.0, 85.0), (115.0, 110.0), (50.0, 45.0), (60.0, 70.0), (60.0, 40.0)),
    "reach up": _Kind(-12.0, 8.0, 0.0, (3.0, 4.0), (8.0, 9.0), (-75.0, 70.0), (10.0, 0.0), (8.0, 25.0)),
    "step": _Kind(8.0, 0.0, -15.0, (40.0, -20.0), (35.0, 25.0), (65.0, 70.0), (-25.0, 40.0), (20.0, 45.0)),
    "lean": _Kind(10.0, 30.0, 20.0, (5.0, 15.0), (10.0, 30.0), (20.0, 75.0), (20.0, 30.0), (30.0, 70.0)),
    "reach for the ground": _Kind(75.0, 0.0, 25.0, (45.0, 40.0), (50.0, 45.0), (5.0, 40.0), (85.0, 20.0), (10.0, 30.0)),
    "sit with a twist": _Kind(5.0, -8.0, 45.0, (88.0, 92.0), (85.0, 95.0), (35.0, 55.0), (70.0, 60.0), (90.0, 100.0)),
}


def reachable_points(body: PointBody) -> dict[str, np.ndarray]:
    """Return poses of every kind: name -> points `(27, 3)`, metres, walk frame, which bones of just these lengths make."""
    found = {}
    for kind, angles in KINDS.items():
        for seed in SEEDS:
            turns = _joint_turns(angles, np.random.default_rng([seed, list(KINDS).index(kind)]))
            points = body.points(body.motions(turns[None], body.rest[:1]))[0]
            lowest = min(points[INDEX[f"ankle.{side}"], 2] for side in SIDES)
            found[f"{kind} {seed}"] = points + [0.0, 0.0, body.at_rest[INDEX["ankle.L"], 2] - lowest]
    return found


def _joint_turns(kind: _Kind, rng: np.random.Generator) -> np.ndarray:
    """Return one pose of a kind: rotations `(22, 3, 3)` away from the reference pose."""
    varied = np.radians(np.hstack(kind)) * rng.uniform(1.0 - VARIED, 1.0 + VARIED, 13)
    (bow, tilt, twist), (thighs, knees, lowered, ahead, elbows) = varied[:3] / 3.0, varied[3:].reshape(5, 2)
    turns = rotation.from_axis_angle(rotation.normalized(rng.normal(size=(len(JOINTS), 3))), rng.uniform(0.0, VARIED, len(JOINTS)))
    third = rotation.about_z(twist) @ rotation.about_y(bow) @ rotation.about_x(-tilt)
    for joint in ("spine1", "spine2", "spine3"):
        turns[INDEX[joint]] = third @ turns[INDEX[joint]]
    for at, (side, sign) in enumerate(zip(SIDES, (1.0, -1.0), strict=True)):
        turns[INDEX[f"hip.{side}"]] = rotation.about_y(-thighs[at]) @ turns[INDEX[f"hip.{side}"]]
        turns[INDEX[f"knee.{side}"]] = rotation.about_y(np.maximum(knees[at], LEAST_BEND))
        arm = rotation.about_z(-sign * ahead[at]) @ rotation.about_x(-sign * lowered[at])
        turns[INDEX[f"shoulder.{side}"]] = arm @ turns[INDEX[f"shoulder.{side}"]]
        turns[INDEX[f"elbow.{side}"]] = rotation.about_z(-sign * np.maximum(elbows[at], LEAST_BEND))
    for joint in range(1, len(JOINTS)):
        turns[joint] = turns[PARENTS[joint]] @ turns[joint]
    return turns
