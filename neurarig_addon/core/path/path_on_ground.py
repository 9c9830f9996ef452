"""A path laid on the ground: as high as the surface a walker reaches, step by step from the start."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from .path import Along, Path
from .variants import Variant

SPACING = 0.1  # leg lengths between samples of the ground
AT_ONCE = 256  # samples per block

Layers = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Laid(Variant):
    """A path over ground that may have several floors.

    A walker keeps to the floor it came by: the highest that is at most a step, `climb` metres, above the last
    height, or
    above the path itself; if all are higher, the lowest. Over a hole it keeps its height. `layers` maps
    places `(n, 2)` to the
    number of surfaces at each `(n,)`, and their heights, place by place, rising.
    """

    layers: Layers
    climb: float
    spacing: float
    # heights by row of blocks, outward from the start
    _known: dict[int, np.ndarray] = field(default_factory=dict, compare=False)

    @classmethod
    def over(cls, path: Path, layers: Layers, climb: float, leg_length: float) -> "Laid":
        """Return the path laid over ground, for a leg length."""
        return cls(path, layers, climb, SPACING * leg_length)

    def at(self, distance: np.ndarray) -> Along:
        """See Path."""
        along = self.path.at(distance)
        return replace(
            along,
            place=np.concatenate(
                [along.place[..., :2], self._height(np.asarray(distance))[..., None]], axis=-1
            ),
        )

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
        """Return the heights of a block; where there are several floors, they depend on the blocks between it
        and the start."""
        following = []
        for each in range(number, -1, -1) if number >= 0 else range(number, 1):
            if each in self._known:
                break
            place = self.path.at(self.spacing * self._rows(each)).place
            count, heights = self.layers(place[:, :2])
            if (count == 1).all():
                self._keep(each, heights)
                break
            following.append((each, np.split(heights, np.cumsum(count)[:-1]), place[:, 2].tolist()))
        for each, layers, own in reversed(following):
            self._keep(each, self._chosen(layers, own, self._stood(each)))
        return self._known[number]

    @staticmethod
    def _rows(number: int) -> np.ndarray:
        """Return the rows of a block, from the start outward."""
        rows = np.arange(number * AT_ONCE, (number + 1) * AT_ONCE)
        return rows if number >= 0 else rows[::-1]

    def _keep(self, number: int, outward: np.ndarray) -> None:
        """Remember the heights of a block, given from the start outward."""
        self._known[number] = outward if number >= 0 else outward[::-1]

    def _chosen(self, layers: list[np.ndarray], own: list[float], stands: float | None) -> np.ndarray:
        """Return the floors reached along places of a path, starting from a height."""
        floors, before = [], own[0]
        for each, here in zip(layers, own, strict=True):
            expected = here if stands is None else stands + here - before
            stands = _floor(each.tolist(), max(expected, here) + self.climb, expected)
            before = here
            floors.append(stands)
        return np.array(floors)

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
