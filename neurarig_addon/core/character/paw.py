"""A limb that stands on its toes, of an animal: its joints, and where the paw or hoof touches the ground."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..geometry.rotation import ON_GROUND, UP, norms
from ..skeleton.roles import RoleMap, sided
from ..skeleton.skeleton import Skeleton
from .leg import head_of

# Of the limb's length: points so near to the lowest one are the sole, ends of bones so near to it are toes; a
# shorter sole is a hoof's, as long as this.
LOW, UNDER, SHORTEST = 0.03, 0.08, 0.04
TIPPED = np.radians(26.0)  # how far toes roll over their tips: no part of them may then be in the ground
PRESSED, STEEPEST = 0.002, np.radians(90.0)  # how far pads are pressed into the ground; of the limb's length
BEYOND = 0.12  # of the limb's length: how far beyond the skin ends of bones may be the tip
PADS = "pads."  # before the name of a limb's skin: what of it does not follow the toes
LYING = np.sin(np.radians(15.0))  # sine of the slope up to which digits lie on the ground
# of the limb's length: longer soles belong to something else; those of digits that lie on the ground
LONGEST, LYING_LONGEST = 0.4, 0.9


@dataclass(frozen=True)
class Paw:
    """One limb in world metres `(3,)`: hip, knee, ankle (hock or carpus), the joint of the toes, NaN without
    one, and `heel`, `ball`, `toe` of the paw on the ground; for `least_pitch` and `pads` see `Girdle`."""

    hip: np.ndarray
    knee: np.ndarray
    ankle: np.ndarray
    toe_joint: np.ndarray
    heel: np.ndarray
    ball: np.ndarray
    toe: np.ndarray
    least_pitch: float
    pads: bool


def read_paw(
    skeleton: Skeleton,
    roles: RoleMap,
    parts: Sequence[str],
    side: str,
    forward: np.ndarray,
    sole: np.ndarray | None,
    pads: np.ndarray | None,
) -> Paw:
    """Return a limb whose `parts` are the roles of its bones from the trunk outward, on one side.

    `forward` `(3,)`: where the animal faces. `sole` `(n, 3)`: the skin that follows the paw, and `pads`
    `(m, 3)` what of it does not follow the toes.
    """
    upper, lower, foot, toes = (roles.get(sided(part, side)) for part in parts)
    hip, knee = head_of(skeleton, upper), head_of(skeleton, lower)
    ankle = head_of(skeleton, foot) if foot else skeleton.tails[skeleton.index[str(lower)]]
    joint = head_of(skeleton, toes)
    length = float(norms(knee - hip) + norms(ankle - knee))
    end = joint if toes else skeleton.tails[skeleton.index[str(foot or lower)]]
    tip = skeleton.tails[skeleton.index[toes]] if toes else end
    lies = abs(tip[2] - end[2]) < LYING * norms(tip - end)
    longest = (LYING_LONGEST if lies else LONGEST) * length
    points, ends = _low(sole, length, longest), _ends(skeleton, toes or foot or lower, end, longest)
    ground = float(min(ends[:, 2].min(initial=end[2]), end[2]) if points is None else points[:, 2].min())
    across = np.cross(UP, forward)
    middle = 0.0 if points is None else float((points.mean(axis=0) - end) @ across)
    reach = (ends[ends[:, 2] < ground + UNDER * length] - end) @ forward

    def low(skin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return of skin that is low how far ahead `(k,)` it is, and how much less that of its height is as
        it tips to the ground."""
        near = skin[skin[:, 2] < max(end[2], ground + UNDER * length)]
        return (near - end) @ forward, (near[:, 2] - ground) / np.tan(TIPPED)

    on_pads = False
    if points is None or sole is None:
        back, front = float(reach.min(initial=0.0)), max(float(reach.max(initial=0.0)), SHORTEST * length)
    else:
        along, less = low(sole)
        behind = float((along + less).min(initial=0.0))
        spare = BEYOND * length  # tails may be an importer's guess
        reach = reach[(along.min() - spare < reach) & (reach < along.max() + spare)]
        reach = np.concatenate([reach, (points - end) @ forward])
        back, front = (
            min(behind, float(reach.min())),
            max(float((along - less).max()), float(reach.max()), 0.0),
        )
        on_pads = pads is not None and float(np.sum(low(pads), axis=0).min(initial=np.inf)) <= behind
    short = max(SHORTEST * length - (front - back), 0.0)
    under = end + middle * across
    under[2] = ground
    heel, ball, toe = (
        under + forward * at for at in (back - 0.5 * short, np.clip(0.0, back, front), front + 0.5 * short)
    )
    turns_about, least = end if toes else toe, -np.pi
    skin = pads if toes else sole
    if skin is not None:
        least = _least_pitch(skin - turns_about, forward, turns_about[2] - ground, length)
    return Paw(hip, knee, ankle, joint, heel, ball, toe, least, on_pads)


def _least_pitch(skin: np.ndarray, forward: np.ndarray, height: float, length: float) -> float:
    """Return how far toes-up a foot pitches at most, as negative radians, before its skin `(n, 3)`, seen from
    the toes' joint at a `height`, is in the ground."""
    along = skin @ forward
    behind = along < 0.0
    tried = np.linspace(0.0, -STEEPEST, 91)[:, None]
    lowest = height + skin[behind, 2] * np.cos(tried) - along[behind] * np.sin(tried)
    free = (lowest >= -PRESSED * length).all(axis=1)
    return float(tried[max(int(np.argmin(free)) - 1, 0), 0]) if not free.all() else -np.pi


def _ends(skeleton: Skeleton, bone: str | None, start: np.ndarray, longest: float) -> np.ndarray:
    """Return the ends `(n, 3)` of the last bone of a limb and of those below it, as near over the ground as a
    paw's are."""
    found, waiting = [], [skeleton.index[str(bone)]]
    while waiting:
        row = waiting.pop()
        found += [skeleton.heads[row], skeleton.tails[row]]
        waiting += skeleton.children[row]
    ends = np.array(found)
    return ends[norms((ends - start) * ON_GROUND) < longest]


def _low(sole: np.ndarray | None, length: float, longest: float) -> np.ndarray | None:
    """Return the points of a paw that touch the ground, None if there is no sole that can be one."""
    if sole is None or not len(sole):
        return None
    low = sole[sole[:, 2] <= sole[:, 2].min() + LOW * length]
    return low if np.ptp(low[:, :2], axis=0).max() < longest else None
