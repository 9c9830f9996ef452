"""Phases of one gait in terms of another: how far into stance or swing a foot is."""

import numpy as np

from ...easing import smoothstep

STANDSTILL_VHAT = 0.1  # below this a walker is stopping


def natural_phase(phase: np.ndarray, duty: np.ndarray, natural: np.ndarray) -> np.ndarray:
    """Return the phase in 0..1 at which a natural walk is as far into stance or swing as a step with another duty factor is."""
    share = phase % 1.0
    swing = natural + (share - duty) / (1.0 - duty) * (1.0 - natural)
    return np.where(share < duty, share * natural / duty, swing)


def eased_phase(phase: np.ndarray, duty: np.ndarray, natural: np.ndarray) -> np.ndarray:
    """Return much the same as `natural_phase` without its corners at toe-off and heel strike, for what is not bound to the ground."""
    share = phase % 1.0
    along = np.where(share < duty, share / duty, (1.0 - share) / (1.0 - duty))
    return share + (natural - duty) * smoothstep(along)


def moving(vhat: np.ndarray) -> np.ndarray:
    """Return 1 for a walk, smoothly 0 at a standstill: who stops in mid-step puts the foot down."""
    share = np.clip(vhat / STANDSTILL_VHAT, 0.0, 1.0)
    return smoothstep(share)
