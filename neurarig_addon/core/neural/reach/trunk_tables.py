"""A trunk that reaches, and all that depends on it alone, computed once."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...geometry.rotation import cross_matrix

_STRAIGHTEST = 0.99999  # of a trunk's length from a locked pelvis: as far as it reaches
TINY = 1e-12
_ONES = np.ones(3)


@dataclass(frozen=True)
class TrunkTables:
    """A trunk of `b` bones and the `k` points on it of which something is asked.

    `arms` `(b, 3, k)`: each bone's part of the offset of each point at rest; zero where the bone does not carry it.
    `ease` `(b,)`: how easily each bone turns (rad^2); `root_ease`: and the whole moves (m^2), 0 if the pelvis is locked.
    The first points have a place to be at; the last, hips and shoulders, must be between `least` and `most` metres `(l,)` from one, and
    pull on the trunk with `pull` `(l,)`, against 1 of the first ones: where not all can be met, weaker ones give way.
    `size`: of this body relative to a human's.
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
        """The number of points that have a place to be at."""
        return self.arms.shape[-1] - len(self.least)

    @cached_property
    def _pulls(self) -> np.ndarray:
        """How hard each point pulls `(1, k)`."""
        return np.append(np.ones(self._exact), self.pull)[None]

    @cached_property
    def _spans(self) -> tuple[np.ndarray, np.ndarray]:
        """The least and the most distance of each point from its place `(1, k)`."""
        return np.append(np.zeros(self._exact), self.least)[None], np.append(np.zeros(self._exact), self.most)[None]

    @cached_property
    def _each(self) -> np.ndarray:
        return np.ones(self.arms.shape[-1])

    @cached_property
    def _together(self) -> np.ndarray:
        """The arms of all bones side by side `(k, 3 b)`."""
        return self.arms.reshape(-1, self.arms.shape[-1]).T.copy()

    @cached_property
    def _levers(self) -> np.ndarray:
        """Derivatives of each point by a bone's turn about its x, y, z, in its axes `(b, 3 k, 3)`, times the root of its ease."""
        levers = -cross_matrix(self.arms.swapaxes(1, 2)) * np.sqrt(self.ease)[:, None, None, None]
        return levers.transpose(0, 3, 1, 2).reshape(len(self.ease), -1, 3).copy()

    @cached_property
    def _shifts(self) -> np.ndarray:
        """Derivatives of each point by a shift of the whole along x, y, z `(1, 3, 3 k)`, times the root of its ease."""
        return np.sqrt(self.root_ease) * np.tile(np.eye(3), self.arms.shape[-1])[None]

    @cached_property
    def _roots_of_ease(self) -> np.ndarray:
        return np.repeat(np.sqrt(self.ease)[None, :, None], 3, axis=-1)

    @cached_property
    def _stiffest(self) -> float:
        """The largest diagonal entry that a push's system may have."""
        squares = (self.arms * self.arms).sum(axis=1)
        return float((self.ease @ squares).max(initial=0.0)) + self.root_ease

    @cached_property
    def _farthest(self) -> np.ndarray:
        """The squared farthest distance of each place from a locked pelvis `(1, k)`: the bones between, and the limb, straight."""
        bones = _STRAIGHTEST * np.sqrt((self.arms * self.arms).sum(axis=1)).sum(axis=0)
        bones[self._exact :] += self.most
        return bones[None] ** 2

    def _drawn_in(self, places: np.ndarray) -> np.ndarray:
        """Return places `(f, k, 3)` drawn in to where bones reach from the pelvis."""
        square = (places * places).reshape(-1, 3).dot(_ONES).reshape(places.shape[:2])
        beyond = square - self._farthest
        if beyond.item(beyond.argmax()) <= 0.0:
            return places
        return places * np.sqrt(np.minimum(self._farthest / np.maximum(square, (TINY * self.size) ** 2), 1.0))[..., None]
