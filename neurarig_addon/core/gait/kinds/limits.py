"""What a body can: how long a foot may stand, how fast legs go to and fro."""

import numpy as np

from .law import GaitLaw
from .natural import GRAVITY, SOLE_LEG_SHARE

LEAST_WALKING_DUTY, FLYING_DUTY = 0.51, 0.48  # who leaves the ground in every step keeps doing so, and who does not, does not
FASTEST_STEPS = 1.6  # a second, x sqrt(leg / g): 313 a minute for an adult; sprinters take 290


def duty_bounds(law: GaitLaw, natural: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the least and the most of a duty factor `(...)` whose natural one is `natural`: a walk stays a walk, a run a run."""
    walks = natural >= 0.5
    least, most = law.least_duty, law.most_duty
    if not law.contacts.takes_turns:  # whether anybody flies is said by more than how long a foot stands
        return np.full_like(natural, least), np.full_like(natural, most)
    return np.where(walks, max(least, LEAST_WALKING_DUTY) if law.runs else least, least), np.where(walks, most, min(most, FLYING_DUTY))


def shortest_stride(speed: np.ndarray, leg_length: float) -> np.ndarray:
    """Return the stride in metres `(...)` at speeds in m/s below which legs would have to go faster than anybody's."""
    return speed * 2.0 / (FASTEST_STEPS * np.sqrt(GRAVITY / (SOLE_LEG_SHARE * leg_length)))
