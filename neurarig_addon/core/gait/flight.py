"""The body of a runner: on a spring while a foot stands, in free fall between."""

import numpy as np

from ..body import LEFT, RIGHT
from .natural import GRAVITY

LET_GO = 0.14  # of the swing, at both of its ends: how long a leg in the air still holds the pelvis


def spring_rise(share: np.ndarray, contact: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Return how high a body is in metres against where it touches down, when a `share` 0..1 `(...)` of its step is over.

    `contact`, `step` `(...)`: seconds that a foot stands, and that a step takes; who is never in the air stands for all of it.
    The ground's force is half a sine (Morin et al. 2005) and carries the body's weight on average, so that height and speed meet at
    both ends of the contact; between contacts the body falls freely.
    """
    contact = np.maximum(np.minimum(contact, step), 1e-9)
    flight, now = step - contact, share * step
    standing = np.clip(now, 0.0, contact)
    stance = 0.5 * GRAVITY * standing * (contact - standing)
    stance -= GRAVITY * step * contact / (2.0 * np.pi) * np.sin(np.pi * standing / contact)
    aloft = np.maximum(now - contact, 0.0)
    return stance + 0.5 * GRAVITY * aloft * (flight - aloft)


def step_share(phase: np.ndarray, apart: float) -> np.ndarray:
    """Return how much of the step under way is over, 0..1 `(f,)`, for foot phases `(f, 2)`; the right one is `apart` cycles ahead."""
    left, right = phase[:, LEFT] % 1.0, phase[:, RIGHT] % 1.0
    gap = (-apart) % 1.0
    return np.where(left < gap, left / gap, right / (1.0 - gap))


def holding(phase: np.ndarray, duty: np.ndarray) -> np.ndarray:
    """Return how much legs hold the pelvis down `(f, 2)`: 1 while the foot stands, soon 0 in the air."""
    swing = np.clip((phase % 1.0 - duty) / (1.0 - duty), 0.0, 1.0)
    ends = np.maximum(1.0 - np.minimum(swing, 1.0 - swing) / LET_GO, 0.0)
    return ends * ends
