"""The law of a run in closed form.

Fits, within 3 %, to published runs from 2 to 9 m/s, all lengths relative to the leg from hip joint to sole, L, and speeds to sqrt(g L):
steps a second x sqrt(L/g) = 0.77 + 0.0546 vhat^2; metres that the body travels over a standing foot / L = 1.197 - 1.064 exp(-1.066 vhat).
"""

import numpy as np

from ...contract.inputs import VELOCITY, legs_of
from ...easing import smoothstep
from .contacts import TURNS
from .natural import GRAVITY, SOLE_LEG_SHARE, dimensionless_speed, natural_duty, speed_of

STEP_RATE, RATE_RISE = 0.77, 0.0546
CONTACT_LONG, CONTACT_LESS, CONTACT_FALL = 1.197, 1.064, 1.066
NATURAL_RUN_VHAT, COMFORTABLE = 1.0, (0.7, 1.35)  # 3 m/s for an adult, and the range around it that is comfortable
MOST_FLYING_DUTY = 0.46  # jogging at walking speed still leaves the ground
# Dimensionless speeds between which a run fades to rest: standing is on both legs.
RESTING_VHAT, RUNNING_VHAT = 0.08, 0.25


def run_stride(speed: np.ndarray, leg_length: float | np.ndarray) -> np.ndarray:
    """Return runners' stride length in metres at a speed in m/s, for thigh plus shin in metres."""
    vhat = np.maximum(dimensionless_speed(speed, leg_length), 0.0)
    return 2.0 * SOLE_LEG_SHARE * leg_length * vhat / (STEP_RATE + RATE_RISE * vhat**2)


def run_duty(speed: np.ndarray, leg_length: float | np.ndarray) -> np.ndarray:
    """Return the share of the cycle that a runner's foot is on the ground: below one half, except when coming to rest."""
    vhat = np.maximum(dimensionless_speed(speed, leg_length), 1e-6)
    contact = CONTACT_LONG - CONTACT_LESS * np.exp(-CONTACT_FALL * vhat)
    flying = _softly_below(contact * (STEP_RATE + RATE_RISE * vhat**2) / (2.0 * vhat), MOST_FLYING_DUTY)
    moving = np.clip((vhat - RESTING_VHAT) / (RUNNING_VHAT - RESTING_VHAT), 0.0, 1.0)
    standing = natural_duty(speed, leg_length)
    return standing + smoothstep(moving) * (flying - standing)


def _softly_below(values: np.ndarray, most: float, sharpness: float = 20.0) -> np.ndarray:
    """Return values limited softly to below `most`."""
    return (np.maximum(values, 1e-9) ** -sharpness + most**-sharpness) ** (-1.0 / sharpness)


def run_lead(speed: np.ndarray, leg_length: float | np.ndarray) -> np.ndarray:
    """Return how far runners' hips are ahead of the middle of the footprint at mid-stance, in metres, within 3 cm of the human run."""
    vhat = np.maximum(dimensionless_speed(speed, leg_length), 0.0)
    return leg_length * (0.27 - 0.055 * vhat) * vhat / (vhat + 0.06)


def natural_run_speed(leg_length: float, fps: float) -> float:
    """Return a comfortable running speed in m/s whose cycle is a whole number of frames, even where that stays comfortable."""
    pace = np.sqrt(SOLE_LEG_SHARE * leg_length / GRAVITY)
    comfortable = STEP_RATE + RATE_RISE * NATURAL_RUN_VHAT**2
    frames = max(4.0, 2.0 * np.round(fps * pace / comfortable))
    rate = 2.0 * fps * pace / frames
    vhat = np.sqrt(max(rate - STEP_RATE, 0.0) / RATE_RISE)
    return speed_of(vhat if COMFORTABLE[0] < vhat < COMFORTABLE[1] else NATURAL_RUN_VHAT, leg_length)


class RunLaw:
    """The law of human running: a flight in every step, smooth curves."""

    least_duty, most_duty = 0.15, 0.85
    longest_stride = 6.0
    cornered = False
    runs = True
    changes_at = None
    contacts = TURNS

    def stride(self, slow: np.ndarray) -> np.ndarray:
        """Return metres per cycle (see `run_stride`)."""
        return run_stride(slow[..., VELOCITY], legs_of(slow))

    def duty(self, slow: np.ndarray, which: np.ndarray | int) -> np.ndarray:
        """Return the duty factor, the same on both sides (see `run_duty`)."""
        return run_duty(slow[..., VELOCITY], legs_of(slow)) + 0.0 * np.asarray(which)

    def lead(self, slow: np.ndarray) -> np.ndarray:
        """Return metres (see `run_lead`)."""
        return run_lead(slow[..., VELOCITY], legs_of(slow))

    def running(self, slow: np.ndarray) -> np.ndarray:
        """Return 1 `(...)`: a run throughout."""
        return np.ones(slow.shape[:-1])


RUN = RunLaw()
