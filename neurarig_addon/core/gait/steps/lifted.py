"""How far moving ground has risen from step to step: a ride in a lift is no climb, however high the next print is above the last."""

from dataclasses import replace

import numpy as np

from ...ground.moving import GroundAt
from ...ground.prints import Prints

# Heights are sums over steps from wherever the plan begins: rounded to binary fractions of a metre, their differences are exact.
PART = 2.0**-40


def lifted_until(ground: GroundAt, place: np.ndarray, phase: np.ndarray) -> np.ndarray:
    """Return how far the ground has risen until each print is touched `(steps, 2)`, counted from the first one.

    `ground`: at touchdown.  `place` `(steps, 2, 3)`: of prints touched at phases `(steps, 2)` of the walk.
    It is how much the ground under the previous print is higher now than that print was.
    """
    order = np.argsort(phase.reshape(-1), kind="stable")
    flat = place.reshape(-1, 3)[order]
    before = np.concatenate([flat[:1, :2], flat[:-1, :2]])
    now = GroundAt(ground.ground, ground.samples.reshape(-1)[order]).height(np.concatenate([before, flat[:, 2:]], axis=-1))
    climb = np.where(np.isnan(now), np.diff(flat[:, 2], prepend=flat[:1, 2]), flat[:, 2] - now)
    climb[0] = 0.0
    found = np.empty(len(flat))
    found[order] = flat[:, 2] - np.cumsum(_in_parts(climb))
    return found.reshape(phase.shape)


def unlifted(height: np.ndarray, lifted: np.ndarray) -> np.ndarray:
    """Return heights `(...)` without the rise of the ground."""
    return _in_parts(height - lifted)


def climbed(prints: Prints, heights: np.ndarray) -> Prints:
    """Return the prints at other heights `(...)`."""
    return replace(prints, place=np.concatenate([prints.place[..., :2], heights[..., None]], axis=-1))


def _in_parts(metres: np.ndarray) -> np.ndarray:
    return np.round(metres / PART) * PART
