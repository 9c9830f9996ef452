"""A path laid on the ground: as high as the surface a walker reaches, step by step from the start."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from .borne import Borne
from .path import Along, Path

SPACING = 0.1  # leg lengths between samples of the ground
AT_ONCE = 256  # samples per block

Layers = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Laid(Borne):
    """A path over ground that may have several floors.

    A walker keeps to the floor it came by: the highest that is at most a step, `climb` metres, above the last height, or
    above the path itself; if all are higher, the lowest.  Over a hole it keeps its height.  `layers` maps places `(n, 2)` to the
    number of surfaces at each `(n,)`, and their heights, place by place, rising.
    """

    layers: Layers
    climb: float
    spacing: float
    _known: dict[int, np.ndarray] = field(default_factory=dict, compare=False)  # heights by row of blocks, outward from the start

    @classmethod
    def over(cls, path: Path, layers: Layers, climb: float, leg_length: float) -> "Laid":
        """Return the path laid over ground, for a leg length."""
        return cls(path, layers, climb, SPACING * leg_length)

    def at(self, distance: np.ndarray) -> Along:
        """See Path."""
        along = self.path.at(distance)
        return replace(along, place=np.concatenate([along.place[..., :2], self._height(np.asarray(distance))[..., None]], axis=-1))

    def _height(self, distance: np.ndarray) -> np.ndarray:
        """Return the heights `(...)` at distances, linear between samples."""
        at = distance / self.spacing
        if not at.size:
            return at
        first, last = int(np.floor(at.min())), int(np.floor(at.max())) + 1
        begin, end = first // AT_ONCE, last // AT_ONCE
        values = np.concatenate([self._block(number) for number in range(begin, end + 1)])
        return np.interp(at, np.arange(begin * AT_ONCE, (end + 1) * AT_ONCE), values)

    def _block(self, number: int) -> np.ndarray:
        """Return the heights of a block, which depend on the blocks between it and the start."""
        outwards = range(number + 1) if number >= 0 else range(0, number - 1, -1)
        for wanted in outwards:
            if wanted not in self._known:
                self._known[wanted] = self._walked(wanted)
        return self._known[number]

    def _walked(self, number: int) -> np.ndarray:
        """Return the heights of a block, following the one nearer to the start."""
        rows = np.arange(number * AT_ONCE, (number + 1) * AT_ONCE)
        if number < 0:
            rows = rows[::-1]
        place = self.path.at(self.spacing * rows).place
        count, heights = self.layers(place[:, :2])
        if (count == 1).all():  # one floor only
            found = heights
        else:
            found = self._chosen(np.split(heights, np.cumsum(count)[:-1]), place[:, 2].tolist(), self._stood(number))
        return found if number >= 0 else found[::-1]

    def _chosen(self, layers: list[np.ndarray], own: list[float], stands: float | None) -> np.ndarray:
        """Return the floors reached along places of a path, starting from a height."""
        found, before = [], own[0]
        for each, here in zip(layers, own, strict=True):
            expected = here if stands is None else stands + here - before
            stands = _floor(each.tolist(), max(expected, here) + self.climb, expected)
            before = here
            found.append(stands)
        return np.array(found)

    def _stood(self, number: int) -> float | None:
        """Return the height before a block: the end of the nearer one; none at the start."""
        if number == 0:
            return None
        return float(self._known[number - 1][-1] if number > 0 else self._known[number + 1][0])


def _floor(layers: list[float], reach: float, otherwise: float) -> float:
    """Return the height reached among the given ones, for a highest reach."""
    if not layers:
        return otherwise
    return next((height for height in reversed(layers) if height <= reach), layers[0])
