"""How high and far a body can jump, and what is said of a way that is too much for it.

What people can do: a standing broad jump leaves the ground at about 3 m/s, a jump straight up at 2.9; off one
foot a run keeps its speed, and up to 1.8 m/s upward hips are accelerated no more than in recorded jumps (see
`jump`).
"""

from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from ..errors import NeuraRigError
from ..gait.kinds.natural import GRAVITY
from .act import STAND, STEP, Act
from .flight import Ballistic

# In an adult's metres a second, x sqrt(leg in leg lengths of an adult): upward at take-off at most, and
# gained along the ground.
MOST_UP, MOST_GAINED = {STAND: 2.9, STEP: 1.8}, {STAND: 2.7, STEP: 1.2}
ADULT_LEG = 0.85
# Leg lengths of a leap that is asked for without a length, and of the shortest one: the next step, but
# through the air.
LEAPS, LEAST_LEAP = 1.0, 0.25
ROUGHLY = 1.02  # x the greatest speed, which a way may ask for
SHORTENS = 0.1  # metres by which a way is shortened until it is possible


@dataclass(frozen=True)
class Limits:
    """How fast a body can leave the ground, in metres a second: `up`, and `along` the ground if it `comes` at
    a speed."""

    up: float
    along: float
    comes: float

    @classmethod
    def of(cls, base: str, leg_length: float, comes: float) -> "Limits":
        """Return the limits of a body in an act of a base."""
        scale = float(np.sqrt(leg_length / ADULT_LEG))
        return cls(MOST_UP[base] * scale, comes + MOST_GAINED[base] * scale, comes)

    @property
    def rise(self) -> float:
        """Metres that the middle of the body rises at most."""
        return self.up * self.up / (2.0 * GRAVITY)

    def allow(self, flight: Ballistic, roughly: float = 1.001) -> bool:
        """Return whether a flight is within them, or `roughly` times them."""
        return (
            float(flight.leaves[2]) <= roughly * self.up
            and float(np.linalg.norm(flight.leaves[:2])) <= roughly * self.along
        )


def length_of(act: Act, asked: float, leg_length: float) -> float:
    """Return how many metres an act goes: as `asked`, and off one foot as far as one leaps if that is 0.

    Raises NeuraRigError for a leap to where the foot stands that it leaves.
    """
    if act.base != STEP:
        return asked
    least = LEAST_LEAP * leg_length
    if 0.0 < asked < least:
        up = np.ceil(100.0 * least) / 100.0
        raise NeuraRigError(
            f"{act.name}: {asked:.2g} m is too near for the other foot; {up:.2f} m or more are possible. 0 is"
            " as usual."
        )
    return asked or LEAPS * leg_length


def refuse(act: Act, what: str, possible: str, remedy: str) -> NoReturn:
    """Raise NeuraRigError about an act that asks for too much."""
    raise NeuraRigError(f"{act.name}: {what}; {possible} are possible. {remedy}.")


def metres_down(possible: float, digits: int) -> str:
    """Return metres as written, rounded down, so that what is said to be possible is."""
    down = np.floor(max(possible, 0.0) * 10**digits) / 10**digits
    return f"{down:.{digits}f} m"
