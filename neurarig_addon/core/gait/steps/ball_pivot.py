"""Turning on the ball: the heel of a standing foot swings round, the ball stays.

The heel comes up a little, the foot turns, the heel comes down in its new place; push-off is as from any print.  Only the ball
bears weight, so slip is zero by geometry here too.
"""

import numpy as np

from ...easing import over, smoothstep
from ...ground.rocker import unflattened
from ...ground.sole import Sole

# Shares of the stance: the heel comes up, the foot turns, the heel comes down, toes roll.  People turn in the later half of a stance.
HEEL_UP, TURNS, HEEL_DOWN, TOES_ROLL = (0.1, 0.25), (0.25, 0.72), (0.72, 0.9), (0.72, 0.8)
# Heel pitch at full lift, and the turn of the foot at which it is half of that.
LIGHT, HALF_LIGHT = np.radians(6.0), np.radians(12.0)
SOFT = np.radians(2.0)  # pitch within which a heel that rises anyway takes over


def turned_by(share: np.ndarray) -> np.ndarray:
    """Return the share of its turn that a foot has made, 0 to 1, after shares of its stance `(...)`; smooth to the second order."""
    s = np.clip((share - TURNS[0]) / (TURNS[1] - TURNS[0]), 0.0, 1.0)
    return s**3 * (10.0 + s * (6.0 * s - 15.0))


def lightness(share: np.ndarray) -> np.ndarray:
    """Return how light heels are, 0 to 1, after shares of the stance `(...)`: 1 while feet turn."""
    return _between(share, HEEL_UP, HEEL_DOWN)


def toes_flat(share: np.ndarray) -> np.ndarray:
    """Return how flat toes are kept, 0 to 1, after shares of the stance `(...)`: 1 wherever feet turn; they roll off as without a turn."""
    return _between(share, HEEL_UP, TOES_ROLL)


def _between(share: np.ndarray, comes: tuple[float, float], goes: tuple[float, float]) -> np.ndarray:
    up, down = ((share - begins) / (ends - begins) for begins, ends in (comes, goes))
    return smoothstep(up) * (1.0 - smoothstep(down))


def light_heel(pitch: np.ndarray, angle: np.ndarray, light: np.ndarray) -> np.ndarray:
    """Return the pitch `(...)`, before flattening, of feet that turn by `angle` `(...)` on the ball, the heel raised by `light`.

    A heel that is up farther anyway stays there.
    """
    size = np.abs(angle)
    least = unflattened(np.maximum(LIGHT * size / (size + HALF_LIGHT), 1e-9))
    return np.where(angle != 0.0, pitch + light * over(least - pitch, SOFT), pitch)


def ball_of(sole: Sole) -> np.ndarray:
    """Return the points `(2, 3)` on the ground that feet turn about, from the point under the ankle: the tip, without toes.

    It is the ball in the middle of the sole, not the joint above: a toe bone may lie to one side.
    """
    return np.where(sole.bends[:, None], sole.ball, sole.toe) * [1.0, 1.0, 0.0]
