"""Outputs of a walk as curves over the phase: a clock gives the phase of a row, pieces the basis functions of
the curve there.

Pieces lie between the phases at which the rule changes its formulas. A rule with a stance and a swing has
kinks where they meet, and the
fit of a smooth function stalls there at an error of about a hundredth. So each piece has basis functions of
its own: polynomials of the
phase within it, orthonormal over it.  A rule without kinks has the harmonics of the cycle.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.polynomial import legendre

from .stream_inputs import SLOWEST, StreamInputs

# Harmonics of a cycle without kinks. The curves of the human gait have eight, and the sines of its angles a
# few more.
HARMONICS = 12
# Degree of the polynomials on a piece. At 12 the error for half a sine is 1e-11 of its height, for a whole
# one 1e-7.
DEGREE = 12
_NODES = 24  # quadrature nodes per piece: exact for products of the polynomials
_LONGEST = 0.75  # share of the cycle above which a piece is halved, as its curves may bend twice as often
_ON_AN_EDGE = 1e-9  # cycles from an edge within which rounding decides which formula holds


def _monomials_to_legendre() -> np.ndarray:
    """Return the matrix `(DEGREE + 1, DEGREE + 1)` from the powers of 2 u - 1 to orthonormal polynomials."""
    columns = [legendre.leg2poly(np.eye(DEGREE + 1)[k]) * np.sqrt(2 * k + 1) for k in range(DEGREE + 1)]
    return np.stack([np.pad(column, (0, DEGREE + 1 - len(column))) for column in columns], axis=1)


TO_LEGENDRE = _monomials_to_legendre()


@dataclass(frozen=True)
class Pieces:
    """The pieces of a cycle, from each edge to the next; `edges` are rising phases in [0, 1), none for a
    smooth cycle."""

    edges: tuple[float, ...] = ()

    @classmethod
    def between(cls, kinks: tuple[float, ...]) -> "Pieces":
        """Return the pieces between kinks, the long ones halved."""
        starts = sorted(kinks)
        edges = []
        for start, end in zip(starts, [*starts[1:], starts[0] + 1.0] if starts else [], strict=True):
            halves = 2 if end - start > _LONGEST else 1
            edges += [(start + (end - start) * n / halves) % 1.0 for n in range(halves)]
        return cls(tuple(sorted(edges)))

    @property
    def count(self) -> int:
        """The number of pieces."""
        return max(1, len(self.edges))

    @property
    def functions(self) -> int:
        """The number of basis functions per piece."""
        return DEGREE + 1 if self.edges else 2 * HARMONICS + 1

    @cached_property
    def ends(self) -> np.ndarray:
        """The phases where each piece begins, and the first one again a cycle later `(pieces + 1,)`."""
        return np.array([*self.edges, self.edges[0] + 1.0]) if self.edges else np.array([0.0, 1.0])

    def at(self, phases: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the active piece `(n,)` at phases `(n,)` and the values `(n, functions)` of its basis
        functions there."""
        if not self.edges:
            return np.zeros(len(phases), dtype=int), _harmonics(phases)
        ends = self.ends
        piece, place = self._place(phases)
        inside = 2.0 * (place - ends[piece]) / (ends[piece + 1] - ends[piece]) - 1.0
        powers = np.empty((len(phases), DEGREE + 1))
        powers[:, 0], powers[:, 1:] = 1.0, inside[:, None]
        return piece, np.multiply.accumulate(powers, axis=1) @ TO_LEGENDRE

    def on_an_edge(self, phase: float) -> bool:
        """Return whether rounding decides which piece is active at a phase."""
        return any(abs((phase - edge + 0.5) % 1.0 - 0.5) < _ON_AN_EDGE for edge in self.edges)

    def nodes(self) -> tuple[np.ndarray, np.ndarray]:
        """Return phases `(pieces, nodes)` and weights `(nodes,)` such that weighted sums are means over a
        piece."""
        if not self.edges:
            count = 4 * HARMONICS
            return (np.arange(count) / count)[None], np.full(count, 1.0 / count)
        places, weights = legendre.leggauss(_NODES)
        start, end = self.ends[:-1, None], self.ends[1:, None]
        return (start + (end - start) * 0.5 * (places + 1.0)) % 1.0, 0.5 * weights

    def _place(self, phases: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the piece `(n,)` and the phase `(n,)`, unwrapped from the first edge on."""
        first = self.edges[0]
        place = first + np.mod(phases - first, 1.0)
        # Rounding may move the last phase to the end.
        return np.minimum(self.ends.searchsorted(place, side="right") - 1, len(self.edges) - 1), place


def _harmonics(phases: np.ndarray) -> np.ndarray:
    """Return 1 and the orthonormal cosines and sines of the cycle `(n, 2 HARMONICS + 1)` at phases `(n,)`."""
    turns = 2.0 * np.pi * phases[:, None] * np.arange(1, HARMONICS + 1)
    return np.concatenate(
        [np.ones((len(phases), 1)), np.sqrt(2.0) * np.cos(turns), np.sqrt(2.0) * np.sin(turns)], axis=1
    )


class PeriodClock(Protocol):
    """The stride period for any inputs."""

    @property
    def places(self) -> StreamInputs: ...

    def periods(self, inputs: np.ndarray) -> np.ndarray:
        """Return the stride periods `(2, n)` in seconds of the left and the right leg, for inputs `(n,
        inputs)`."""
        ...


@dataclass(frozen=True)
class StrideClock:
    """A period that is a product of powers: seconds x velocity^speed_power x leg^leg_power x
    others^other_powers.

    Holds for every profile in NeuraRig's style (stride = k sqrt(velocity leg), so powers -1/2 and 1/2) and
    for the human gait.
    """

    places: StreamInputs
    seconds: float
    speed_power: float
    leg_power: float
    other_powers: tuple[float, ...] = ()

    def periods(self, inputs: np.ndarray) -> np.ndarray:
        """See Clock."""
        rate = self.places.speeds(inputs) ** self.speed_power
        for column, power in zip(self.places.others, self.other_powers, strict=True):
            rate = rate * np.maximum(np.abs(inputs[:, column]), SLOWEST) ** power
        return self.seconds * rate * np.maximum(self.places.legs(inputs), SLOWEST) ** self.leg_power


@dataclass(frozen=True)
class RuleClock:
    """A period that only the rule itself gives; `period_of` returns the right leg's seconds `(n,)` for inputs
    `(n, inputs)`."""

    places: StreamInputs
    period_of: Callable[[np.ndarray], np.ndarray]

    def periods(self, inputs: np.ndarray) -> np.ndarray:
        """See Clock; the left leg's period is that of a walker with left and right exchanged."""
        return np.stack([self.period_of(self.places.exchanged(inputs)), self.period_of(inputs)])


def phases(clock: PeriodClock, inputs: np.ndarray) -> np.ndarray:
    """Return the phases `(2, n)` in [0, 1), left and right, of inputs `(n, inputs)`: time over period, plus
    the offset."""
    return np.mod(
        inputs[:, clock.places.time] / clock.periods(inputs) + inputs.T[list(clock.places.offsets)], 1.0
    )


@dataclass(frozen=True)
class Group:
    """Outputs that follow the phase of one side (0 left, 1 right) and share their pieces."""

    side: int
    pieces: Pieces
    columns: tuple[int, ...]


@dataclass(frozen=True)
class Bend:
    """A speed at which a rule changes its law, such as min(speed, 2): `speed` x leg^leg_power, in m/s."""

    speed: float
    leg_power: float

    def shares(self, speeds: np.ndarray, legs: np.ndarray) -> np.ndarray:
        """Return speeds relative to the bend's, of the same shape, for speeds in m/s and legs in metres."""
        return speeds / (self.speed * legs**self.leg_power)


@dataclass(frozen=True)
class WalkCurves:
    """The curves of a walk's outputs; the groups divide the columns of all `outputs` among them."""

    places: StreamInputs
    clock: PeriodClock
    outputs: int
    groups: tuple[Group, ...]
    bends: tuple[Bend, ...] = ()

    def phases(self, inputs: np.ndarray) -> np.ndarray:
        """Return the phases `(2, n)`, left and right, of inputs `(n, inputs)`."""
        return phases(self.clock, inputs)

    @classmethod
    def plain(cls, clock: StrideClock, outputs: int = 30) -> "WalkCurves":
        """Return the curves of an undescribed rule in NeuraRig's style: stance and swing of half a cycle
        each.

        Blocks of six: right foot, left foot, right ball, left ball, and parts without a side, which follow
        the right phase.
        """
        left = tuple(column for column in range(outputs) if column // 6 in (1, 3))
        right = tuple(column for column in range(outputs) if column not in left)
        halves = Pieces((0.0, 0.5))
        return cls(clock.places, clock, outputs, (Group(0, halves, left), Group(1, halves, right)))
