"""Pairs of limbs that mirror each other in a vertical plane."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from ..geometry.rotation import ON_GROUND, dot, norms
from .evidence import Evidence, weighed
from .figure import Figure
from .limbs import Limbs, distinct

_MAX_ASYMMETRY = 0.2  # greatest mirror error, share of the limb's length
# share of the greatest distance between two limbs: first joints that cross by less may be on the middle plane
_TOUCHING = 0.02
_HIPS_TELL = 0.1  # limb lengths between the first joints from which they give the direction across
_AT_ONCE = 32  # limbs in a block
_MAX_CANDIDATES = 500  # the best single limbs are paired; keeps the table of pairs small


@dataclass(frozen=True)
class LimbPair:
    """Two mirrored limbs.  `rows` `(2, 3)`: their bones, first to end; `points` `(2, 3, 3)`: their joints.

    `across` `(3,)`: horizontal unit vector from the second limb to the first.  `merit`: log odds of the pair.
    """

    rows: np.ndarray
    points: np.ndarray
    across: np.ndarray
    merit: float

    @property
    def length(self) -> float:
        """Total length of both segments in metres, the mean of both sides."""
        return float(np.linalg.norm(np.diff(self.points, axis=1), axis=2).sum(axis=1).mean())

    @property
    def apart(self) -> float:
        """Distance between the first joints in metres."""
        return float(norms(self.points[0, 0] - self.points[1, 0]))

    @property
    def middle(self) -> np.ndarray:
        """The midpoint of the first joints `(3,)`."""
        return self.points[:, 0].mean(axis=0)

    def hub(self, figure: Figure) -> int:
        """Return the nearest bone above both, which may be one of them, or -1."""
        return figure.common_ancestor(*self.rows[:, 0].tolist())

    def swapped(self) -> "LimbPair":
        """Return the same pair with the second limb first."""
        return LimbPair(self.rows[::-1], self.points[::-1], -self.across, self.merit)


@dataclass(frozen=True)
class Pairs:
    """Many pairs at once: `one`, `other` `(n,)` rows of candidates, `middle` `(n, 3, 3)` midpoints of their
    joints, `length` `(n,)`.

    `across` `(n, 3)` as in LimbPair; `apart` `(n,)` distance between the first joints along it; `hub` `(n,)`
    the bone that carries both.
    """

    one: np.ndarray
    other: np.ndarray
    middle: np.ndarray
    length: np.ndarray
    across: np.ndarray
    apart: np.ndarray
    hub: np.ndarray

    def only(self, wanted: np.ndarray) -> "Pairs":
        """Return some of the pairs."""
        return Pairs(*(getattr(self, field.name)[wanted] for field in fields(self)))

    def greatest(self, measure: np.ndarray) -> np.ndarray:
        """Return for each pair `(n,)` the greatest `measure` among the pairs on the same hub."""
        found = np.empty_like(measure)
        for row in np.unique(self.hub):
            found[self.hub == row] = measure[self.hub == row].max()
        return found


@dataclass(frozen=True)
class Candidates:
    """Pairs of limbs: `limbs`, the `pairs` of them, the evidence on each pair `as_pair`, and the resulting
    `merit` `(n,)`, log odds.

    `alone` `(limbs,)`: the merit of each limb by itself.  `counterparts` `(bones,)` as in Figure.
    """

    limbs: Limbs
    pairs: Pairs
    as_pair: Evidence
    merit: np.ndarray
    alone: np.ndarray
    counterparts: np.ndarray

    @cached_property
    def seen(self) -> Evidence:
        """All evidence on each pair: on its limbs, added up, and on the pair."""
        pairs = self.pairs
        return {
            name: values[pairs.one] + values[pairs.other] for name, values in self.limbs.seen.items()
        } | self.as_pair

    def best(self) -> LimbPair:
        """Return the best pair; of limbs that the names do not call each other's counterparts, the better one
        with its own."""
        best = self.pair(int(np.argmax(self.merit)))
        options = [(limb, self._counterpart(best.rows[limb])) for limb in range(2)]
        options = [
            (limb, other)
            for limb, other in options
            if other >= 0 and (self.limbs.rows[other] != best.rows[1 - limb]).any()
        ]
        if not options:
            return best
        limb, other = max(
            options, key=lambda option: self.alone[option[1]] + self.alone[self._row(best.rows[option[0]])]
        )
        rows, points = best.rows.copy(), best.points.copy()
        rows[1 - limb], points[1 - limb] = self.limbs.rows[other], self.limbs.points[other]
        return LimbPair(rows, points, best.across, best.merit)

    def _row(self, bones: np.ndarray) -> int:
        """Return which limb has these bones `(3,)`, -1 if none has."""
        rows = np.flatnonzero((self.limbs.rows == bones).all(axis=1))
        return int(rows[0]) if len(rows) else -1

    def _counterpart(self, bones: np.ndarray) -> int:
        """Return the limb of the counterparts of a limb's bones `(3,)`, -1 if there is none."""
        other = np.where(bones >= 0, self.counterparts[bones], -1)
        return -1 if ((bones >= 0) & (other < 0)).any() else self._row(other)

    def pair(self, k: int) -> LimbPair:
        """Return one pair."""
        rows = [self.pairs.one[k], self.pairs.other[k]]
        return LimbPair(
            self.limbs.rows[rows], self.limbs.points[rows], self.pairs.across[k], float(self.merit[k])
        )


