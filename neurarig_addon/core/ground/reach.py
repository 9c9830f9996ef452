"""The reach guard: the pelvis is never so high that a leg which holds it must stretch."""

import numpy as np

from ..body import Body

# A leg stays this short of straight: at 1 the knee's speed is infinite, and below 0.99 people would look crouched.
LONGEST_REACH = 0.9975
SOFT_BAND, UNEVEN_BAND = 0.012, 0.06  # in leg lengths: where the guard begins, on level ground and where feet stand at many heights


def lowered(
    height: np.ndarray,
    hips: np.ndarray,
    ankles: np.ndarray,
    body: Body,
    holds: np.ndarray | None = None,
    soft: np.ndarray | float = SOFT_BAND,
) -> np.ndarray:
    """Return how far the pelvis must come down `(frames,)` so that the legs which hold it reach.

    `hips`, `ankles` `(frames, 2, 3)` in metres for a pelvis at `height` `(frames,)`; `holds` `(frames, 2)`: which legs count, all by
    default; `soft` `(frames,)`: leg lengths within which the guard begins.
    """
    longest = LONGEST_REACH * (body.thigh_length + body.shin_length)
    across = np.sum((hips[..., :2] - ankles[..., :2]) ** 2, axis=-1)
    tallest = np.sqrt(np.maximum(longest**2 - across, (0.25 * longest) ** 2))
    highest = ankles[..., 2] + tallest - (hips[..., 2] - height[:, None])
    band = soft * body.leg_length
    if holds is not None:
        highest = np.where(holds, highest, height[:, None] + body.leg_length)
    # Left and right first: the order must not matter, or the walk would lean to one side.
    return height - _softest(height, _softest(highest[:, 0], highest[:, 1], band), band)


def _softest(a: np.ndarray, b: np.ndarray, band: np.ndarray | float) -> np.ndarray:
    """Return a smooth minimum that never exceeds either (Quilez's polynomial)."""
    share = np.maximum(band - np.abs(a - b), 0.0) / band
    return np.minimum(a, b) - 0.25 * band * share * share
