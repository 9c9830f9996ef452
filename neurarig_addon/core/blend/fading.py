"""Offsets that fade: how far one motion is from another when it is left, and how that dies away smoothly.

The quintic that starts with the offset and its rate, without a kick, and ends at rest at nothing (Bollo, *Inertialization*, GDC 2018).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..easing import smootherstep
from ..geometry.rotation import dot, from_axis_angle, from_rotation_vector, normalized, norms, rotation_vector, transposed
from .poses import Poses

_STRAIGHT_HOME = 3.0  # offsets in the time of a blend: the fastest rate with which one fades without overshoot
_INSTANT_S = 1e-4  # seconds over which the rate of a rotation's offset is measured


def faded(share: np.ndarray, offset: np.ndarray, rate: np.ndarray, seconds: float) -> np.ndarray:
    """Return what is left `(f, ...)` of offsets `(...)` with rates `(...)` a second, at shares `(f,)` 0..1 of the `seconds` they last."""
    u = np.clip(share, 0.0, 1.0).reshape(-1, *[1] * np.ndim(offset))
    left = 1.0 - smootherstep(u)
    drift = u * (1.0 - u * u * (6.0 + u * (3.0 * u - 8.0)))
    return left * offset + drift * (rate * seconds)


def effort(offset: np.ndarray, rate: np.ndarray, seconds: float) -> np.ndarray:
    """Return the least integral over time of the squared acceleration `(...)` that brings offsets `(..., 3)` with their rates to rest.

    It is small where an offset is small, and where its rate makes it smaller by itself.
    """
    squares = [dot(one, other) for one, other in ((offset, offset), (offset, rate), (rate, rate))]
    return 12.0 * squares[0] / seconds**3 + 12.0 * squares[1] / seconds**2 + 4.0 * squares[2] / seconds


@dataclass(frozen=True)
class Instant:
    """Rotations `turn` `(n, 3, 3)` and places `(n, 3)` at an instant, and how they change a second, `spin` and `speed` `(n, 3)`."""

    turn: np.ndarray
    place: np.ndarray
    spin: np.ndarray
    speed: np.ndarray

    @classmethod
    def of(cls, turns: np.ndarray, places: np.ndarray, seconds: np.ndarray) -> "Instant":
        """Return the middle of three instants `(3, n, ...)` at `seconds` `(3,)`."""
        span = max(float(seconds[2] - seconds[0]), 1e-9)
        spin = rotation_vector(turns[2] @ transposed(turns[0])) / span
        return cls(turns[1], places[1], spin, (places[2] - places[0]) / span)

    def _turned(self, seconds: float) -> np.ndarray:
        return from_axis_angle(normalized(self.spin), norms(self.spin) * seconds) @ self.turn


@dataclass(frozen=True)
class Fading:
    """Offsets of rotations and places `(n, 3)`, with their rates a second, that last for `seconds`."""

    turn: np.ndarray
    turning: np.ndarray
    shift: np.ndarray
    shifting: np.ndarray
    seconds: float

    @classmethod
    def between(cls, before: Instant, after: Instant, seconds: float) -> "Fading":
        """Return how far `before` is from `after`."""

        def off(at: float) -> np.ndarray:
            return rotation_vector(before._turned(at) @ transposed(after._turned(at)))

        turning = (off(_INSTANT_S) - off(-_INSTANT_S)) / (2.0 * _INSTANT_S)
        return cls(off(0.0), turning, before.place - after.place, before.speed - after.speed, seconds)

    def brake(self, rows: Sequence[int]) -> None:
        """Have offsets of some rotations get no larger, and not overshoot, whatever their rates are."""
        for row in rows:
            home = -np.sign(self.turn[row])
            self.turning[row] = home * np.clip(home * self.turning[row], 0.0, _STRAIGHT_HOME * np.abs(self.turn[row]) / self.seconds)

    def turns(self, share: np.ndarray, turns: np.ndarray) -> np.ndarray:
        """Return rotations `(f, n, 3, 3)` with what is left of the offsets."""
        left = faded(share, self.turn, self.turning, self.seconds)
        return from_rotation_vector(left) @ turns

    def places(self, share: np.ndarray, places: np.ndarray) -> np.ndarray:
        """Return places `(f, n, 3)` with what is left of the offsets."""
        return places + faded(share, self.shift, self.shifting, self.seconds)


@dataclass(frozen=True)
class Ends:
    """Three poses of each of two motions around the instant at which one is left for the other, and the seconds `at` `(3,)` of each."""

    before: Poses
    after: Poses
    at: tuple[np.ndarray, np.ndarray]

    def fading(self, seen: Callable[[Poses], tuple[np.ndarray, np.ndarray]], seconds: float) -> Fading:
        """Return how far what is `seen` of poses, rotations and places `(f, n, ...)`, is from what it is afterwards."""
        before, after = (Instant.of(*seen(poses), at) for poses, at in zip((self.before, self.after), self.at, strict=True))
        return Fading.between(before, after, seconds)
