"""Poses that the bones of any biped can reach, drawn about those of `core.neural.plain_poses`."""

import numpy as np

from neurarig_addon.core.labels import draws
from neurarig_addon.core.neural.plain_poses import POSES
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX
from neurarig_addon.core.skeleton.roles import SIDES

SEEDS = range(3)


def reachable_points(body: PointBody) -> dict[str, np.ndarray]:
    """Return poses of every kind: name -> points `(27, 3)`, metres, walk frame, which bones of just these lengths make."""
    found = {}
    for number, (kind, plain) in enumerate(POSES.items()):
        for seed in SEEDS:
            turns = draws.varied(plain, np.random.default_rng([seed, number]))
            points = body.points(body.motions(turns[None], body.rest[:1]))[0]
            lowest = min(points[INDEX[f"ankle.{side}"], 2] for side in SIDES)
            found[f"{kind} {seed}"] = points + [0.0, 0.0, body.at_rest[INDEX["ankle.L"], 2] - lowest]
    return found
