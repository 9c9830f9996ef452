"""A property over time to be keyed again, the error of other values, and how long spans between its keys may be."""

from dataclasses import dataclass

import numpy as np

from ..geometry.rotation import normalized, rotation_vector
from ..posing.channels import QUATERNION, from_mode

_EVENLY = 1e-6  # metres or radians per frame: a smaller change of pace counts as even
_SHORTEST_HOLD, SHORTEST_EVEN = 2, 5  # least frames of a hold, and of even motion
_QUATERNION_RADIANS = 2.0  # radians of rotation per unit change of a component


@dataclass(frozen=True)
class Track:
    """Values `(f, n)` over time, without jumps (see `channels.continuous`), keyed at common frames.

    `mode`: the rotation mode of values that form one rotation, else ''.
    `unit`: metres (or radians) per unit change, for values that are no rotation.  `posed`: has a key wherever one is always wanted.
    """

    values: np.ndarray
    mode: str = ""
    unit: float = 1.0
    posed: bool = True

    def off(self, values: np.ndarray) -> np.ndarray:
        """Return the error of other values `(f, n)` in metres (or radians) per frame `(f,)`."""
        return (1.0 if self.mode else self.unit) * off_by(values, self.values, self.mode)

    @property
    def size(self) -> float:
        """About how many metres or radians a unit change of one value is."""
        return _QUATERNION_RADIANS if self.mode == QUATERNION else self.unit

    def pushed(self, off: float) -> np.ndarray:
        """Return the values `(f, n, n)`, each with one component changed by about `step` metres or radians."""
        return self.values[:, None] + off / self.size * np.eye(self.values.shape[1])

    @property
    def spread(self) -> float:
        """How far it gets from the middle of its values, in metres or radians."""
        return float(self.off(np.broadcast_to(self.middle, self.values.shape)).max())

    @property
    def middle(self) -> np.ndarray:
        """The middle of its values `(n,)`."""
        return 0.5 * (self.values.min(axis=0) + self.values.max(axis=0))

    def held(self) -> np.ndarray:
        """Return the first and last rows `(n, 2)` of the spans in which it holds, or moves evenly, for a while.

        A standing foot moves evenly relative to an evenly moving character.
        """
        paces = self.unit * np.diff(self.values, axis=0)
        still, even = _runs(paces, _SHORTEST_HOLD), _runs(np.diff(paces, axis=0), SHORTEST_EVEN - 1) + np.array([0, 1])
        found = np.concatenate([still, even[(np.abs(paces[even[:, 0]]) > _EVENLY).any(axis=-1)]])
        found = found[np.argsort(found[:, 0])]
        found[1:, 0] += found[1:, 0] == found[:-1, 1]  # where two meet, the first one has the row
        return found[found[:, 1] > found[:, 0]]


def _runs(changes: np.ndarray, shortest: int) -> np.ndarray:
    """Return the first and last rows `(n, 2)` of spans of so many rows at least between which nothing changes `(f - 1, n)`."""
    edges = np.flatnonzero(np.diff(np.concatenate([[True], np.abs(changes).max(axis=-1) > _EVENLY, [True]]).astype(int)))
    spans = edges.reshape(-1, 2)
    return spans[spans[:, 1] - spans[:, 0] + 1 >= shortest]


def off_by(values: np.ndarray, wanted: np.ndarray, mode: str) -> np.ndarray:
    """Return how far values `(f, n)` are from the wanted ones `(f,)`: radians for rotations, otherwise in their units."""
    if not mode:
        return np.linalg.norm(values - wanted, axis=-1)
    if mode == QUATERNION:
        one, other = normalized(wanted), normalized(values)
        chord = np.minimum(np.linalg.norm(other - one, axis=-1), np.linalg.norm(other + one, axis=-1))
        return 4.0 * np.arcsin(np.minimum(0.5 * chord, 1.0))
    turn = np.swapaxes(from_mode(wanted, mode), -1, -2) @ from_mode(values, mode)
    return np.linalg.norm(rotation_vector(turn), axis=-1)


_LENGTHS = (4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 24, 29, 35, 42, 50, 60, 72, 86, 103, 124)  # lengths tried, in frames
_BEGUN_WITH = 0.5  # share of the needed spans keyed at first: the remaining errors show where the rest is needed
_CUBIC = 4  # coefficients of a cubic, which passes through as many samples exactly


class Spans:
    """Estimated number of spans from a track's first row to each row: `passed` `(f,)`."""

    def __init__(self, track: Track, limits: np.ndarray) -> None:
        longest = _longest(track, limits)
        self.passed = np.concatenate([[0.0], np.cumsum(1.0 / longest[:-1])])

    def between(self, first: int, last: int) -> np.ndarray:
        """Return rows for keys between two rows that make the spans equally hard."""
        begun, ended = self.passed[[first, last]]
        wanted = np.linspace(begun, ended, max(int(_BEGUN_WITH * (ended - begun)), 1) + 1)[1:-1]
        rows = np.unique(np.searchsorted(self.passed, wanted))
        return rows[(rows > first) & (rows < last)]


def _longest(track: Track, limits: np.ndarray) -> np.ndarray:
    """Return the length in frames `(f,)` of the longest possible span from each row; limits `(f,)` in metres or radians."""
    samples = len(limits)
    found = np.minimum(np.arange(samples, 0, -1), _CUBIC - 1).astype(float)
    values, weights = track.values * track.size, 1.0 / limits
    for length in _LENGTHS:
        if length >= samples:
            break
        fits = _fits(values, weights, length)
        found[: samples - length][fits] = length
        if fits[-1]:
            found[samples - length :] = length  # a part of what fits
        if not fits.any():
            break
    return found


def _fits(values: np.ndarray, weights: np.ndarray, length: int) -> np.ndarray:
    """Return for each row whether a cubic through the next `length` samples is within the limits `(f - length,)`."""
    basis = np.linalg.qr(np.vander(np.linspace(-1.0, 1.0, length + 1), _CUBIC))[0]
    windows = np.lib.stride_tricks.sliding_window_view(values, length + 1, axis=0)
    off = windows - windows @ basis @ basis.T
    weighted = np.lib.stride_tricks.sliding_window_view(weights, length + 1)
    within: np.ndarray = (np.sqrt(np.einsum("rcs,rcs->rs", off, off)) * weighted).max(axis=1) <= 1.0
    return within
