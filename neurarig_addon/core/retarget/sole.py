"""The soles of a character's feet: the points that touch the ground, in the foot's own heading."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..body import Body
from ..gait.contact import FootShape, foot_shape
from ..rotation import about_z
from .feet import Feet

SHORTEST_TOES = 0.01  # leg lengths


@dataclass(frozen=True)
class Sole:
    """Contact points of both feet from the point under the ankle: metres, `(2, 3)`, x to the toes.

    `shape`: the rocker's pivots.  `ball`: the point on the sole under the ball; it goes with the toes.
    """

    shape: FootShape
    ball: np.ndarray

    @classmethod
    def of(cls, body: Body) -> "Sole":
        """Return the soles of a body; toes that hang on the tip of the foot, or before it, do not bend."""
        under = body.ankle * np.array([1.0, 1.0, 0.0])
        shape = foot_shape(body)
        bends = shape.bends & (shape.toe[:, 0] - shape.ball[:, 0] > SHORTEST_TOES * body.leg_length)
        shape = replace(shape, bends=bends, ball=np.where(bends[:, None], shape.ball, shape.toe))
        return cls(shape, np.einsum("sij,sj->si", about_z(-body.foot_heading), body.ball - under))

    @cached_property
    def resting(self) -> np.ndarray:
        """Heights of heel, ball and toe tip `(2, 3)` of a foot that stands."""
        return np.stack([self.shape.heel[:, 2], self.ball[:, 2], self.shape.toe[:, 2]], axis=-1)

    @cached_property
    def length(self) -> float:
        """Heel to ball in metres, the mean of both feet."""
        return float(np.mean(self.shape.ball[:, 0] - self.shape.heel[:, 0]))

    def joint(self, feet: Feet) -> np.ndarray:
        """Return where the toes hang on the feet `(f, 2, 3)`."""
        return feet.ankle + turned(feet.turn, self.shape.ball - self.shape.ankle)

    def points(self, feet: Feet) -> np.ndarray:
        """Return heel, ball and toe tip of feet `(f, 2, 3, 3)`."""
        heel = feet.ankle + turned(feet.turn, self.shape.heel - self.shape.ankle)
        joint = self.joint(feet)
        ball = joint + turned(feet.toe, self.ball - self.shape.ball)
        return np.stack([heel, ball, joint + turned(feet.toe, self.shape.toe - self.shape.ball)], axis=2)

    def heights(self, feet: Feet) -> np.ndarray:
        """Return how high heel, ball and toe tip `(f, 2, 3)` are above where they are when the foot stands on the ground."""
        return self.points(feet)[..., 2] - self.resting


def turned(turn: np.ndarray, offset: np.ndarray) -> np.ndarray:
    """Return offsets `(..., 3)` turned by rotations `(..., 3, 3)`."""
    return (turn @ offset[..., None])[..., 0]
