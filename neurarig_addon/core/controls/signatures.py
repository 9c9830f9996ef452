"""What each control of a biped does, and how well a candidate's response matches it: 0..1."""

from collections.abc import Iterable

import numpy as np

from ..skeleton.roles import SPINE
from .figure import PELVIS, ObservedRig
from .response import Response

# share of the control's turn: if spine bones below the chest turn more, the control begins lower than the
# chest
_WHOLLY = 0.9
_LEFT = 0.3  # score factor of a control that does not carry its bone's children
_HALF = 0.5  # score factor of a control that fits when moved but not when turned


def fk_score(figure: ObservedRig, role: int, found: Response) -> float:
    """Score the FK control of a role, 0..1: the role and its descendants turn with the control, and nothing
    else does."""
    alone = (
        found.turns_with[role] * (1.0 - _most(found.turns, ~figure.beyond[role])) * (1.0 - found.strays[role])
    )
    return float(alone * _carries(found, figure.hangs_on[role]))


def end_score(figure: ObservedRig, limb: str, found: Response) -> float:
    """Score the IK control of a limb's end, 0..1: the end follows, the limb's root stays and the limb
    bends."""
    chain = figure.chain(limb)
    base, middle, end = chain[:3]
    carried = (
        found.follows[end]
        * min(found.swings[base], found.swings[middle] * 2.0, 1.0)
        * (1.0 - found.moves[base])
    )
    turned = _HALF + _HALF * found.turns_with[end]
    return float(carried * turned * (1.0 - _most(found.moves, _others(figure, chain))))


def pole_score(figure: ObservedRig, limb: str, found: Response) -> float:
    """Score the pole of a knee or elbow, 0..1: moving it twists the bent limb, whose ends stay."""
    chain = figure.chain(limb)
    still = 1.0 - max(found.moves[chain[0]], found.moves[chain[2]], found.moves[chain[1]])
    pivots = 1.0 - found.spins[chain[1]]
    return float(
        min(1.0, 2.0 * found.twists[chain[1]])
        * still
        * pivots
        * (1.0 - _most(found.moves, _others(figure, chain)))
    )


def swivel_score(figure: ObservedRig, limb: str, found: Response) -> float:
    """Score the swivel of a limb, 0..1: turning it twists the limb, whose ends stay."""
    chain = figure.chain(limb)
    still = 1.0 - max(found.shifts[chain[0]], found.turns[chain[2]], found.follows[chain[2]])
    return float(
        min(1.0, 2.0 * found.spins[chain[1]]) * still * (1.0 - _most(found.turns, _others(figure, chain)))
    )


def roll_score(figure: ObservedRig, limb: str, found: Response) -> float:
    """Score the roll of a foot, 0..1: moving or turning it tilts the foot about its sole without carrying it
    along."""
    chain = figure.chain(limb)
    foot, others = chain[2], _others(figure, chain)
    free = 1.0 - found.follows[foot] ** 2
    turned = min(1.0, 2.0 * found.turns[foot]) * found.shifts[foot] * (1.0 - _most(found.turns, others))
    moved = found.swings[foot] * (1.0 - _most(found.moves, others)) * (1.0 - found.moves[chain[0]])
    return float(free * max(turned, moved))


def torso_score(figure: ObservedRig, found: Response, planted: list[int]) -> float:
    """Score the control that carries the body, 0..1; `planted`: rows of the feet, which must stay."""
    body = [figure.roles.index(PELVIS), *figure.numbered(SPINE), *figure.rows("head", "thigh")]
    stays = 1.0 - max((found.moves[row] for row in planted), default=0.0)
    return float(found.follows[body].min() * stays)


def root_score(figure: ObservedRig, found: Response) -> float:
    """Score the control that carries the whole character, 0..1."""
    return float(min(found.follows.min(), _HALF + _HALF * found.turns_with.min()))


def hips_score(figure: ObservedRig, found: Response) -> float:
    """Score the control that turns the pelvis but not the chest, 0..1."""
    pelvis = figure.roles.index(PELVIS)
    above = [*figure.numbered(SPINE)[-1:], *figure.rows("head")]
    leaves = 1.0 - max((found.turns[row] for row in above), default=1.0)
    return float(found.turns_with[pelvis] * leaves * _carries(found, figure.rows("thigh")))


def chest_score(figure: ObservedRig, found: Response) -> float:
    """Score the control that turns the last spine bone, those below in part at most, and not the pelvis,
    0..1."""
    spine = figure.numbered(SPINE)
    if not spine:
        return 0.0
    below = float(np.mean(found.turns[spine[:-1]] > _WHOLLY)) if len(spine) > 1 else 0.0
    turned = found.turns_with[spine[-1]] * (1.0 - found.turns[figure.roles.index(PELVIS)])
    return float(turned * (1.0 - _HALF * below) * _carries(found, figure.hangs_on[spine[-1]]))


def _carries(found: Response, hanging: Iterable[int]) -> float:
    """Return a factor, 0..1, for how far a control carries its bone's children, turning or moving at least
    one of them."""
    taken = [max(found.turns_with[row], found.shifts[row]) for row in hanging]
    return _LEFT + (1.0 - _LEFT) * max(taken) if taken else 1.0


def _others(figure: ObservedRig, chain: Iterable[int]) -> np.ndarray:
    """Return whether each role `(r,)` is outside a limb."""
    found = np.ones(len(figure.roles), dtype=bool)
    found[list(chain)] = False
    return found


def _most(values: np.ndarray, rows: np.ndarray) -> float:
    return float(values[rows].max(initial=0.0))
