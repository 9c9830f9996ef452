"""A trunk at rest: none of its targets was moved, and limbs reach theirs from where it is, as in most drags of a hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..reach.lock_plan import Limb
from .ground import DragGround
from .limbs import Asked
from .trunk import DragTrunk

_THERE = 4e-6  # metres on a body of human size: distance from its place within which a point is there


@dataclass(frozen=True, eq=False)
class Resting:
    """The pose before a drag, in which the trunk rests while the points `still` `(n,)` of trunk and feet are at `places` `(n, 3)`, metres,
    and the limbs from `starts` `(l, 3)` to the places of `ends` `(l,)` are within `spans` `(2, l)`.

    `is_possible`: False in a squat, where the ground may be in the way.
    """

    still: tuple[int, ...]
    places: np.ndarray
    starts: np.ndarray
    ends: tuple[int, ...]
    spans: np.ndarray
    is_possible: bool
    size: float

    @classmethod
    def of(cls, trunk: DragTrunk, ground: DragGround, points: np.ndarray, still: Sequence[int], limbs: Mapping[int, Limb]) -> "Resting":
        """Return it for a pose with its points at `points` `(27, 3)`; `limbs`: those with targets, by their target's point."""
        starts = points[[limb.start for limb in limbs.values()]].reshape(-1, 3)
        is_low = trunk.is_low(ground.under(points[None], np.zeros((1, len(points))))[0], starts)
        return cls(tuple(still), points[list(still)], starts, tuple(limbs), trunk.spans[:, : len(limbs)], not is_low, trunk.shape.size)

    def frames(self, asked: Asked) -> np.ndarray:
        """Return the frames in which the trunk rests `(f,)`."""
        if not self.is_possible:
            return np.zeros(len(asked.places), dtype=bool)
        ways = asked.places.take(self.still, axis=1) - self.places
        lines = asked.places.take(self.ends, axis=1) - self.starts
        far = np.sqrt(np.add.reduce(lines * lines, axis=-1))
        farthest = np.maximum.reduce(np.abs(ways), axis=(1, 2), initial=0.0)
        beyond = np.maximum.reduce(np.maximum(self.spans[0] - far, far - self.spans[1]), axis=1, initial=0.0)
        return np.maximum(farthest, beyond) <= _THERE * self.size
