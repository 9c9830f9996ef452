"""A body's limits: how long a foot may stand, how fast legs swing."""

import numpy as np

from .law import GaitLaw
from .natural import GRAVITY, SOLE_LEG_SHARE

LEAST_WALKING_DUTY, FLYING_DUTY = 0.51, 0.48  # a run keeps its flight, a walk never gets one
FASTEST_STEPS = 1.6  # steps per second x sqrt(leg / g): 313 per minute for an adult; sprinters take 290


def duty_bounds(law: GaitLaw, natural: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the bounds of a duty factor `(...)` given the `natural` one: a walk stays a walk, a run a run."""
    walks = natural >= 0.5
    least, most = law.least_duty, law.most_duty
    if not law.contacts.takes_turns:  # here more than the duty factor decides whether there is a flight
        return np.full_like(natural, least), np.full_like(natural, most)
    return np.where(walks, max(least, LEAST_WALKING_DUTY) if law.runs else least, least), np.where(walks, most, min(most, FLYING_DUTY))


def shortest_stride(speed: np.ndarray, leg_length: float) -> np.ndarray:
    """Return the shortest stride in metres `(...)` at speeds in m/s: below it legs would have to move faster than anybody's."""
    return speed * 2.0 / (FASTEST_STEPS * np.sqrt(GRAVITY / (SOLE_LEG_SHARE * leg_length)))
