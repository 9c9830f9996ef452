"""What the network knows of a character: the slow inputs of NeuraRig's contract without units."""

from math import isfinite
from typing import NamedTuple

import numpy as np

from ..contract.inputs import SHINS, SPACINGS, THIGHS, VELOCITY
from ..errors import NeuraRigError
from ..gait.kinds.natural import GRAVITY

FEATURES = ("speed", "root_speed", "thigh_share", "leg_ratio", "spacing")
# Where motion has come up to half of what it is at speed, in v / sqrt(g leg): 9 cm/s for a 0.9 m leg.
HALF_SPEED = 0.03


class Given(NamedTuple):
    """What the network is given: features `(2, rows, 5)`, left then right, speed v / sqrt(g leg) and leg in metres `(rows,)`.

    A named tuple, not a dataclass, since one is made for every frame that Blender draws.
    """

    features: np.ndarray
    speed: np.ndarray
    leg: np.ndarray

    def rows(self, rows: slice) -> "Given":
        """Return some of the rows."""
        return Given(self.features[:, rows], self.speed[rows], self.leg[rows])


def fade(speed: np.ndarray) -> np.ndarray:
    """Return the factor on all motion at dimensionless speeds: 0 at rest, so that standing is exact, and near 1 in a walk."""
    return speed / (speed + HALF_SPEED)


def dimensionless(slow: np.ndarray) -> Given:
    """Return what the network is given for slow inputs `(rows, 9)`; leg is thigh plus shin, the mean of both sides.

    The features of one side: speed, its square root (steps begin with a steep slope), its thigh's share of the leg, its leg over the
    mean leg, its lateral spacing in mean legs.  The phase offsets are no features: they only shift the phase.
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
