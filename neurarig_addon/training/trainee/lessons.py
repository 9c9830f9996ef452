"""The lessons: features of walkers, and the coefficients of the rule's curves that the network should return."""

from dataclasses import dataclass

import numpy as np

from ...core.errors import NeuraRigError
from ...core.learned.view_features import view_features
from ...core.learned.walk_curves import Group
from .rules import Rule

_ROWS_AT_ONCE = 50_000
_WALKERS_FOR_RANGE = 200_000
_MARGIN = 0.02  # share of a range added at its ends


@dataclass(frozen=True)
class Lessons:
    """`features` `(2, walkers, features)`, left and right; `wanted`, one per group: `(walkers, pieces x functions x columns)`.

    `low`, `high` `(features,)`: the range of the features over many more walkers than are taught, with a margin.

    The curves' functions are orthonormal, so a squared error of coefficients is the mean squared error of an output over a piece.
    """

    features: np.ndarray
    wanted: tuple[np.ndarray, ...]
    low: np.ndarray
    high: np.ndarray


def make_lessons(rule: Rule, walkers: int, seed: int) -> Lessons:
    """Return the lessons of random walkers; the same seed gives the same ones."""
    rng = np.random.default_rng(seed)
    rows = rule.draw(walkers, rng)
    wanted = tuple(_coefficients(rule, group, rows) for group in rule.curves.groups)
    many = view_features(rule.curves, rule.draw(_WALKERS_FOR_RANGE, rng))
    low, high = many.min(axis=(0, 1)), many.max(axis=(0, 1))
    margin = _MARGIN * (high - low)
    return Lessons(view_features(rule.curves, rows), wanted, low - margin, high + margin)


def _coefficients(rule: Rule, group: Group, walkers: np.ndarray) -> np.ndarray:
    """Return the coefficients `(walkers, pieces x functions x columns)` of one group, by quadrature over each piece."""
    places, columns = rule.curves.places, list(group.columns)
    phases, weights = group.pieces.nodes()
    functions = group.pieces.at(phases.ravel())[1].reshape(*phases.shape, -1)
    found = []
    for rows in np.array_split(walkers, max(1, len(walkers) * phases.size // _ROWS_AT_ONCE)):
        many = np.repeat(rows, phases.size, axis=0)
        offset = many[:, places.offsets[group.side]]
        period = rule.curves.clock.periods(many)[group.side]
        many[:, places.time] = np.mod(np.tile(phases.ravel(), len(rows)) - offset, 1.0) * period
        values = rule.evaluate(many)[:, columns].reshape(len(rows), *phases.shape, len(columns))
        if not np.isfinite(values).all():
            raise NeuraRigError(f"'{rule.name}' gives numbers that are not finite for some walkers; check its divisions and roots.")
        found.append(np.einsum("wpnc,pnf,n->wpfc", values, functions, weights).reshape(len(rows), -1))
    return np.concatenate(found)
