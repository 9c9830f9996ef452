"""The heading of a body: the yaw of its hips, even if they are tipped until 'forward' is up or back.

The heading of upright hips is their forward axis, projected to the ground.  That fails if the axis is vertical, so from 60 to 80 degrees
of tilt it blends into the twist about the vertical that is left after the shortest rotation to upright.  That one fails if the hips are
upside down; there the heading is interpolated between the frames before and after.
No heading is continuous over all rotations (the hairy ball theorem), but this one is over every motion.
"""

import numpy as np

from ..easing import smoothstep

_UPRIGHT, _TIPPED = np.cos(np.radians(60.0)), np.cos(np.radians(80.0))
_OVERTURNED = np.cos(np.radians(150.0))


def heading_of(hips: np.ndarray) -> np.ndarray:
    """Return the yaw `(f,)` in radians, left positive and unwrapped, of the hips' orientations `(f, 3, 3)`."""
    upright = hips[:, 2, 2]
    ahead = hips[:, 0, 0] + 1j * hips[:, 1, 0]
    twist = hips[:, 0, 0] + hips[:, 1, 1] + 1j * (hips[:, 1, 0] - hips[:, 0, 1])
    share = np.clip((upright - _TIPPED) / (_UPRIGHT - _TIPPED), 0.0, 1.0)
    share = smoothstep(share)
    clear = upright > _OVERTURNED
    if not clear.any():
        return np.unwrap(np.angle(ahead))
    yaw = np.unwrap(np.angle((share * _unit(ahead) + (1.0 - share) * _unit(twist))[clear]))
    rows = np.arange(len(hips))
    return yaw if clear.all() else np.interp(rows, rows[clear], yaw)


def _unit(number: np.ndarray) -> np.ndarray:
    return number / np.maximum(np.abs(number), 1e-12)
