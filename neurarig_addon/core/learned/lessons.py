"""What a rule's network learns from: features of walkers, and the coefficients of the rule's curves that it
should return."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..errors import NeuraRigError
from ..logic.profile import Profile
from .discovery import curves_of, walkers
from .view_features import view_features
from .walk_curves import Group, WalkCurves


@dataclass(frozen=True)
class TaughtRule:
    """A teacher.

    `draw(count, rng)` returns inputs `(count, inputs)` of walkers over the range to learn; `evaluate` their
    outputs `(n, outputs)`.
    """

    name: str
    version: str
    curves: WalkCurves
    draw: Callable[[int, np.random.Generator], np.ndarray]
    evaluate: Callable[[np.ndarray], np.ndarray]


def profile_rule(profile: Profile) -> TaughtRule:
    """Return a logic profile as a teacher, over the documented ranges of its inputs."""
    curves = curves_of(profile)

    def draw(count: int, rng: np.random.Generator) -> np.ndarray:
        return walkers(curves.places, count, rng)

    return TaughtRule(profile.name, str(profile.version), curves, draw, profile.evaluate)


_ROWS_AT_ONCE = 5_000  # so few that Esc is soon heard, whatever the rule
_WALKERS_FOR_RANGE = 200_000
_MARGIN = 0.02  # share of a range added at its ends
_SMALLEST_SCALE = 1e-6
# Share of the mean square of a group's coefficients that the dropped directions may hold: 1e-6 of its size.
_DROPPED = 1e-12
_MOST_DIRECTIONS = 96


@dataclass(frozen=True)
class Lessons:
    """`features` `(2, walkers, features)`, left and right; `wanted`, one per group: `(walkers, pieces x
    functions x columns)`.

    `low`, `high` `(features,)`: the range of the features over many more walkers than are taught, with a
    margin.

    The curves' functions are orthonormal, so a squared error of coefficients is the mean squared error of an
    output over a piece.
    """

    features: np.ndarray
    wanted: tuple[np.ndarray, ...]
    low: np.ndarray
    high: np.ndarray

    @cached_property
    def mean(self) -> np.ndarray:
        """The mean `(features,)` of the features."""
        return self.features.mean(axis=(0, 1))

    @cached_property
    def scale(self) -> np.ndarray:
        """The spread `(features,)` of the features, 1 where they do not vary."""
        spread = self.features.std(axis=(0, 1))
        return np.where(spread < _SMALLEST_SCALE, 1.0, spread)

    @cached_property
    def directions(self) -> list[np.ndarray]:
        """Principal curves of every group: orthonormal directions `(directions, coefficients)` in which its
        coefficients vary."""
        return [_principal(wanted) for wanted in self.wanted]


def make_lessons(rule: TaughtRule, walkers: int, seed: int) -> Lessons:
    """Return the lessons of random walkers; the same seed gives the same ones."""
    steps = lesson_steps(rule, walkers, seed)
    while True:
        try:
            next(steps)
        except StopIteration as finished:
            return finished.value


def lesson_steps(
    rule: TaughtRule, walkers: int, seed: int, begins: float = 0.0, ends: float = 1.0
) -> Generator[float, None, Lessons]:
    """Make lessons step by step: yield the share of the work done, from `begins` to `ends`, and return
    them."""
    rng = np.random.default_rng(seed)
    rows = rule.draw(walkers, rng)
    parts = [
        (group, some)
        for group in rule.curves.groups
        for some in np.array_split(rows, max(1, len(rows) * group.pieces.nodes()[0].size // _ROWS_AT_ONCE))
    ]
    found: dict[Group, list[np.ndarray]] = {group: [] for group in rule.curves.groups}
    for number, (group, some) in enumerate(parts):
        yield begins + (ends - begins) * number / len(parts)
        found[group].append(_coefficients(rule, group, some))
    wanted = tuple(np.concatenate(coefficients) for coefficients in found.values())
    many = view_features(rule.curves, rule.draw(_WALKERS_FOR_RANGE, rng))
    low, high = many.min(axis=(0, 1)), many.max(axis=(0, 1))
    margin = _MARGIN * (high - low)
    return Lessons(view_features(rule.curves, rows), wanted, low - margin, high + margin)


def _coefficients(rule: TaughtRule, group: Group, walkers: np.ndarray) -> np.ndarray:
    """Return the coefficients `(walkers, pieces x functions x columns)` of one group, by quadrature over each
    piece."""
    places, columns = rule.curves.places, list(group.columns)
    phases, weights = group.pieces.nodes()
    functions = group.pieces.at(phases.ravel())[1].reshape(*phases.shape, -1)
    many = np.repeat(walkers, phases.size, axis=0)
    offset = many[:, places.offsets[group.side]]
    period = rule.curves.clock.periods(many)[group.side]
    many[:, places.time] = np.mod(np.tile(phases.ravel(), len(walkers)) - offset, 1.0) * period
    values = rule.evaluate(many)[:, columns].reshape(len(walkers), *phases.shape, len(columns))
    if not np.isfinite(values).all():
        raise NeuraRigError(
            f"'{rule.name}' gives numbers that are not finite for some walkers; check its divisions and"
            " roots."
        )
    return np.einsum("wpnc,pnf,n->wpfc", values, functions, weights).reshape(len(walkers), -1)


def _principal(wanted: np.ndarray) -> np.ndarray:
    _, sizes, directions = np.linalg.svd(wanted, full_matrices=False)
    missing = np.cumsum(sizes[::-1] ** 2)[::-1]
    return directions[
        : min(max(1, int(np.sum(missing > _DROPPED * max(missing[0], 1e-30)))), _MOST_DIRECTIONS)
    ]
