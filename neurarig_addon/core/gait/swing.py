"""The foot in the air: from the exact pose and velocity of toe-off to those of the next heel strike.

A cubic Hermite curve joins the two; the network's curve adds its shape, less its own Hermite curve, so that what is added vanishes with
its slope at both ends.  Whatever the network says, the foot leaves and lands as the contacts demand.
"""

import numpy as np

# Heights below which nothing of the sole goes in mid swing, in leg lengths, and the band in which it is eased off.
CLEARANCE, CLEARANCE_BAND = 0.022, 0.02
HIGH_STEP = 0.12  # leg lengths that each step height beyond the natural one lifts the foot in mid swing


def hermite(share: np.ndarray, start: np.ndarray, leave: np.ndarray, end: np.ndarray, arrive: np.ndarray) -> np.ndarray:
    """Return the cubic `(..., n)` through `start` and `end` with slopes `leave` and `arrive` per unit of `share` `(...)` in 0..1."""
    s = share[..., None]
    return (
        (1.0 + 2.0 * s) * (1.0 - s) ** 2 * start + s * (1.0 - s) ** 2 * leave + s * s * (3.0 - 2.0 * s) * end - s * s * (1.0 - s) * arrive
    )


def high_step(share: np.ndarray, leg_length: float, wish: np.ndarray) -> np.ndarray:
    """Return metres `(...)` to lift the foot beyond the natural step, for a step height of `wish` times natural.

    Highest in mid swing, so that the knee comes up in front; people's own path is highest just after toe-off, and more of it would only
    kick the heel up behind.
    """
    return HIGH_STEP * leg_length * np.maximum(wish - 1.0, 0.0) * (4.0 * share * (1.0 - share)) ** 2


def clearance_lift(share: np.ndarray, heights: np.ndarray, leg_length: float, wish: np.ndarray) -> np.ndarray:
    """Return how far to raise the foot `(...)` so that its sole points at `heights` `(..., points)` keep off the ground.

    The floor is 0 at both ends of the swing and highest in the middle, `wish` times the natural (never more).  It is approached softly,
    and the lifts of the points join in a norm instead of a maximum, so that velocities stay continuous.
    """
    window = ((4.0 * share * (1.0 - share)) ** 2)[..., None]
    floor = CLEARANCE * leg_length * np.clip(wish, 0.0, 1.0)[..., None] * window
    band = CLEARANCE_BAND * leg_length * window + 1e-9
    missing = floor - heights
    soft = (missing + band) ** 2 / (4.0 * band)
    lifts = np.where(missing <= -band, 0.0, np.where(missing >= band, missing, soft))
    return np.sum(lifts**4, axis=-1) ** 0.25
