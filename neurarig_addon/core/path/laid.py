"""A path laid on the ground: as high as what a walker on it comes to stand on, step by step from its start."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from .borne import Borne
from .path import Along, Path

SPACING = 0.1  # leg lengths between the places where the ground is looked at
AT_ONCE = 256  # places

Layers = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Laid(Borne):
    """A path over ground that may have several floors.

    Of these a walker keeps to the one he came by: the highest that is no more than a step, `climb` metres, above where he stood before, or
    above the path itself; where all is higher, the lowest.  Over a hole he keeps his height.  `layers` takes places `(n, 2)` and gives how
    many one could stand on at each `(n,)`, and their heights, place by place, rising.
    """

    layers: Layers
    climb: float
    spacing: float
    _known: dict[int, np.ndarray] = field(default_factory=dict, compare=False)  # heights by row of blocks, outwards from the start

    @classmethod
    def over(cls, path: Path, layers: Layers, climb: float, leg_length: float) -> "Laid":
        """Return a path over ground, for legs of a length."""
        return cls(path, layers, climb, SPACING * leg_length)

    def at(self, distance: np.ndarray) -> Along:
        """See Path."""
        along = self.path.at(distance)
        return replace(along, place=np.concatenate([along.place[..., :2], self._height(np.asarray(distance))[..., None]], axis=-1))

    def _height(self, distance: np.ndarray) -> np.ndarray:
        """Return the heights `(...)` at distances, between the places that are looked at evenly."""
        at = distance / self.spacing
        if not at.size:
            return at
        first, last = int(np.floor(at.min())), int(np.floor(at.max())) + 1
        begin, end = first // AT_ONCE, last // AT_ONCE
        values = np.concatenate([self._block(number) for number in range(begin, end + 1)])
        return np.interp(at, np.arange(begin * AT_ONCE, (end + 1) * AT_ONCE), values)

    def _block(self, number: int) -> np.ndarray:
        """Return the heights of a block, for which those between it and the start are needed."""
        outwards = range(number + 1) if number >= 0 else range(0, number - 1, -1)
        for wanted in outwards:
            if wanted not in self._known:
                self._known[wanted] = self._walked(wanted)
        return self._known[number]

    def _walked(self, number: int) -> np.ndarray:
        """Return the heights of a block after the one before it, which is nearer to the start."""
        rows = np.arange(number * AT_ONCE, (number + 1) * AT_ONCE)
        if number < 0:
            rows = rows[::-1]
        place = self.path.at(self.spacing * rows).place
        count, heights = self.layers(place[:, :2])
        if (count == 1).all():  # one floor, on which everybody stands
            found = heights
        else:
            found = self._chosen(np.split(heights, np.cumsum(count)[:-1]), place[:, 2].tolist(), self._stood(number))
        return found if number >= 0 else found[::-1]

    def _chosen(self, layers: list[np.ndarray], own: list[float], stands: float | None) -> np.ndarray:
        """Return the floors of somebody who comes by places of a path, after he stood at a height."""
        found, before = [], own[0]
        for each, here in zip(layers, own, strict=True):
            expected = here if stands is None else stands + here - before
            stands = _floor(each.tolist(), max(expected, here) + self.climb, expected)
            before = here
            found.append(stands)
        return np.array(found)

    def _stood(self, number: int) -> float | None:
        """Return the height before a block: where the nearer one ends; at the start nobody has come from anywhere."""
        if number == 0:
            return None
        return float(self._known[number - 1][-1] if number > 0 else self._known[number + 1][0])


def _floor(layers: list[float], reach: float, otherwise: float) -> float:
    """Return which of the heights somebody stands on who reaches so high."""
    if not layers:
        return otherwise
    return next((height for height in reversed(layers) if height <= reach), layers[0])
