"""A trunk that reaches, and what follows from it alone, worked out once."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...geometry.rotation import cross_matrix

_STRAIGHTEST = 0.99999  # of what a trunk measures from a locked pelvis
TINY = 1e-12
_ONES = np.ones(3)


@dataclass(frozen=True)
class TrunkTables:
    """A trunk of `b` bones and the `k` points on it that something is asked of.

    `arms` `(b, 3, k)`: from each bone's head towards each point, at rest: what the bone carries the point by, zero where it does not.
    `ease` `(b,)`: how easily each bone turns (rad^2); `root_ease`: and the whole moves (m^2), 0 where the pelvis is locked.
    The first points have a place to be at; the last, hips and shoulders, must be between `least` and `most` metres `(l,)` from one, for
    which they pull on the trunk by `pull` `(l,)` of what the first ones do: where not all can be met, those give way.
    `size`: metres of this body for one of a human's.
    """

    arms: np.ndarray
    ease: np.ndarray
    root_ease: float
    least: np.ndarray
    most: np.ndarray
    pull: np.ndarray
    size: float

    @cached_property
    def _exact(self) -> int:
        """How many points have a place to be at."""
        return self.arms.shape[-1] - len(self.least)

    @cached_property
    def _pulls(self) -> np.ndarray:
        """How hard each point pulls `(1, k)`."""
        return np.append(np.ones(self._exact), self.pull)[None]

    @cached_property
    def _spans(self) -> tuple[np.ndarray, np.ndarray]:
        """How near to its place, and how far from it, each point may be `(1, k)`."""
        return np.append(np.zeros(self._exact), self.least)[None], np.append(np.zeros(self._exact), self.most)[None]

    @cached_property
    def _each(self) -> np.ndarray:
        return np.ones(self.arms.shape[-1])

    @cached_property
    def _together(self) -> np.ndarray:
        """The arms of all bones beside each other `(k, 3 b)`."""
        return self.arms.reshape(-1, self.arms.shape[-1]).T.copy()

    @cached_property
    def _levers(self) -> np.ndarray:
        """Where a bone that turns about its x, y, z brings each point, in its axes `(b, 3 k, 3)`, times the root of its ease."""
        levers = -cross_matrix(self.arms.swapaxes(1, 2)) * np.sqrt(self.ease)[:, None, None, None]
        return levers.transpose(0, 3, 1, 2).reshape(len(self.ease), -1, 3).copy()

    @cached_property
    def _shifts(self) -> np.ndarray:
        """Where the whole, moved along x, y, z, brings each point `(1, 3, 3 k)`, times the root of its ease."""
        return np.sqrt(self.root_ease) * np.tile(np.eye(3), self.arms.shape[-1])[None]

    @cached_property
    def _roots_of_ease(self) -> np.ndarray:
        return np.repeat(np.sqrt(self.ease)[None, :, None], 3, axis=-1)

    @cached_property
    def _stiffest(self) -> float:
        """The largest number that may be on the diagonal of a push's system."""
        squares = (self.arms * self.arms).sum(axis=1)
        return float((self.ease @ squares).max(initial=0.0)) + self.root_ease

    @cached_property
    def _farthest(self) -> np.ndarray:
        """The square of how far from a locked pelvis each place may be `(1, k)`: the bones between, and the limb, straight."""
        bones = _STRAIGHTEST * np.sqrt((self.arms * self.arms).sum(axis=1)).sum(axis=0)
        bones[self._exact :] += self.most
        return bones[None] ** 2

    def _drawn_in(self, places: np.ndarray) -> np.ndarray:
        """Return places `(f, k, 3)` that are no farther from the pelvis than bones reach."""
        square = (places * places).reshape(-1, 3).dot(_ONES).reshape(places.shape[:2])
        beyond = square - self._farthest
        if beyond.item(beyond.argmax()) <= 0.0:
            return places
        return places * np.sqrt(np.minimum(self._farthest / np.maximum(square, (TINY * self.size) ** 2), 1.0))[..., None]
