"""When feet strike and lift under legs that neither bend nor stretch, as those of a pair of compasses.

A foot strikes flat when the hips have passed the middle between both feet: the longer a leg leans, the lower its hip, so the leg ahead
can then carry them.  The foot behind makes up for its leg by raising its heel, and lifts soon after.
"""

from dataclasses import dataclass

import numpy as np

from ...ground.sole import Sole

LONGEST_STRIDE = 1.75  # leg lengths: beyond it no heel can rise enough
DOUBLE = 0.03  # share of a step after a strike in which both feet stand
EXCHANGE = 0.12  # share of a cycle, ending at a heel strike, in which the hips go from the arc of one leg to that of the other
LEVER = 0.1  # leg lengths from the ankle ahead to the ball that suffice for these; on shorter feet both are shorter
LEAST = 0.05  # of them, for feet without any length


@dataclass(frozen=True)
class Compass:
    """How a body walks on rigid legs: the `exchange`, and the share `double` of a step in which both feet stand, see above."""

    exchange: float
    double: float

    @classmethod
    def of(cls, sole: Sole, leg_length: float) -> "Compass":
        """Return the compass of a body with some soles."""
        lever = float((sole.joint - sole.ankle)[:, 0].min()) / (LEVER * leg_length)
        share = float(np.clip(lever, LEAST, 1.0))
        return cls(EXCHANGE * share, DOUBLE * share)

    def timed(self, duty: np.ndarray, lead: np.ndarray, moving: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the duty factors `(steps, 2)`, the share of a step after which its print is under the root, and metres it lies behind.

        `duty`, `lead`: those of legs with knees; `moving` `(steps, 2)`: see `contacts.moving`.  The hips pass the middle between two prints
        half an exchange before a strike, and are over a print a quarter of a cycle later.
        """
        now, middle = 0.5 + self.double, 0.25 - 0.5 * self.exchange
        return duty + (now - duty) * moving, 0.5 * duty + (middle - 0.5 * duty) * moving, lead * (1.0 - moving)
