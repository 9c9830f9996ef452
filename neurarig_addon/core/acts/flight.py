"""A flight of the body's middle: free from the take-off to the landing, and as high as its way asks."""

from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from ..errors import NeuraRigError
from ..gait.kinds.natural import GRAVITY
from .act import STAND, STEP, Act
from .gentle import Gentle

DOWN = np.array([0.0, 0.0, -GRAVITY])
# Leg lengths that the middle rises above the higher end of a jump, more per leg length of way, of a climb
# less, and at least.
LEAST_RISE, RISE_BY_WAY, CLIMBS_LESS, LEAST_OVER = (
    {STAND: 0.10, STEP: 0.03},
    {STAND: 0.10, STEP: 0.07},
    0.5,
    0.04,
)


@dataclass(frozen=True)
class Ballistic:
    """A flight from one place of the body's middle to another `(3,)`: how long it lasts, and its velocities
    at both ends `(3,)`."""

    begin: np.ndarray
    end: np.ndarray
    seconds: float

    @classmethod
    def over(cls, begin: np.ndarray, end: np.ndarray, rise: float) -> "Ballistic":
        """Return the flight that rises so many metres above the higher end."""
        top = max(begin[2], end[2]) + rise
        falls = top - np.stack([begin, end])[:, 2]
        return cls(begin, end, float(np.sqrt(2.0 * falls / GRAVITY).sum()))

    @property
    def leaves(self) -> np.ndarray:
        """The velocity at take-off."""
        return (self.end - self.begin) / self.seconds - 0.5 * DOWN * self.seconds

    @property
    def lands(self) -> np.ndarray:
        """The velocity at landing."""
        return self.leaves + DOWN * self.seconds


def rise_in(seconds: float, climb: float) -> float:
    """Return how many metres a flight of so many seconds rises above its higher end, which may be a `climb`
    above the other."""
    up = climb / max(seconds, 1e-3) + 0.5 * GRAVITY * seconds
    return up * abs(up) / (2.0 * GRAVITY) - max(climb, 0.0)


@dataclass(frozen=True)
class Catch:
    """The middle of the body over an act: `up` to the take-off and `down` from the landing gently, `flight`
    in between.

    `leaves`, `lands`: seconds of play."""

    up: Gentle
    flight: Ballistic
    down: Gentle
    leaves: float
    lands: float

    @property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Where the middle is as the act begins and as it ends `(3,)`."""
        return self.up.knots[0].place, self.down.knots[-1].place

    def middle(self, at: np.ndarray) -> np.ndarray:
        """Return the middle `(f, 3)` at times `(f,)`; the ways on the ground are worked out only for
        these."""
        since = np.clip(at - self.leaves, 0.0, self.lands - self.leaves)[:, None]
        found = self.flight.begin + since * self.flight.leaves + 0.5 * since**2 * DOWN
        for way, rows in ((self.up, at < self.leaves), (self.down, at > self.lands)):
            if rows.any():
                found[rows] = way(at[rows])
        return found


def seconds_of_dip(depth: float, share: float) -> float:
    """Return the seconds in which a body sinks or rises by metres from rest to rest, at most at a `share` of
    gravity.

    The quintic from rest to rest needs 10 / sqrt(3) times the way over the square of its time at most.
    """
    return float(np.sqrt(10.0 / np.sqrt(3.0) * max(depth, 0.0) / (share * GRAVITY)))


# In an adult's metres a second, x sqrt(leg in leg lengths of an adult): upward at take-off at most, and
# gained along the ground. Of a body that comes faster more upward, by so much of its speed.
MOST_UP, MOST_GAINED = {STAND: 2.9, STEP: 1.6}, {STAND: 2.7, STEP: 1.2}
UP_BY_SPEED = {STAND: 0.0, STEP: 0.4}
# Who leaps keeps so much of his speed, as far as he then rises at most with so much of what he can (six
# recorded leaps of three people, coming at 1.1 to 3.2 m/s).
KEEPS, LIFTS = 0.9, 0.8
ADULT_LEG = 0.85
# Leg lengths of a leap that is asked for without a length, from a walk and from a run, and of the shortest
# one: the next step, but through the air.
LEAPS, LEAST_LEAP = (1.0, 1.6), 0.25
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
        up = MOST_UP[base] * scale + UP_BY_SPEED[base] * comes
        return cls(up, comes + MOST_GAINED[base] * scale, comes)

    @property
    def rise(self) -> float:
        """Metres that the middle of the body rises at most."""
        return self.up * self.up / (2.0 * GRAVITY)

    def usual_rise(self, base: str, leg_length: float, way: float, climb: float) -> float:
        """Return how many metres the middle of a body rises above the higher end of a jump that goes `way`
        metres along the ground.

        `climb`: metres from the take-off up to the landing: on to a box it rises no higher than it must.
        """
        usual = LEAST_RISE[base] * leg_length + RISE_BY_WAY[base] * way - CLIMBS_LESS * max(climb, 0.0)
        if base == STEP and self.comes > 0.0:
            keeping = rise_in(way / (KEEPS * self.comes), climb)
            usual = max(usual, min(keeping, LIFTS * LIFTS * self.rise - max(climb, 0.0)))
        return min(max(usual, LEAST_OVER * leg_length), self.rise - max(climb, 0.0))

    def allow(self, flight: Ballistic, roughly: float = 1.001) -> bool:
        """Return whether a flight is within them, or `roughly` times them."""
        return (
            float(flight.leaves[2]) <= roughly * self.up
            and float(np.linalg.norm(flight.leaves[:2])) <= roughly * self.along
        )


def length_of(act: Act, asked: float, leg_length: float, runs: bool) -> float:
    """Return how many metres an act goes: as `asked`, and off one foot as far as one leaps who `runs`, or
    walks, if that is 0.

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
    return asked or LEAPS[runs] * leg_length


def refuse(act: Act, what: str, possible: str, remedy: str) -> NoReturn:
    """Raise NeuraRigError about an act that asks for too much."""
    raise NeuraRigError(f"{act.name}: {what}; {possible} are possible. {remedy}.")


def metres_down(possible: float, digits: int) -> str:
    """Return metres as written, rounded down, so that what is said to be possible is."""
    down = np.floor(max(possible, 0.0) * 10**digits) / 10**digits
    return f"{down:.{digits}f} m"
