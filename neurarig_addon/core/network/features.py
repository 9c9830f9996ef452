"""What the network knows of a character: the slow inputs of NeuraRig's contract without units."""

import numpy as np

from ..errors import NeuraRigError
from ..gait.cycle import GRAVITY

# NeuraRig's inputs without its two times; columns of "slow" arrays.
SLOW_INPUTS = (
    "velocity",
    "bone_l1_right",
    "bone_l2_right",
    "offset_right",
    "spacing_right",
    "bone_l1_left",
    "bone_l2_left",
    "offset_left",
    "spacing_left",
)
VELOCITY = 0
# Columns of the left, then the right side, like everything of two rows: a stride of 4 backwards.
OFFSETS = slice(7, None, -4)
_THIGHS, _SHINS, _SPACINGS = slice(5, None, -4), slice(6, None, -4), slice(8, 3, -4)

FEATURES = ("speed", "root_speed", "thigh_share", "leg_ratio", "spacing")
# Where motion has come up to half of what it is at speed, in v / sqrt(g leg): 9 cm/s for a 0.9 m leg.
HALF_SPEED = 0.03


def leg_length(slow: np.ndarray) -> np.ndarray:
    """Return thigh plus shin `(rows,)` in metres, the mean of both sides, of slow inputs `(rows, 9)`."""
    return 0.5 * (slow[:, 1] + slow[:, 2] + slow[:, 5] + slow[:, 6])


def fade(speed: np.ndarray) -> np.ndarray:
    """Return the factor on all motion at dimensionless speeds: 0 at rest, so that standing is exact, and near 1 in a walk."""
    return speed / (speed + HALF_SPEED)


def dimensionless(slow: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the features `(rows, 2, 5)`, left then right, the speed v / sqrt(g leg) `(rows,)` and the leg in metres `(rows,)`.

    The features of one side: speed, its square root (steps begin with a steep slope), its thigh's share of the leg, its leg over the
    mean leg, its lateral spacing in mean legs.  The phase offsets are no features: they only shift the phase.
    """
    thigh, shin = slow[:, _THIGHS], slow[:, _SHINS]
    own = thigh + shin
    leg = 0.5 * (own[:, 0] + own[:, 1])
    if not (own.min() > 0.0 and np.isfinite(slow).all()):
        raise NeuraRigError("The walk needs legs with a length and finite numbers; check the thigh and shin bones.")
    speed = np.abs(slow[:, VELOCITY]) / np.sqrt(GRAVITY * leg)
    found = np.empty((len(slow), 2, len(FEATURES)))
    found[..., 0] = speed[:, None]
    found[..., 1] = np.sqrt(speed)[:, None]
    found[..., 2] = thigh / own
    found[..., 3] = own / leg[:, None]
    found[..., 4] = np.abs(slow[:, _SPACINGS]) / leg[:, None]
    return found, speed, leg
