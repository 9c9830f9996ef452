"""A limb that stands on its toes, of an animal: its joints, and where the paw or hoof touches the ground."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..geometry.rotation import UP, norms
from ..skeleton.roles import RoleMap, sided
from ..skeleton.skeleton import Skeleton
from .leg import head_of

# Of the limb's length: points so near to the lowest one are the sole; a shorter sole is a hoof's, as long as
# this; how far the toes of a bare skeleton reach ahead of their joint, and digits that lie on the ground.
LOW, SHORTEST, REACH, LYING_REACH = 0.03, 0.04, 0.14, 0.5
LYING = np.sin(np.radians(15.0))  # sine of the slope up to which digits lie on the ground
# of the limb's length: longer soles belong to something else; those of digits that lie on the ground
LONGEST, LYING_LONGEST = 0.4, 0.9


@dataclass(frozen=True)
class Paw:
    """One limb in world metres `(3,)`: hip, knee, ankle (hock or carpus), the joint of the toes, NaN without
    one, and `heel`, `ball`, `toe` of the paw on the ground."""

    hip: np.ndarray
    knee: np.ndarray
    ankle: np.ndarray
    toe_joint: np.ndarray
    heel: np.ndarray
    ball: np.ndarray
    toe: np.ndarray


def read_paw(
    skeleton: Skeleton,
    roles: RoleMap,
    parts: Sequence[str],
    side: str,
    forward: np.ndarray,
    sole: np.ndarray | None,
) -> Paw:
    """Return a limb whose `parts` are the roles of its bones from the trunk outward, on one side.

    `forward` `(3,)`: where the animal faces. `sole` `(n, 3)`: the skin that follows the paw.
    """
    upper, lower, foot, toes = (roles.get(sided(part, side)) for part in parts)
    hip, knee = head_of(skeleton, upper), head_of(skeleton, lower)
    ankle = head_of(skeleton, foot) if foot else skeleton.tails[skeleton.index[str(lower)]]
    joint = head_of(skeleton, toes)
    length = float(norms(knee - hip) + norms(ankle - knee))
    end = joint if toes else skeleton.tails[skeleton.index[str(foot or lower)]]
    tip = skeleton.tails[skeleton.index[toes]] if toes else end
    lies = abs(tip[2] - end[2]) < LYING * norms(tip - end)
    points = _low(sole, length, LYING_LONGEST if lies else LONGEST)
    ahead = np.clip((tip - end) @ forward, SHORTEST * length, (LYING_REACH if lies else REACH) * length)
    if points is None:
        ground, back, front, middle = min(end[2], tip[2]), 0.0, ahead, end
    else:
        along, middle = (points - end) @ forward, points.mean(axis=0)
        ground, back, front = float(points[:, 2].min()), min(float(along.min()), 0.0), float(along.max())
        front = max(front, ahead * lies)
    short = max(SHORTEST * length - (front - back), 0.0)
    under = end + forward * 0.0
    across = np.cross(UP, forward)
    under = under + across * ((middle - end) @ across)
    under[2] = ground
    ball = np.clip(0.0, back, front)
    heel, ball, toe = (under + forward * at for at in (back - 0.5 * short, ball, front + 0.5 * short))
    return Paw(hip, knee, ankle, joint, heel, ball, toe)


def _low(sole: np.ndarray | None, length: float, longest: float) -> np.ndarray | None:
    """Return the points of a paw that touch the ground, None if there is no sole that can be one."""
    if sole is None or not len(sole):
        return None
    low = sole[sole[:, 2] <= sole[:, 2].min() + LOW * length]
    return low if np.ptp(low[:, :2], axis=0).max() < longest * length else None