def mirrored_pairs(
    figure: Figure, limbs: Limbs, question: str, look: Callable[[Pairs], tuple[Evidence, np.ndarray]]
) -> Candidates | None:
    """Return the mirrored pairs among limbs, weighed by this `question` of data/detection.json; None if there
    are none.

    `look` returns the evidence on pairs of this kind, and which are possible at all.
    """
    merit = weighed(question, limbs.seen)
    best = distinct(limbs, merit, figure, _MAX_CANDIDATES)
    limbs, merit = limbs.only(best), merit[best]
    if len(limbs.rows) < 2:
        return None
    one, other, error, across = (
        np.concatenate(parts) for parts in zip(*_mirrored(figure, limbs), strict=True)
    )
    if not len(one):
        return None
    pairs = _pairs(figure, limbs, one, other, across)
    unlike = error / pairs.length
    seen, possible = look(pairs)
    if not possible.any():
        return None
    seen = {name: values[possible] for name, values in (seen | {"unlike": unlike}).items()}
    pairs = pairs.only(possible)
    return Candidates(
        limbs,
        pairs,
        seen,
        merit[pairs.one] + merit[pairs.other] + weighed(question, seen),
        merit,
        figure.counterparts,
    )


def _mirrored(figure: Figure, limbs: Limbs) -> Iterator[tuple[np.ndarray, ...]]:
    """Yield the pairs `one`, `other` that mirror each other, their errors and planes' normals, in blocks that
    stay in the cache."""
    lengths, heights = limbs.length, limbs.points[:, :, 2].T.copy()
    for start in range(0, len(lengths), _AT_ONCE):
        one, other = np.triu_indices(min(_AT_ONCE, len(lengths) - start), start + 1, len(lengths))
        one = one + start
        length = (lengths[one] + lengths[other]) / 2.0
        alike = np.abs(lengths[one] - lengths[other]) < 2.0 * _MAX_ASYMMETRY * length
        # cheap filters first: layered rigs give a hundred thousand pairs
        one, other, length = one[alike], other[alike], length[alike]
        steps = sum((height[one] - height[other]) ** 2 for height in heights)
        level = steps < 3.0 * (_MAX_ASYMMETRY * length) ** 2  # the error in height alone
        one, other, length = one[level], other[level], length[level]
        error, across = mirror_error(limbs.points[one], limbs.points[other])
        possible = np.flatnonzero(error < _MAX_ASYMMETRY * length)
        possible = possible[_side_by_side(figure, limbs.rows[one[possible]], limbs.rows[other[possible]])]
        yield one[possible], other[possible], error[possible], across[possible]


def _pairs(figure: Figure, limbs: Limbs, one: np.ndarray, other: np.ndarray, across: np.ndarray) -> Pairs:
    length = (limbs.length[one] + limbs.length[other]) / 2.0
    across = _across(limbs.points[one, 0] - limbs.points[other, 0], across, length)
    middle = (limbs.points[one] + limbs.points[other]) / 2.0
    apart = dot(limbs.points[one, 0] - limbs.points[other, 0], across)
    return Pairs(
        one, other, middle, length, across, apart, _hubs(figure, limbs.rows[one, 0], limbs.rows[other, 0])
    )


def mirror_error(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the errors of limbs `(n, 3, 3)` as each other's mirror image in a vertical plane, and the
    plane's normals.

    The error `(n,)` is a length, infinite if the limbs cross; the normal `(n, 3)` is horizontal, from the
    second limb to the first.
    """
    # by axis, joint and pair: long rows are quick
    apart, both = (np.ascontiguousarray((first + sign * second).T) for sign in (-1.0, 1.0))
    x, y = apart[0].sum(axis=0), apart[1].sum(axis=0)
    far = np.maximum(np.hypot(x, y), 1e-12)
    x, y = x / far, y / far
    across, aside = apart[0] * x + apart[1] * y, apart[1] * x - apart[0] * y
    wander = (both[0] * x + both[1] * y) / 2.0
    wander -= wander.sum(axis=0) / 3.0
    error = np.sqrt((aside**2 + apart[2] ** 2 + wander**2).sum(axis=0) / 3.0)
    crossed = (across[0] < -_TOUCHING * np.abs(across).max(axis=0)) | (across[1:].min(axis=0) <= 0.0)
    return np.where(crossed, np.inf, error), np.stack([x, y, np.zeros_like(x)], axis=1)


def _across(first: np.ndarray, normal: np.ndarray, length: np.ndarray) -> np.ndarray:
    """Return the horizontal unit vectors `(n, 3)` between first joints; the mirror plane's normal if these
    nearly meet.

    Hips and shoulders give the direction across even if one foot is ahead of the other.
    """
    flat = first * ON_GROUND
    far = norms(flat)[:, None]
    return np.where(far > _HIPS_TELL * length[:, None], flat / np.maximum(far, 1e-12), normal)


def _hubs(figure: Figure, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the nearest bones above both of two limbs `(n,)`, -1 for none."""
    parents = figure.skeleton.parents
    one, other = one.copy(), other.copy()
    apart = np.flatnonzero(one != other)
    # parents come before children: of two bones the later one is not above the other, so it moves up
    while len(apart):
        later = one[apart] > other[apart]
        one[apart] = np.where(later, parents[one[apart]], one[apart])
        other[apart] = np.where(later, other[apart], parents[other[apart]])
        apart = apart[one[apart] != other[apart]]
    return one


def _side_by_side(figure: Figure, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return whether neither limb of each pair `(n,)` hangs on the other."""
    tops, others = first[:, :1], second[:, :1]
    ends, other_ends = np.where(first < 0, tops, first), np.where(second < 0, others, second)
    over = figure.is_above
    hangs = over[tops, other_ends] | (tops == other_ends) | over[others, ends] | (others == ends)
    return np.logical_not(hangs.any(axis=1))
