"""How the ground goes under the body: as high as the prints it stands on, smoothly from one to the next."""

from dataclasses import dataclass

import numpy as np

from ..ground.reach import SOFT_BAND, UNEVEN_BAND
from .footsteps import Footsteps
from .walker import Moments, Walker

# Trunks lean into a hill, by so much of its angle up and down, and no farther.
LEAN_UP, LEAN_DOWN, MOST_UP, MOST_DOWN = 0.4, 0.15, np.radians(12.0), np.radians(4.0)
# On a hill the leg in front lands bent: the pelvis is lower, in leg lengths, half of it at a grade of so much.
SINKS, HALF_SUNK = 0.03, 0.12
HALF_UNEVEN, HALF_ROUGH = 0.06, 0.01  # grade and roughness at which legs hold the pelvis half as softly as they ever do


@dataclass(frozen=True)
class Going:
    """At some frames `(f,)`: the `height` of the ground under the body in metres, its `grade`, rise over way, and its `roughness`.

    That is how far prints are above or below the mean of those around them, in leg lengths.
    """

    height: np.ndarray
    grade: np.ndarray
    roughness: np.ndarray

    @property
    def lean(self) -> np.ndarray:
        """Radians that the trunk leans forward for it."""
        angle = np.arctan(self.grade)
        up, down = MOST_UP * np.tanh(LEAN_UP * angle / MOST_UP), MOST_DOWN * np.tanh(LEAN_DOWN * angle / MOST_DOWN)
        return np.where(angle > 0.0, up, down)

    @property
    def sunk(self) -> np.ndarray:
        """Leg lengths that the pelvis is lower for it."""
        return SINKS * _share((self.grade / HALF_SUNK) ** 2)

    @property
    def guard(self) -> np.ndarray:
        """Leg lengths within which the reach guard begins (see `ground.reach`): softly where feet stand at many heights."""
        return SOFT_BAND + (UNEVEN_BAND - SOFT_BAND) * _share((self.grade / HALF_UNEVEN) ** 2 + (self.roughness / HALF_ROUGH) ** 2)


def _share(much: np.ndarray) -> np.ndarray:
    """Return 0 for nothing, one half for 1, and near 1 for much."""
    return much / (1.0 + much)


def going_at(walker: Walker, plan: Footsteps, at: Moments) -> Going:
    """Return how the ground goes at some moments.

    A smooth curve, in which nothing overshoots, through the mean heights of each print and those before and after it, at its mid-stance: on
    a plane it rises evenly, whichever way that is tilted, and at a ledge it does not fall.
    """
    steps = plan.steps
    middle = (0.5 * (steps.contact + steps.lift) - walker.rhythm.feet).reshape(-1)
    order = np.argsort(middle, kind="stable")
    phase, own = middle[order], steps.place[..., 2].reshape(-1)[order]
    height = np.concatenate([own[:1], 0.25 * (own[:-2] + own[2:]) + 0.5 * own[1:-1], own[-1:]])
    secant = np.diff(height) / np.diff(phase)
    before, after = np.append(secant[:1], secant), np.append(secant, secant[-1:])
    both = before + after
    slope = np.where(before * after > 0.0, 2.0 * before * after / np.where(both == 0.0, 1.0, both), 0.0)
    now = at.phase[:, 0] - walker.rhythm.feet[0]
    row = np.clip(np.searchsorted(phase, now, side="right") - 1, 0, len(secant) - 1)
    width = phase[row + 1] - phase[row]
    s = np.clip((now - phase[row]) / width, 0.0, 1.0)
    start, end, leave, arrive = height[row], height[row + 1], slope[row] * width, slope[row + 1] * width
    found = (1.0 + 2.0 * s) * (1.0 - s) ** 2 * start + s * s * (3.0 - 2.0 * s) * end + s * (1.0 - s) * ((1.0 - s) * leave - s * arrive)
    rate = 6.0 * s * (1.0 - s) * (end - start) + (1.0 - s) * (1.0 - 3.0 * s) * leave + s * (3.0 * s - 2.0) * arrive
    stride = np.maximum(walker.rhythm.stride_at(at.seconds), 0.1 * walker.body.leg_length)
    roughness = np.interp(now, phase, np.abs(own - height)) / walker.body.leg_length
    return Going(found, rate / width / stride, roughness)
