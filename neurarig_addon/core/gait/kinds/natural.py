"""What people do at a speed, in closed form: stride, duty factor, and how far the hips are ahead of the feet.

Speeds are made dimensionless with the leg from hip joint to sole, vhat = v / sqrt(g leg), as in the gait
literature (Alexander 1976).
"""

import numpy as np

from ...body.sole import Sole
from ...character.body import Body
from ..inputs.proportions import foot_build

GRAVITY = 9.81  # m/s^2
# Hip joint to sole over hip joint to ankle in people; published fits use the sole.
SOLE_LEG_SHARE = 1.09
SLOW_VHAT, SLOW_BAND, SLOW_LONGER = 0.33, 0.3, 0.12
# Swings scale with strides (see `natural_stride`), up to this factor over the speed at which they were
# learned, and vanish at rest.
GROWS, MOST_GROWN = 0.56, 1.35
NATURAL_VHAT = 0.42  # the speed people choose (gait norms: 0.41)


def dimensionless_speed(speed: float | np.ndarray, leg_length: float | np.ndarray) -> np.ndarray:
    """Return vhat of a speed in m/s for a leg (thigh plus shin) in metres."""
    return np.asarray(speed) / np.sqrt(GRAVITY * SOLE_LEG_SHARE * leg_length)


def speed_of(vhat: float, leg_length: float) -> float:
    """Return the speed in m/s of a vhat for a leg (thigh plus shin) in metres."""
    return float(vhat * np.sqrt(GRAVITY * SOLE_LEG_SHARE * leg_length))


def chosen_speed(leg_length: float) -> float:
    """Return the speed in m/s that people choose, for a leg (thigh plus shin) in metres."""
    return speed_of(NATURAL_VHAT, leg_length)


def natural_stride(speed: np.ndarray, leg_length: float | np.ndarray) -> np.ndarray:
    """Return the stride length in metres that people take at a speed in m/s.

    2.57 legs x vhat^0.56 (42 walks of 9 people, from vhat 0.28 on); in slower walks it falls with vhat^0.42
    (Grieve 1968, Kuo 2001), so that strides are up to an eighth longer.
    """
    vhat = np.maximum(dimensionless_speed(speed, leg_length), 0.0)
    slower = np.log(np.maximum(SLOW_VHAT / np.maximum(vhat, 1e-12), 1.0))
    longer = np.exp(SLOW_LONGER * slower * slower / (slower * slower + SLOW_BAND))
    return SOLE_LEG_SHARE * leg_length * 2.57 * vhat**GROWS * longer


def natural_period(speed: np.ndarray, leg_length: float | np.ndarray) -> np.ndarray:
    """Return the seconds that a stride takes at a speed in m/s; infinite at rest."""
    speed = np.asarray(speed, dtype=float)
    moving = np.maximum(speed, 1e-9)
    return np.where(speed > 1e-9, natural_stride(moving, leg_length) / moving, np.inf)


def natural_duty(speed: np.ndarray, leg_length: float | np.ndarray) -> np.ndarray:
    """Return the share of the cycle that a foot is on the ground, never a run.

    0.685 - 0.178 vhat: the slope is from motion capture walks, the level (0.61 at natural speed) from force
    plates.
    """
    return np.clip(0.685 - 0.178 * dimensionless_speed(speed, leg_length), 0.52, 0.685)


def natural_lead(speed: np.ndarray, leg_length: float | np.ndarray) -> np.ndarray:
    """Return how far the hips are ahead of the middle of the footprint at mid-stance, in metres: people's
    legs trail.

    0.153 vhat / (vhat + 0.09) leg lengths, within 0.007 of the human gait on an adult.
    """
    vhat = np.maximum(dimensionless_speed(speed, leg_length), 0.0)
    return 0.153 * leg_length * vhat / (vhat + 0.09)


def natural_speed(body: Body, fps: float) -> float:
    """Return a comfortable speed in m/s whose cycle is an even number of frames, so that loops and half loops
    fall on frames."""
    leg, share = body.leg_length, foot_build(body, Sole.of(body)).steps
    comfortable = np.array(chosen_speed(leg))
    period = share * float(natural_period(comfortable, leg))
    frames = max(4.0, 2.0 * np.round(period * fps / 2.0))
    # The period is proportional to v^-0.44, so the speed for a given period has a closed form.
    return float(comfortable * (period * fps / frames) ** (1.0 / 0.44))
