"""Poses that the bones of any biped can reach, drawn about those of `core.neural.plain_poses`."""

import numpy as np

from neurarig_addon.core.geometry import rotation
from neurarig_addon.core.neural.plain_poses import POSES, Plain, joint_turns
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX, JOINTS
from neurarig_addon.core.skeleton.roles import SIDES

SEEDS = range(3)
VARIED = 0.15  # of every turn, and radians of any joint: how far poses of one kind differ


def reachable_points(body: PointBody) -> dict[str, np.ndarray]:
    """Return poses of every kind: name -> points `(27, 3)`, metres, walk frame, which bones of just these lengths make."""
    found = {}
    for number, (kind, plain) in enumerate(POSES.items()):
        for seed in SEEDS:
            turns = _varied(plain, np.random.default_rng([seed, number]))
            points = body.points(body.motions(turns[None], body.rest[:1]))[0]
            lowest = min(points[INDEX[f"ankle.{side}"], 2] for side in SIDES)
            found[f"{kind} {seed}"] = points + [0.0, 0.0, body.at_rest[INDEX["ankle.L"], 2] - lowest]
    return found


def _varied(plain: Plain, rng: np.random.Generator) -> np.ndarray:
    """Return one pose of a kind: rotations `(22, 3, 3)` away from the reference pose."""
    degrees = plain.degrees * rng.uniform(1.0 - VARIED, 1.0 + VARIED, 13)
    axes = rotation.normalized(rng.normal(size=(len(JOINTS), 3)))
    return joint_turns(degrees, rotation.from_axis_angle(axes, rng.uniform(0.0, VARIED, len(JOINTS))))
