"""A seam: where one motion is left for another. How far it is off there, and how that changes, dies away
smoothly.

The quintic that starts with the offset and its rate, without a kick, and ends at rest at nothing (Bollo,
*Inertialization*, GDC 2018).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..character.motion import Motion
from ..easing import smootherstep
from ..geometry.rotation import dot, from_rotation_vector, rotation_vector, transposed

_STRAIGHT_HOME = 3.0  # offsets in the time of a seam: the fastest rate with which one fades without overshoot
_INSTANT_S = 1e-4  # seconds over which the rate of a rotation's offset is measured
NUDGE_S = 1e-3  # seconds over which a path's rate is measured
SETTLES_S = 0.2  # seconds in which a part that comes from an anchor at another rate goes as its path does


def faded(
    since: np.ndarray,
    offset: np.ndarray | float,
    rate: np.ndarray | float,
    lasts: np.ndarray | float,
    settles: np.ndarray | float | None = None,
) -> np.ndarray:
    """Return what is left of offsets that change at a `rate`, some time `since`, all of shapes that fit.

    `lasts`: when nothing is left; `settles`: when what the rate adds is gone, by default then too. In any
    unit of time.
    """
    settles = lasts if settles is None else settles
    u = np.clip(since / settles, 0.0, 1.0)
    drift = u * (1.0 - u * u * (6.0 + u * (3.0 * u - 8.0)))
    return (1.0 - smootherstep(since / lasts)) * offset + drift * settles * rate


def effort(offset: np.ndarray, rate: np.ndarray, seconds: float) -> np.ndarray:
    """Return the least integral over time of the squared acceleration `(...)` that brings offsets `(..., 3)`
    with their rates to rest.

    It is small where an offset is small, and where its rate makes it smaller by itself.
    """
    return (
        12.0 * dot(offset, offset) / seconds**3
        + 12.0 * dot(offset, rate) / seconds**2
        + 4.0 * dot(rate, rate) / seconds
    )


def stacked(motions: Iterable[Motion]) -> tuple[np.ndarray, np.ndarray]:
    """Return the rotations `(f, n, 3, 3)` and places `(f, n, 3)` of `n` motions."""
    turns, places = zip(*((motion.rotation, motion.position) for motion in motions), strict=True)
    return np.stack(turns, axis=1), np.stack(places, axis=1)


@dataclass(frozen=True)
class Instant:
    """Rotations `turn` `(n, 3, 3)` and places `(n, 3)` at an instant, and how they change a second, `spin`
    and `speed` `(n, 3)`."""

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

    @classmethod
    def still(cls, turns: np.ndarray, places: np.ndarray) -> "Instant":
        """Return rotations `(n, 3, 3)` and places `(n, 3)` that do not change."""
        return cls(turns, places, np.zeros_like(places), np.zeros_like(places))

    def _turned(self, seconds: float) -> np.ndarray:
        return from_rotation_vector(seconds * self.spin) @ self.turn


@dataclass(frozen=True)
class Seam:
    """Offsets of rotations and places `(n, 3)`, with their rates a second, that last for `seconds`."""

    turn: np.ndarray
    turning: np.ndarray
    shift: np.ndarray
    shifting: np.ndarray
    seconds: float

    @classmethod
    def between(cls, before: Instant, after: Instant, seconds: float) -> "Seam":
        """Return how far `before` is from `after`."""

        def off(at: float) -> np.ndarray:
            return rotation_vector(before._turned(at) @ transposed(after._turned(at)))

        turning = (off(_INSTANT_S) - off(-_INSTANT_S)) / (2.0 * _INSTANT_S)
        return cls(off(0.0), turning, before.place - after.place, before.speed - after.speed, seconds)

    def brake(self, rows: Sequence[int]) -> None:
        """Have offsets of some rotations get no larger, and not overshoot, whatever their rates are."""
        for row in rows:
            home = -np.sign(self.turn[row])
            self.turning[row] = home * np.clip(
                home * self.turning[row], 0.0, _STRAIGHT_HOME * np.abs(self.turn[row]) / self.seconds
            )

    def turns(self, share: np.ndarray, turns: np.ndarray) -> np.ndarray:
        """Return rotations `(f, n, 3, 3)` with what is left of the offsets at shares `(f,)`, or `(f, n)`, of
        the time that they last."""
        return from_rotation_vector(self._left(share, self.turn, self.turning)) @ turns

    def places(self, share: np.ndarray, places: np.ndarray) -> np.ndarray:
        """Return places `(f, n, 3)` with what is left of the offsets."""
        return places + self._left(share, self.shift, self.shifting)

    def _left(self, share: np.ndarray, offset: np.ndarray, rate: np.ndarray) -> np.ndarray:
        return faded(share.reshape(len(share), -1, 1) * self.seconds, offset, rate, self.seconds)

    def motions(self, share: np.ndarray, motions: Mapping[str, Motion]) -> dict[str, Motion]:
        """Return `n` motions, in the order of the offsets, with what is left of these."""
        turns, places = stacked(motions.values())
        turns, places = self.turns(share, turns), self.places(share, places)
        return {
            role: Motion(turns[:, row], places[:, row], motion.rest)
            for row, (role, motion) in enumerate(motions.items())
        }


@dataclass(frozen=True)
class SeamEnd:
    """A moment in seconds, where a part is then `(3,)`, None: on its path, and how it moves, in metres a
    second `(3,)`."""

    at: float
    place: np.ndarray | None
    rate: np.ndarray


def looked_at(first: SeamEnd, last: SeamEnd) -> np.ndarray:
    """Return the times `(4,)` at which a path between two anchors has to be known."""
    return np.array([first.at, first.at + NUDGE_S, last.at - NUDGE_S, last.at])


def anchored(
    at: np.ndarray, path: np.ndarray, first: SeamEnd, last: SeamEnd, known: np.ndarray
) -> np.ndarray:
    """Return places `(f, 3)` at times `(f,)` along a `path` `(f, 3)` that begin and end as two anchors say.

    The difference is made up smoothly in between. `known` `(4, 3)`: the path at the times that are
    `looked_at`.
    """
    seconds, found = max(last.at - first.at, 1e-9), path
    for anchor, own, moved, way in (
        (first, known[0], known[1] - known[0], 1.0),
        (last, known[3], known[3] - known[2], -1.0),
    ):
        if anchor.place is not None:
            since = np.clip(way * (at - anchor.at), 0.0, seconds)[:, None]
            off, faster = anchor.place - own, way * (anchor.rate - moved / NUDGE_S)
            found = found + faded(since, off, faster, seconds, min(seconds, SETTLES_S))
    return found
