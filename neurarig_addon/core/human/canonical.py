"""What the gait network sees and gives: a character's features, and the 46 channels of a walk from the
network's 29.

Features are the slow inputs of NeuraRig's contract, dimensionless.

The network computes one side at a time; the left side is a mirror image. The right view has the 17 channels
of the right foot, ball and
arm and the 12 midline channels. The left view is its mirror image: sideways channels (y, yaw, roll) change
sign. Arm channels have the
same meaning on both sides already.  The midline is the mean of both views.
"""

from math import isfinite
from typing import NamedTuple

import numpy as np

from ..contract.channels import BLOCKS, CHANNELS
from ..contract.inputs import SHINS, SPACINGS, THIGHS, VELOCITY
from ..errors import NeuraRigError
from ..gait.kinds.natural import GRAVITY
from ..waves import HARMONICS, TERMS

SIDED, MIDLINE = ("foot", "ball", "arm"), ("pelvis", "chest", "head")
SIDEWAYS = ("y", "yaw", "roll")

_SIDED_NAMES = tuple(f"{part}.{axis}" for part in SIDED for axis in BLOCKS[f"{part}_r"])
_MIDLINE_NAMES = tuple(f"{part}.{axis}" for part in MIDLINE for axis in BLOCKS[part])
CANONICAL = _SIDED_NAMES + _MIDLINE_NAMES
SIDED_VIEW, MIDLINE_VIEW = slice(0, len(_SIDED_NAMES)), slice(len(_SIDED_NAMES), len(CANONICAL))


def _columns(side: str) -> np.ndarray:
    return np.array([CHANNELS.index(name.replace(".", f"_{side}.")) for name in _SIDED_NAMES])


RIGHT_COLUMNS, LEFT_COLUMNS = _columns("r"), _columns("l")
# Pelvis, chest and head are adjacent in the 46.
MIDLINE_COLUMNS = slice(CHANNELS.index(_MIDLINE_NAMES[0]), CHANNELS.index(_MIDLINE_NAMES[-1]) + 1)


def _is_sideways(name: str) -> bool:
    part, axis = name.split(".")
    return part != "arm" and axis in SIDEWAYS


IS_MIDLINE = np.array([name in _MIDLINE_NAMES for name in CANONICAL])
IS_LENGTH = np.array([name.split(".")[1] in ("x", "y", "z") for name in CANONICAL])
MIRROR = np.array([-1.0 if _is_sideways(name) else 1.0 for name in CANONICAL])


def _source() -> np.ndarray:
    """Return the row of the stacked left and right views for each of the 46 channels; the midline's rows are
    overwritten later."""
    rows = np.zeros(len(CHANNELS), dtype=int)
    rows[LEFT_COLUMNS] = np.arange(len(_SIDED_NAMES))
    rows[RIGHT_COLUMNS] = len(CANONICAL) + np.arange(len(_SIDED_NAMES))
    return rows


_SOURCE = _source()


def harmonics(name: str) -> tuple[int, ...]:
    """Return the harmonics of a canonical channel.

    Half a cycle later a symmetric walk is its own mirror image, so sideways the midline has only odd
    harmonics, otherwise only even ones.
    """
    if name in _MIDLINE_NAMES:
        return tuple(range(1 if _is_sideways(name) else 0, HARMONICS + 1, 2))
    return tuple(range(HARMONICS + 1))


# The indices of the network's Fourier coefficients in a flat `(29, TERMS)` block.
SLOTS = np.array(
    [
        column * TERMS + term
        for column, name in enumerate(CANONICAL)
        for k in harmonics(name)
        for term in ((2 * k, 2 * k + 1) if k else (0,))
    ]
)
COEFFICIENTS = len(SLOTS)


def assemble(views: np.ndarray, values: np.ndarray) -> None:
    """Write the channels `(46, frames)` from the contributions `(2, 29, frames)` of the left and the right
    view."""
    # the default mode would make another copy
    views.reshape(-1, views.shape[-1]).take(_SOURCE, axis=0, out=values, mode="clip")
    np.add(views[0, MIDLINE_VIEW], views[1, MIDLINE_VIEW], out=values[MIDLINE_COLUMNS])


FEATURES = ("speed", "root_speed", "thigh_share", "leg_ratio", "spacing")
# Speed v / sqrt(g leg) at which the fade of all motion reaches one half: 9 cm/s for a 0.9 m leg.
_HALF_SPEED = 0.03


class Given(NamedTuple):
    """The network's input: features `(2, rows, 5)`, left then right, speed v / sqrt(g leg) and leg in metres
    `(rows,)`.

    A named tuple, not a dataclass, as one is made for every frame that Blender draws.
    """

    features: np.ndarray
    speed: np.ndarray
    leg: np.ndarray

    def rows(self, rows: slice) -> "Given":
        """Return some of the rows."""
        return Given(self.features[:, rows], self.speed[rows], self.leg[rows])


def fade(speed: np.ndarray) -> np.ndarray:
    """Return the factor on all motion for dimensionless speeds: 0 at rest, so that standing is exact, and
    near 1 in a walk."""
    return speed / (speed + _HALF_SPEED)


def dimensionless(slow: np.ndarray) -> Given:
    """Return the network's input for slow inputs `(rows, 9)`; leg is thigh plus shin, the mean of both sides.

    The features of one side: speed, its square root (steps grow steeply from zero speed), the thigh's share
    of its leg, its leg over the
    mean leg, its lateral spacing in mean legs. The phase offsets are not features: they only shift the phase.
    Raises NeuraRigError for a leg without length or an input that is not finite.
    """
    inputs = slow.T
    thigh = inputs[THIGHS]
    own = thigh + inputs[SHINS]
    leg = 0.5 * np.add.reduce(own)
    if not (np.minimum.reduce(own, axis=None) > 0.0 and isfinite(np.add.reduce(slow, axis=None))):
        raise NeuraRigError(
            "The walk needs legs with a length and finite numbers; check the thigh and shin bones."
        )
    speed = np.abs(inputs[VELOCITY]) / np.sqrt(GRAVITY * leg)
    found = np.empty((2, len(slow), len(FEATURES)))
    found[..., 0] = speed
    found[..., 1] = np.sqrt(speed)
    found[..., 2] = thigh / own
    found[..., 3] = own / leg
    found[..., 4] = np.abs(inputs[SPACINGS]) / leg
    return Given(found, speed, leg)
