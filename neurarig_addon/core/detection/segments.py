"""Which joints of an animal's leg are which: by their heights, and by how the leg bends there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise

import numpy as np

from ..geometry.rotation import UP, dot, norms

# Part -> the usual least and greatest height above the ground in hips' heights, and the way in which the leg
# bends there: +1 if what follows turns forwards, seen from the side.
Joint = tuple[float, float, float]
HIND: Mapping[str, Joint] = {
    "thigh": (0.85, 1.05, 0.0),
    "shin": (0.57, 0.76, -1.0),
    "foot": (0.25, 0.47, 1.0),
    "toe": (0.0, 0.15, 1.0),
}
FORE: Mapping[str, Joint] = {
    "clavicle": (0.95, 1.25, 0.0),
    "upper_arm": (0.75, 0.95, -1.0),
    "forearm": (0.5, 0.7, 1.0),
    "hand": (0.14, 0.42, 0.0),
    "fingers": (0.0, 0.15, 1.0),
}
BIRD_LEG: Mapping[str, Joint] = {
    "thigh": (0.8, 1.05, 0.0),
    "shin": (0.45, 0.95, -0.5),
    "foot": (0.08, 0.6, 1.0),
    "toe": (0.0, 0.12, 0.5),
}
_NEEDED = {"thigh", "shin", "foot", "upper_arm", "forearm", "hand"}
_BEND = np.radians(12.0)  # a bend that is twice as far the wrong way costs no more
_BENT, _LINK, _AFTER, _NO_DIGITS, _CUT = 1.0, 1.0, 25.0, 1.5, 1.0  # costs, see `_Leg.cost`
# costs of joints that are passed over: any, each, off the even division of a bone into pieces, off the line
_ANY, _PASSED, _UNEVEN, _OFF = 0.6, 0.15, 4.0, 40.0
_LINKS = 3  # most bones between the trunk and a leg
_DIGITS = 0.2  # hips' heights: digits are lower
_ODD = 0.12  # hips' heights off the usual that are odd
_ODDEST = 3.0  # most that the height of one joint costs
_STRAIGHT, _EQUAL = 0.998, 0.03  # of pieces of one bone: least cosine, usual log of the ratio of lengths
_SHORT = 0.04  # hips' heights: a step that is shorter, seen from the side, has no direction


@dataclass(frozen=True)
class Reading:
    """Parts of a leg: part -> number of the joint of the chain at which it begins; `cost`: how unusual it is,
    natural log."""

    parts: Mapping[str, int]
    cost: float


def read_leg(
    joints: np.ndarray, count: int, forward: np.ndarray, hips: float, kind: Mapping[str, Joint]
) -> Reading | None:
    """Return the most usual reading of the joints `(n, 3)` of a leg from the top down, of which the first
    `count` begin bones; None with too few.

    `forward` `(3,)`: where the figure faces; heights are above the ground, `hips` that of the hips.
    """
    leg = _Leg(joints, np.stack([joints @ forward, joints @ UP], axis=1) / hips)
    found = []
    for parts in _choices(kind):
        no_digits = _NO_DIGITS if list(kind)[-1] not in parts else 0.0
        for rows in combinations(range(count), len(parts)):
            if rows[0] <= _LINKS:
                cost = leg.cost(rows, [kind[part] for part in parts])
                cost += no_digits * (1.0 - leg.cuts[rows[-1] + 1]) if rows[-1] < count - 1 else 0.0
                found.append(Reading(dict(zip(parts, rows, strict=True)), cost))
    best = min(found, key=lambda reading: reading.cost, default=None)
    return best if best is None else leg.without_stub(best, count)


def _choices(kind: Mapping[str, Joint]) -> list[list[str]]:
    """Return the parts that a leg may have: those that it needs, with or without the others."""
    extra = [part for part in kind if part not in _NEEDED]
    left_out = [gone for count in range(len(extra) + 1) for gone in combinations(extra, count)]
    return [[part for part in kind if part not in gone] for gone in left_out]


@dataclass(frozen=True)
class _Leg:
    """The `joints` `(n, 3)` of a leg, and seen from the side in hips' heights `flat` `(n, 2)`."""

    joints: np.ndarray
    flat: np.ndarray

    def cost(self, rows: Sequence[int], usual: Sequence[Joint]) -> float:
        """Return what speaks against the joints `rows` being those of `usual`."""
        cost = _LINK * rows[0] + _CUT * float(self.cuts[list(rows[1:])].sum())
        cost += sum(self._passed_over[pair] for pair in pairwise(rows))
        cost += _ANY * (rows[-1] - rows[0] >= len(rows))  # rigs cut most of the long bones, or none
        cost += _AFTER * float(np.maximum(self.flat[rows[-1] + 1 :, 1] - _DIGITS, 0.0).sum())
        turns = self._turns(rows)
        for row, turn, (least, greatest, sense) in zip(rows, turns, usual, strict=True):
            off = max(least - self.flat[row, 1], self.flat[row, 1] - greatest, 0.0) / _ODD
            cost += min(off**2, _ODDEST) - _BENT * min(max(sense * turn / _BEND, -2.0), 1.0)
        return float(cost)

    def without_stub(self, reading: Reading, count: int) -> Reading:
        """Return a reading in which no upper arm hardly shows from the side, as a bone that only leads
        aside: such a one of a fore leg is its shoulder blade, and what follows comes one bone later, if
        there is one."""
        rows = list(reading.parts.values())
        first = next(iter(reading.parts))
        if first != "upper_arm" or self._steps[rows[0], rows[1]][1] >= _SHORT or rows[-1] + 1 >= count:
            return reading
        moved = {"clavicle": rows[0]} | dict(zip(reading.parts, [*rows[1:], rows[-1] + 1], strict=True))
        return Reading(moved, reading.cost)

    def _turns(self, rows: Sequence[int]) -> list[float]:
        """Return by how much the leg turns forwards at each of some joints, in radians."""
        below = range(rows[-1] + 1, len(self.flat))
        far = [row for row in below if self._steps[rows[-1], row][1] > _SHORT]
        steps = [self._steps[pair] for pair in pairwise([*rows, *far[:1]])]
        turns = [
            (after - before + np.pi) % (2.0 * np.pi) - np.pi if min(short, shorter) > _SHORT else 0.0
            for (before, short), (after, shorter) in pairwise(steps)
        ]
        return [0.0, *turns, 0.0][: len(rows)]

    @cached_property
    def _steps(self) -> dict[tuple[int, int], tuple[float, float]]:
        """The direction from each joint to those below it, in radians ahead of down, and the length."""
        ways = self.flat[None] - self.flat[:, None]
        angles, far = np.arctan2(ways[..., 0], -ways[..., 1]), norms(ways)
        return {pair: (float(angles[pair]), float(far[pair])) for pair in self._pairs}

    @property
    def _pairs(self) -> Iterator[tuple[int, int]]:
        return combinations(range(len(self.joints)), 2)

    @cached_property
    def cuts(self) -> np.ndarray:
        """How much joints `(n,)` look as if they only cut a straight bone into equal pieces, from 0 to 1."""
        steps = np.diff(self.joints, axis=0)
        long = np.maximum(norms(steps), 1e-9)
        straight = dot(steps[1:], steps[:-1]) > _STRAIGHT * long[1:] * long[:-1]
        equal = np.exp(-((np.log(long[1:] / long[:-1]) / _EQUAL) ** 2))
        return np.concatenate([[0.0], straight * equal, [0.0]])

    @cached_property
    def _passed_over(self) -> dict[tuple[int, int], float]:
        """What speaks against the joints between two being those of one straight bone in pieces."""
        found = {}
        for one, other in self._pairs:
            line, *away = self.joints[[other, *range(one + 1, other)]] - self.joints[one]
            away = np.reshape(away, (-1, 3))
            share = dot(away, line) / max(float(line @ line), 1e-12)
            off = norms(away - share[:, None] * line) / max(float(norms(line)), 1e-9)
            uneven = np.abs(share - np.arange(1, other - one) / (other - one))
            cost = (_UNEVEN * uneven + _OFF * np.minimum(off, 1.0) ** 2).sum()
            found[one, other] = _PASSED * len(away) ** 2 + float(cost)
        return found
