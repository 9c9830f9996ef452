"""What each control of a biped does, and how well a candidate's response fits that: 0..1."""

from collections.abc import Iterable

import numpy as np

from ..skeleton.roles import SPINE
from .figure import PELVIS, Figure
from .response import Response

_WHOLLY = 0.9  # of the chest's turn: a control that turns bones below so far begins lower than the chest
_LEFT = 0.3  # how good a control is that leaves behind what hangs on its bone
_HALF = 0.5  # how far a control that is not asked about its turning is believed


def fk_score(figure: Figure, role: int, found: Response) -> float:
    """Return how well a control is the FK control of a role: what hangs on it turns with the control, and nothing else does."""
    alone = found.turns_with[role] * (1.0 - _most(found.turns, ~figure.beyond[role])) * (1.0 - found.strays[role])
    return float(alone * _carries(found, figure.hangs_on[role]))


def end_score(figure: Figure, limb: str, found: Response) -> float:
    """Return how well a control is the IK control of a limb's end: the end goes along, the limb's root stays and the limb bends."""
    chain = figure.chain(limb)
    base, middle, end = chain[:3]
    carried = found.follows[end] * min(found.swings[base], found.swings[middle] * 2.0, 1.0) * (1.0 - found.moves[base])
    turned = _HALF + _HALF * found.turns_with[end]
    return float(carried * turned * (1.0 - _most(found.moves, _others(figure, chain))))


def pole_score(figure: Figure, limb: str, found: Response) -> float:
    """Return how well a control is what a knee or elbow points at: moved, it twists the bent limb, whose ends stay."""
    chain = figure.chain(limb)
    still = 1.0 - max(found.moves[chain[0]], found.moves[chain[2]], found.moves[chain[1]])
    pivots = 1.0 - found.spins[chain[1]]
    return float(min(1.0, 2.0 * found.twists[chain[1]]) * still * pivots * (1.0 - _most(found.moves, _others(figure, chain))))


def swivel_score(figure: Figure, limb: str, found: Response) -> float:
    """Return how well a control swivels a limb: turned, it twists the limb, whose ends stay."""
    chain = figure.chain(limb)
    still = 1.0 - max(found.shifts[chain[0]], found.turns[chain[2]], found.follows[chain[2]])
    return float(min(1.0, 2.0 * found.spins[chain[1]]) * still * (1.0 - _most(found.turns, _others(figure, chain))))


def roll_score(figure: Figure, limb: str, found: Response) -> float:
    """Return how well a control rolls a foot: moved or turned, it tilts the foot about its sole, and does not take it along."""
    chain = figure.chain(limb)
    foot, others = chain[2], _others(figure, chain)
    free = 1.0 - found.follows[foot] ** 2
    turned = min(1.0, 2.0 * found.turns[foot]) * found.shifts[foot] * (1.0 - _most(found.turns, others))
    moved = found.swings[foot] * (1.0 - _most(found.moves, others)) * (1.0 - found.moves[chain[0]])
    return float(free * max(turned, moved))


def torso_score(figure: Figure, found: Response, planted: list[int]) -> float:
    """Return how well a control is the one that carries the body; `planted`: rows of the feet that stay where they are."""
    body = [figure.roles.index(PELVIS), *figure.numbered(SPINE), *figure.rows("head", "thigh")]
    stays = 1.0 - max((found.moves[row] for row in planted), default=0.0)
    return float(found.follows[body].min() * stays)


def root_score(figure: Figure, found: Response) -> float:
    """Return how well a control carries the whole character."""
    return float(min(found.follows.min(), _HALF + _HALF * found.turns_with.min()))


def hips_score(figure: Figure, found: Response) -> float:
    """Return how well a control turns the pelvis and leaves the chest."""
    pelvis = figure.roles.index(PELVIS)
    above = [*figure.numbered(SPINE)[-1:], *figure.rows("head")]
    leaves = 1.0 - max((found.turns[row] for row in above), default=1.0)
    return float(found.turns_with[pelvis] * leaves * _carries(found, figure.rows("thigh")))


def chest_score(figure: Figure, found: Response) -> float:
    """Return how well a control turns the last bone of the spine, those below in part at most, and leaves the pelvis."""
    spine = figure.numbered(SPINE)
    if not spine:
        return 0.0
    below = float(np.mean(found.turns[spine[:-1]] > _WHOLLY)) if len(spine) > 1 else 0.0
    turned = found.turns_with[spine[-1]] * (1.0 - found.turns[figure.roles.index(PELVIS)])
    return float(turned * (1.0 - _HALF * below) * _carries(found, figure.hangs_on[spine[-1]]))


def _carries(found: Response, hanging: Iterable[int]) -> float:
    """Return how far a control takes along what hangs on its bone: turned or moved, some of it at least."""
    taken = [max(found.turns_with[row], found.shifts[row]) for row in hanging]
    return _LEFT + (1.0 - _LEFT) * max(taken) if taken else 1.0


def _others(figure: Figure, chain: Iterable[int]) -> np.ndarray:
    """Return `(r,)` which roles are not in a limb."""
    found = np.ones(len(figure.roles), dtype=bool)
    found[list(chain)] = False
    return found


def _most(values: np.ndarray, rows: np.ndarray) -> float:
    return float(values[rows].max(initial=0.0))
