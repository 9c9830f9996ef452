"""What carries the travel: the pelvis itself, or the ground under it, for a root bone or the object."""

import numpy as np

from ..character.motion import Motion
from ..geometry.rotation import about_z, rotated
from ..ikrig.heading import heading_of

SPREAD = 3.0  # standard deviations at which the Gaussian is cut off


def ground_motion(pelvis: Motion, smoothing_s: float, fps: float) -> Motion:
    """Return the motion of the ground under a pelvis: heading and place on the floor, smoothed by a Gaussian (0: exact).

    At rest it is the walk frame.
    """
    heading = smooth(heading_of(pelvis.rotation)[:, None], smoothing_s * fps)[:, 0]
    turn = about_z(heading)
    place = pelvis.position - rotated(turn, np.broadcast_to(pelvis.rest, pelvis.position.shape))
    place = smooth(place * [1.0, 1.0, 0.0], smoothing_s * fps)
    return Motion(turn, place, np.zeros(3))


def smooth(values: np.ndarray, deviation: float) -> np.ndarray:
    """Return values `(f, n)` smoothed by a Gaussian with a deviation in frames; mirrored beyond the ends."""
    reach = min(round(SPREAD * deviation), len(values) - 1)
    if reach < 1:
        return values
    before = 2.0 * values[:1] - values[reach:0:-1]
    after = 2.0 * values[-1:] - values[-2 : -reach - 2 : -1]
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / deviation) ** 2)
    windows = np.lib.stride_tricks.sliding_window_view(np.concatenate([before, values, after]), 2 * reach + 1, axis=0)
    return windows @ (weights / weights.sum())
