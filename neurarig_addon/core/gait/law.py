"""The law of a gait: how long its strides are, and how much of a stride a foot stays on the ground."""

from typing import Protocol

import numpy as np

from ..body import Body
from .cycle import natural_duty, natural_lead, natural_stride


class GaitLaw(Protocol):
    """What a walk source decides besides the shapes of its curves.

    `least_duty`, `most_duty`: what sliders may make of the duty factor.  `cornered`: the curves may have corners where a foot lifts and
    lands, so that their slopes there differ on the two sides.
    """

    least_duty: float
    most_duty: float
    cornered: bool

    def stride(self, speed: np.ndarray, body: Body) -> np.ndarray:
        """Return metres a cycle for speeds in m/s, of the same shape."""
        ...

    def duty(self, speed: np.ndarray, body: Body, side: np.ndarray | int) -> np.ndarray:
        """Return the share of the cycle on the ground for speeds in m/s and sides (LEFT or RIGHT), of their common shape."""
        ...

    def lead(self, speed: np.ndarray, body: Body) -> np.ndarray:
        """Return how far the curves carry the pelvis ahead, in metres, of the same shape: the whole walk is moved back by it.

        So the root of a character is under its hips, as at rest.
        """
        ...


class HumanLaw:
    """What people do: a double support in every step, and smooth curves."""

    least_duty, most_duty = 0.51, 0.85
    cornered = False

    def stride(self, speed: np.ndarray, body: Body) -> np.ndarray:
        """Return metres a cycle (see `natural_stride`)."""
        return natural_stride(speed, body.leg_length)

    def duty(self, speed: np.ndarray, body: Body, side: np.ndarray | int) -> np.ndarray:
        """Return the natural duty factor, the same on both sides (see `natural_duty`)."""
        return natural_duty(speed, body.leg_length) + 0.0 * np.asarray(side)

    def lead(self, speed: np.ndarray, body: Body) -> np.ndarray:
        """Return metres (see `natural_lead`)."""
        return natural_lead(speed, body.leg_length)


HUMAN = HumanLaw()
