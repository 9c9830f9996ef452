"""Turning on the ball: a foot whose heel swings round while it stands, the ball where it is.

The heel comes up a little, the foot turns, the heel comes down where that leads; push-off finds all as it finds any print.  The ball is the
one point that bears, so slip is zero by geometry here too.
"""

import numpy as np

from ...easing import over, smoothstep
from ...ground.rocker import unflattened
from ...ground.sole import Sole

# Shares of the stance: the heel comes up, the foot turns, the heel comes down, toes roll.  People turn in the later half of a stance.
HEEL_UP, TURNS, HEEL_DOWN, TOES_ROLL = (0.1, 0.25), (0.25, 0.72), (0.72, 0.9), (0.72, 1.0)
# How far the heel is up, and how far a foot turns for half of that.
LIGHT, HALF_LIGHT = np.radians(6.0), np.radians(12.0)
SOFT = np.radians(2.0)  # within which a heel that comes up by itself takes over


def turned_by(share: np.ndarray) -> np.ndarray:
    """Return how much of its turn a foot has made, 0 to 1, after shares of its stance `(...)`; level to the second slope at both ends."""
    s = np.clip((share - TURNS[0]) / (TURNS[1] - TURNS[0]), 0.0, 1.0)
    return s**3 * (10.0 + s * (6.0 * s - 15.0))


def lightness(share: np.ndarray) -> np.ndarray:
    """Return how light heels are, 0 to 1, after shares of the stance `(...)` in which feet turn: 1 wherever they do."""
    return _between(share, HEEL_UP, HEEL_DOWN)


def toes_flat(share: np.ndarray) -> np.ndarray:
    """Return how flat toes are kept, 0 to 1, after shares of the stance `(...)`: 1 wherever feet turn; they roll off as if they had not."""
    return _between(share, HEEL_UP, TOES_ROLL)


def _between(share: np.ndarray, comes: tuple[float, float], goes: tuple[float, float]) -> np.ndarray:
    up, down = ((share - begins) / (ends - begins) for begins, ends in (comes, goes))
    return smoothstep(up) * (1.0 - smoothstep(down))


def light_heel(pitch: np.ndarray, angle: np.ndarray, light: np.ndarray) -> np.ndarray:
    """Return the pitch `(...)`, before it is flattened, of feet that turn by `angle` `(...)` on the ball, as `light` as that: the heel up.

    Where it is up farther by itself, it stays so.
    """
    size = np.abs(angle)
    least = unflattened(np.maximum(LIGHT * size / (size + HALF_LIGHT), 1e-9))
    return np.where(angle != 0.0, pitch + light * over(least - pitch, SOFT), pitch)


def ball_of(sole: Sole) -> np.ndarray:
    """Return the points `(2, 3)` on the ground that feet turn about, from the point under the ankle: the tip of a foot in one piece."""
    return sole.joint * [1.0, 1.0, 0.0]
