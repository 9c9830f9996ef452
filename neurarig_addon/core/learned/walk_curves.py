"""Outputs of a walk as curves over the phase: a clock gives the phase of a row, pieces the basis functions of the curve there."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .gated import Pieces
from .stream_inputs import SLOWEST, StreamInputs


class Clock(Protocol):
    """The stride period for any inputs."""

    @property
    def places(self) -> StreamInputs: ...

    def periods(self, inputs: np.ndarray) -> np.ndarray:
        """Return the stride periods `(2, n)` in seconds of the left and the right leg, for inputs `(n, inputs)`."""
        ...


@dataclass(frozen=True)
class StrideClock:
    """A period that is a product of powers: seconds x velocity^speed_power x leg^leg_power x others^other_powers.

    Holds for every profile in NeuraRig's style (stride = k sqrt(velocity leg), so powers -1/2 and 1/2) and for the human gait.
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
    """A period that only the rule itself gives; `period_of` returns the right leg's seconds `(n,)` for inputs `(n, inputs)`."""

    places: StreamInputs
    period_of: Callable[[np.ndarray], np.ndarray]

    def periods(self, inputs: np.ndarray) -> np.ndarray:
        """See Clock; the left leg's period is that of a walker with left and right exchanged."""
        return np.stack([self.period_of(self.places.exchanged(inputs)), self.period_of(inputs)])


def phases(clock: Clock, inputs: np.ndarray) -> np.ndarray:
    """Return the phases `(2, n)` in [0, 1), left and right, of inputs `(n, inputs)`: time over period, plus the offset."""
    return np.mod(inputs[:, clock.places.time] / clock.periods(inputs) + inputs.T[list(clock.places.offsets)], 1.0)


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
    clock: Clock
    outputs: int
    groups: tuple[Group, ...]
    bends: tuple[Bend, ...] = ()

    def phases(self, inputs: np.ndarray) -> np.ndarray:
        """Return the phases `(2, n)`, left and right, of inputs `(n, inputs)`."""
        return phases(self.clock, inputs)

    @classmethod
    def plain(cls, clock: StrideClock, outputs: int = 30) -> "WalkCurves":
        """Return the curves of an undescribed rule in NeuraRig's style: stance and swing of half a cycle each.

        Blocks of six: right foot, left foot, right ball, left ball, and parts without a side, which follow the right phase.
        """
        left = tuple(column for column in range(outputs) if column // 6 in (1, 3))
        right = tuple(column for column in range(outputs) if column not in left)
        halves = Pieces((0.0, 0.5))
        return cls(clock.places, clock, outputs, (Group(0, halves, left), Group(1, halves, right)))
