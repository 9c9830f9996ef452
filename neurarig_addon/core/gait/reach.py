"""The legs: the pelvis is never so high that a leg must stretch, and the knee bends in the plane of the foot."""

from dataclasses import dataclass

import numpy as np

from ..body import Body
from ..rotation import frame, normalized, transposed

# A leg stays this short of straight: at 1 the knee's speed is infinite, and below 0.99 people would look crouched.
LONGEST_REACH = 0.9975
SOFT_BAND = 0.012  # in leg lengths: where the guard begins


def lowered(height: np.ndarray, hips: np.ndarray, ankles: np.ndarray, body: Body) -> np.ndarray:
    """Return how far the pelvis must come down `(frames,)` so that both legs reach.

    `hips`, `ankles` `(frames, 2, 3)` in metres for a pelvis at `height` `(frames,)`.
    """
    longest = LONGEST_REACH * (body.thigh_length + body.shin_length)
    across = np.sum((hips[..., :2] - ankles[..., :2]) ** 2, axis=-1)
    tallest = np.sqrt(np.maximum(longest**2 - across, (0.25 * longest) ** 2))
    highest = ankles[..., 2] + tallest - (hips[..., 2] - height[:, None])
    band = SOFT_BAND * body.leg_length
    # Left and right first: the order must not matter, or the walk would lean to one side.
    return height - _softest(height, _softest(highest[:, 0], highest[:, 1], band), band)


def _softest(a: np.ndarray, b: np.ndarray, band: float) -> np.ndarray:
    """Return a smooth minimum that never exceeds either (Quilez's polynomial)."""
    share = np.maximum(band - np.abs(a - b), 0.0) / band
    return np.minimum(a, b) - 0.25 * band * share * share


@dataclass(frozen=True)
class Legs:
    """Both legs: knees `(frames, 2, 3)`, rotations of thigh and shin away from rest `(frames, 2, 3, 3)`, where the knees point."""

    knee: np.ndarray
    thigh: np.ndarray
    shin: np.ndarray
    forward: np.ndarray


def bend_legs(body: Body, hips: np.ndarray, ankles: np.ndarray, forward: np.ndarray) -> Legs:
    """Return the two-bone solution for hips and ankles `(frames, 2, 3)` with knees towards `forward` `(frames, 2, 3)`."""
    line = ankles - hips
    axes = frame(line, forward)
    if body.one_bone_legs:
        knee = hips + 0.5 * line
    else:
        along, aside = _knee_place(body, np.sqrt(np.sum(line * line, axis=-1)))
        knee = hips + axes[..., :, 0] * along[..., None] + axes[..., :, 1] * aside[..., None]
    rest_forward = np.array([1.0, 0.0, 0.0])
    return Legs(
        knee=knee,
        thigh=frame(knee - hips, axes[..., :, 1]) @ transposed(frame(body.knee - body.hip, rest_forward)),
        shin=frame(ankles - knee, axes[..., :, 1]) @ transposed(frame(body.ankle - body.knee, rest_forward)),
        forward=normalized(axes[..., :, 1]),
    )


def _knee_place(body: Body, distance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how far along the line from hip to ankle the knee is and how far aside, metres, by the law of cosines."""
    thigh, shin = body.thigh_length, body.shin_length
    reach = np.clip(distance, np.abs(thigh - shin) + 1e-6, (thigh + shin) * (1.0 - 1e-9))
    along = (reach**2 + thigh**2 - shin**2) / (2.0 * reach)
    return along, np.sqrt(np.maximum(thigh**2 - along**2, 0.0))
