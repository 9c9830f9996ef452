"""How hard the parts of a trunk that is dragged insist on their places from one step to the next (the method of multipliers)."""

from typing import NamedTuple

import numpy as np


class Insist(NamedTuple):
    """How hard points `(f, k, 3)` insist on their places, and limbs on being brought `nearer` and `farther` `(f, b)`, because they were not
    there (the method of multipliers), and how hard limbs `pulled` `(f, l)`.  Bounds `b` are those of limbs, and, while something is low, of
    the ground.

    `gives` `(f, k + b)`: the share of its compliance that each has.  `keeps` `(f, 1)`: 1 and how far a step keeps to where the last one
    ended, against how far it keeps to the pose before: the more, the harder something pulls, for arms go round on arcs and a step sees
    straight lines.  `sides` `(f, b)`: to which side each was held, as in `least_push`; None at first.  `moved` `(f, 1)`: by how
    much the last step moved a point at most, metres.
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
        """Return what is asked at first, where steps keep to the last one by `keeps`."""
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
        """Return it for so many bounds of limbs: those of the ground come and go with what is low, and insist on nothing at first."""
        more = bounds - self.nearer.shape[1]
        if self.sides is None or not more:
            return self
        if more < 0:
            nearer, farther, gives, sides = (part[:, :more] for part in (self.nearer, self.farther, self.gives, self.sides))
        else:
            none = np.zeros((len(self.nearer), more))
            parts = (self.nearer, none), (self.farther, none), (self.gives, none + 1.0), (self.sides, none)
            nearer, farther, gives, sides = (np.concatenate(part, axis=1) for part in parts)
        return self._replace(nearer=nearer, farther=farther, gives=gives, sides=sides)
