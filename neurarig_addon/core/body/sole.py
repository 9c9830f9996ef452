"""The soles of a character's feet: their contact points, in the foot's own heading."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..character.body import Girdle
from ..geometry.rotation import ON_GROUND, UP, about_z, rotated
from .feet import Feet

SHORTEST_TOES = 0.01  # leg lengths


@dataclass(frozen=True)
class Sole:
    """Points of both feet relative to the point under the ankle: metres, `(2, 3)`, x to the toes.

    `ankle` is above the origin. `bends` `(2,)`: whether the foot has toes that bend, at the `joint` above the
    sole, so that they lie
    still while the heel rises. A foot without toes, or with toes only at its tip, is in one piece: `joint` is
    then the tip.
    `ball`: the point on the sole under the joint; it moves with the toes.
    `on_toes`: the foot stands on its toes alone, which lie flat whatever its pitch; the heel is theirs.
    `least_pitch`, `pads` `(2,)`: of these, see `Girdle`.
    """

    ankle: np.ndarray
    heel: np.ndarray
    ball: np.ndarray
    joint: np.ndarray
    toe: np.ndarray
    bends: np.ndarray
    on_toes: bool = False
    least_pitch: np.ndarray = field(default_factory=lambda: np.full(2, -np.pi))
    pads: np.ndarray = field(default_factory=lambda: np.zeros(2, dtype=bool))

    @classmethod
    def of(cls, body: Girdle) -> "Sole":
        """Return the soles of a body."""
        turn = about_z(-body.foot_heading)
        under = body.ankle * ON_GROUND
        ankle, heel, ball, joint, toe = (
            rotated(turn, points - under)
            for points in (body.ankle, body.heel, body.ball, body.toe_joint, body.toe)
        )
        # never where the joint is missing: NaN
        bends = toe[:, 0] - joint[:, 0] > SHORTEST_TOES * body.leg_length
        joint = np.where(bends[:, None], joint, toe)
        return cls(ankle, heel, ball, joint, toe, bends, body.on_toes, body.least_pitch, body.pads)

    @cached_property
    def resting(self) -> np.ndarray:
        """Heights of heel, ball and toe tip `(2, 3)` of a standing foot."""
        return np.stack([self.heel[:, 2], self.ball[:, 2], self.toe[:, 2]], axis=-1)

    @cached_property
    def resting_pivots(self) -> np.ndarray:
        """Heights of heel, toe joint and toe tip `(2, 3)` of a standing foot."""
        return np.stack([self.heel[:, 2], self.joint[:, 2], self.toe[:, 2]], axis=-1)

    @cached_property
    def length(self) -> float:
        """Heel to ball in metres, the mean of both feet."""
        return float(np.mean(self.joint[:, 0] - self.heel[:, 0]))

    def joints(self, feet: Feet) -> np.ndarray:
        """Return the places of the toe joints `(f, 2, 3)`."""
        return feet.ankle + rotated(feet.turn, self.joint - self.ankle)

    def points(self, feet: Feet) -> np.ndarray:
        """Return heel, ball and toe tip of feet `(f, 2, 3, 3)`."""
        heel, joint, toe = np.moveaxis(self.pivots(feet), 2, 0)
        return np.stack([heel, joint + rotated(feet.toe, self.ball - self.joint), toe], axis=2)

    def pivots(self, feet: Feet) -> np.ndarray:
        """Return heel, toe joint and toe tip of feet `(f, 2, 3, 3)`."""
        joint = self.joints(feet)
        if self.on_toes:
            turn = np.where(self.pads[:, None, None], feet.turn, feet.toe)
            heel = joint + rotated(turn, self.heel - self.joint)
        else:
            heel = feet.ankle + rotated(feet.turn, self.heel - self.ankle)
        return np.stack([heel, joint, joint + rotated(feet.toe, self.toe - self.joint)], axis=2)

    def grazing(self, feet: Feet) -> tuple[np.ndarray, np.ndarray]:
        """Return the points of swinging feet that can graze noses `(f, 2, 3, 3)`, and their heights in a
        standing foot `(2, 3)`.

        These are heel, toe joint and tip; for a foot in one piece, whose joint is its tip, the ball instead
        of the tip twice.
        """
        bends = self.bends[:, None]
        return np.where(bends[..., None], self.pivots(feet), self.points(feet)), np.where(
            bends, self.resting_pivots, self.resting
        )

    def lifted(self, feet: Feet, floor: np.ndarray | float) -> Feet:
        """Return feet with no part of their soles lower than a `floor` `(f, 2)`."""
        lacking = floor - self.heights(feet).min(axis=-1)
        return feet.moved(np.maximum(lacking, 0.0)[..., None] * UP)

    def heights(self, feet: Feet) -> np.ndarray:
        """Return the height of heel, ball and toe tip `(f, 2, 3)` above their height in a standing foot."""
        return self.points(feet)[..., 2] - self.resting
