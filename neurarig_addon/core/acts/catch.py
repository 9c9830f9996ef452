"""The way of the body's middle through a jump: pushed off, in free fall, and caught."""

from dataclasses import dataclass

import numpy as np

from ..easing import bell
from ..gait.kinds.natural import GRAVITY
from .flight import DOWN, Ballistic
from .gentle import Gentle


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

    def lift(self, at: np.ndarray) -> np.ndarray:
        """Return how much higher feet in the air are `(f,)` than in a step on the ground: as the flight
        rises, but smooth at both ends."""
        share = np.clip((at - self.leaves) / (self.lands - self.leaves), 0.0, 1.0)
        return 0.125 * GRAVITY * self.flight.seconds**2 * bell(share)


def seconds_of_dip(depth: float, share: float) -> float:
    """Return the seconds in which a body sinks or rises by metres from rest to rest, at most at a `share` of
    gravity.

    The quintic from rest to rest needs 10 / sqrt(3) times the way over the square of its time at most.
    """
    return float(np.sqrt(10.0 / np.sqrt(3.0) * max(depth, 0.0) / (share * GRAVITY)))
