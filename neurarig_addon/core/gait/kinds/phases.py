"""Phases of one duty factor in terms of another: equally far into stance or swing."""

import numpy as np

from ...easing import smoothstep

STANDSTILL_VHAT = 0.1  # dimensionless speed below which a walk is stopping


def natural_phase(phase: np.ndarray, duty: np.ndarray, natural: np.ndarray) -> np.ndarray:
    """Return the phase in 0..1 at which a natural walk is as far into stance or swing as a step with another duty factor."""
    share = phase % 1.0
    swing = natural + (share - duty) / (1.0 - duty) * (1.0 - natural)
    return np.where(share < duty, share * natural / duty, swing)


def eased_phase(phase: np.ndarray, duty: np.ndarray, natural: np.ndarray) -> np.ndarray:
    """Return a smooth version of `natural_phase`, without corners at toe-off and heel strike, for parts not on the ground."""
    share = phase % 1.0
    along = np.where(share < duty, share / duty, (1.0 - share) / (1.0 - duty))
    return share + (natural - duty) * smoothstep(along)


def moving(vhat: np.ndarray) -> np.ndarray:
    """Return 1 for a walk, smoothly 0 at a standstill: a stop in mid-step puts the foot down."""
    share = np.minimum(np.maximum(vhat / STANDSTILL_VHAT, 0.0), 1.0)
    return smoothstep(share)
