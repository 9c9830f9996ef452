"""The network's features of a character: the slow inputs of NeuraRig's contract, dimensionless."""

from math import isfinite
from typing import NamedTuple

import numpy as np

from ..contract.inputs import SHINS, SPACINGS, THIGHS, VELOCITY
from ..errors import NeuraRigError
from ..gait.kinds.natural import GRAVITY

FEATURES = ("speed", "root_speed", "thigh_share", "leg_ratio", "spacing")
# Speed v / sqrt(g leg) at which the fade of all motion reaches one half: 9 cm/s for a 0.9 m leg.
HALF_SPEED = 0.03


class Given(NamedTuple):
    """The network's input: features `(2, rows, 5)`, left then right, speed v / sqrt(g leg) and leg in metres `(rows,)`.

    A named tuple, not a dataclass, as one is made for every frame that Blender draws.
    """

    features: np.ndarray
    speed: np.ndarray
    leg: np.ndarray

    def rows(self, rows: slice) -> "Given":
        """Return some of the rows."""
        return Given(self.features[:, rows], self.speed[rows], self.leg[rows])


def fade(speed: np.ndarray) -> np.ndarray:
    """Return the factor on all motion for dimensionless speeds: 0 at rest, so that standing is exact, and near 1 in a walk."""
    return speed / (speed + HALF_SPEED)


def dimensionless(slow: np.ndarray) -> Given:
    """Return the network's input for slow inputs `(rows, 9)`; leg is thigh plus shin, the mean of both sides.

    The features of one side: speed, its square root (steps grow steeply from zero speed), the thigh's share of its leg, its leg over the
    mean leg, its lateral spacing in mean legs.  The phase offsets are not features: they only shift the phase.
    Raises NeuraRigError for a leg without length or an input that is not finite.
    """
    inputs = slow.T
    thigh = inputs[THIGHS]
    own = thigh + inputs[SHINS]
    leg = 0.5 * np.add.reduce(own)
    if not (np.minimum.reduce(own, axis=None) > 0.0 and isfinite(np.add.reduce(slow, axis=None))):
        raise NeuraRigError("The walk needs legs with a length and finite numbers; check the thigh and shin bones.")
    speed = np.abs(inputs[VELOCITY]) / np.sqrt(GRAVITY * leg)
    found = np.empty((2, len(slow), len(FEATURES)))
    found[..., 0] = speed
    found[..., 1] = np.sqrt(speed)
    found[..., 2] = thigh / own
    found[..., 3] = own / leg
    found[..., 4] = np.abs(inputs[SPACINGS]) / leg
    return Given(found, speed, leg)
