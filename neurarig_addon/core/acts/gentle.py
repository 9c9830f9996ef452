"""The way of a body's middle through knots: upward as gently as they allow, along the ground as quintics.

A quintic takes its greatest acceleration in one moment; legs that push or catch a body spread it over the
time that they have.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from ..easing import piece, running
from ..gait.kinds.natural import GRAVITY

PIECES = 16  # between two knots, over each of which the acceleration changes evenly
# upward acceleration from which all differ as little as they can: legs push a body up, and never pull it down
USUAL = 0.5 * GRAVITY
# of weighing accelerations; how far each goes; the least of their sizes, as a share of the largest
ROUNDS, STEP, LEAST = 30, 0.3, 0.05


@dataclass(frozen=True)
class Knot:
    """A moment in seconds, and a place, velocity and acceleration `(c,)` then."""

    at: float
    place: np.ndarray
    rate: np.ndarray
    bend: np.ndarray


@dataclass(frozen=True)
class Quintics:
    """Curves through knots, smooth to the acceleration."""

    knots: tuple[Knot, ...]

    def __call__(self, at: np.ndarray) -> np.ndarray:
        """Return places `(f, c)` at times `(f,)`."""
        row = piece(self._at, at)
        since = (at - self._at[row])[:, None]
        return np.einsum("fpc,fp->fc", self._terms[row], since ** np.arange(6.0))

    @cached_property
    def _at(self) -> np.ndarray:
        return np.array([knot.at for knot in self.knots])

    @cached_property
    def _terms(self) -> np.ndarray:
        """The terms `(n - 1, 6, c)` of the polynomials, in seconds since each knot."""
        found = []
        for one, other in pairwise(self.knots):
            h = other.at - one.at
            away = other.place - one.place - h * one.rate - 0.5 * h * h * one.bend
            faster, bends = other.rate - one.rate - h * one.bend, other.bend - one.bend
            found.append(
                np.stack(
                    [
                        one.place,
                        one.rate,
                        0.5 * one.bend,
                        (10.0 * away - 4.0 * h * faster + 0.5 * h * h * bends) / h**3,
                        (-15.0 * away + 7.0 * h * faster - h * h * bends) / h**4,
                        (6.0 * away - 3.0 * h * faster + 0.5 * h * h * bends) / h**5,
                    ]
                )
            )
        return np.array(found)


@dataclass(frozen=True)
class Gentle:
    """A way through knots of three columns in order of time, smooth to the acceleration."""

    knots: tuple[Knot, ...]

    def __call__(self, at: np.ndarray) -> np.ndarray:
        """Return places `(f, 3)` at times `(f,)`."""
        return np.concatenate([self._level(at), self._upward(at)], axis=1)

    @cached_property
    def _level(self) -> Quintics:
        return Quintics(tuple(_columns(knot, slice(2)) for knot in self.knots))

    @cached_property
    def _upward(self) -> Quintics:
        up = [_columns(knot, slice(2, 3)) for knot in self.knots]
        return Quintics((up[0], *(knot for pair in pairwise(up) for knot in _pieces(*pair))))


def _columns(knot: Knot, which: slice) -> Knot:
    return replace(knot, place=knot.place[which], rate=knot.rate[which], bend=knot.bend[which])


def _pieces(one: Knot, other: Knot) -> list[Knot]:
    """Return knots of one column after `one`, to `other`, between which the acceleration has the least fourth
    powers."""
    at = np.linspace(one.at, other.at, PIECES + 1)
    seconds, each = other.at - one.at, (other.at - one.at) / PIECES
    begin, end = float(one.bend[0]), float(other.bend[0])
    # What each acceleration in between adds to the velocity and to the place at the end, and what they have
    # to add.
    adds = each * np.stack([np.ones(PIECES - 1), other.at - at[1:-1]])
    faster = (other.rate - one.rate)[0] - 0.5 * each * (begin + end)
    farther = (other.place - one.place - seconds * one.rate)[0] - each * (
        0.5 * begin * seconds + (end - begin) * each / 6.0
    )
    bends = np.array(
        [
            begin,
            *(USUAL + _least_fourth_powers(adds, np.array([faster, farther]) - USUAL * adds.sum(axis=1))),
            end,
        ]
    )
    rates = one.rate + running(0.5 * each * (bends[1:] + bends[:-1]))
    moves = each * rates[:-1] + each**2 * (2.0 * bends[:-1] + bends[1:]) / 6.0
    places = one.place + running(moves)
    inner = [
        Knot(*values)
        for values in zip(at[1:-1], *(each[1:-1, None] for each in (places, rates, bends)), strict=True)
    ]
    return [*inner, other]


def _least_fourth_powers(adds: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return the values `(n,)` with the least sum of fourth powers for which `adds` `(2, n)` @ values is
    `wanted` `(2,)`.

    By least squares, each weighed by the last round's squares.
    """
    found, weights = np.zeros(adds.shape[1]), np.ones(adds.shape[1])
    for number in range(ROUNDS):
        lighter = adds.T / weights[:, None]
        solved = lighter @ np.linalg.solve(adds @ lighter, wanted)
        found = solved if number == 0 else found + STEP * (solved - found)
        sizes = np.abs(found)
        weights = (sizes / max(float(sizes.max()), 1e-9) + LEAST) ** 2
    return found
