"""How hard the parts of a dragged trunk insist on their places from one step to the next (the method of
multipliers)."""

from typing import NamedTuple

import numpy as np


class Insist(NamedTuple):
    """The multipliers of `points` `(f, k, 3)` and of bounds, `nearer` and `farther` `(f, b)`, for what was
    missed so far, and how hard
    limbs `pulled` `(f, l)`.  Bounds `b` are those of limbs and, while something is low, of the ground.

    `gives` `(f, k + b)`: the share of its compliance that each has. `keeps` `(f, 1)`: 1 plus the weight that
    keeps a step near the end of
    the last one, where the weight of the pose before is 1: it grows with the pulls, as arms swing on arcs and
    a step is linear.
    `sides` `(f, b)`: the side at which each was held, as in `least_push`; None at first. `moved` `(f, 1)`:
    the most that the last step
    moved a point, metres.
    """

    points: np.ndarray
    nearer: np.ndarray
    farther: np.ndarray
    pulled: np.ndarray
    gives: np.ndarray
    keeps: np.ndarray
    sides: np.ndarray | None
    moved: np.ndarray

    @classmethod
    def none(cls, frames: int, points: int, bounds: int, limbs: int, keeps: float) -> "Insist":
        """Return the state before the first step, with no multipliers; `keeps`: as in the class."""
        nearer, farther = np.zeros((2, frames, bounds))
        return cls(
            np.zeros((frames, points, 3)),
            nearer,
            farther,
            np.zeros((frames, limbs)),
            np.ones((frames, points + bounds)),
            np.full((frames, 1), keeps),
            None,
            np.full((frames, 1), np.inf),
        )

    def of(self, bounds: int) -> "Insist":
        """Return it for a number of bounds: those of the ground come and go with what is low, and start
        without multipliers."""
        more = bounds - self.nearer.shape[1]
        if self.sides is None or not more:
            return self
        if more < 0:
            nearer, farther, gives, sides = (
                part[:, :more] for part in (self.nearer, self.farther, self.gives, self.sides)
            )
        else:
            none = np.zeros((len(self.nearer), more))
            parts = (self.nearer, none), (self.farther, none), (self.gives, none + 1.0), (self.sides, none)
            nearer, farther, gives, sides = (np.concatenate(part, axis=1) for part in parts)
        return self._replace(nearer=nearer, farther=farther, gives=gives, sides=sides)
