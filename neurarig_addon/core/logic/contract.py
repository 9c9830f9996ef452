"""NeuraRig's inputs: what stands in which column, in which unit, and between which values a profile must work."""

from typing import NamedTuple

import numpy as np

from ..errors import NeuraRigError
from .profile import Profile

SLOW = 9  # columns before the times


class Quantity(NamedTuple):
    """One input: its name here (a file may have its own), its unit, and the documented range."""

    name: str
    unit: str
    low: float
    high: float


def _side(side: str) -> tuple[Quantity, ...]:
    return (
        Quantity(f"bone_l1_{side}", "m", 0.2, 0.6),
        Quantity(f"bone_l2_{side}", "m", 0.2, 0.6),
        Quantity(f"offset_{side}", "cycles", 0.0, 1.0),
        Quantity(f"spacing_{side}", "m", 0.0, 0.3),
    )


TIME_DILATION = Quantity("time_dilation", "", 0.25, 4.0)
_UNTIL_CYCLE = (Quantity("velocity", "m/s", 0.1, 3.0), *_side("right"), *_side("left"), Quantity("t_cycle", "s", 0.0, 3.0))
_ACCUMULATED = Quantity("t_accumulated", "s", 0.0, 600.0)
WALK_INPUTS = (*_UNTIL_CYCLE, _ACCUMULATED)
DILATED_INPUTS = (*_UNTIL_CYCLE, TIME_DILATION, _ACCUMULATED)


def quantities(profile: Profile) -> tuple[Quantity, ...]:
    """Return what a profile's input columns are; raises NeuraRigError for one that is no walk of 11 or 12 inputs."""
    for known in (WALK_INPUTS, DILATED_INPUTS):
        if len(profile.inputs) == len(known):
            return known
    raise NeuraRigError(f"The profile '{profile.name}' takes {len(profile.inputs)} inputs; a walk here has 11, or 12 with a time dilation.")


def arrange(profile: Profile, slow: np.ndarray, t_cycle: np.ndarray, t_accumulated: np.ndarray) -> np.ndarray:
    """Return a profile's inputs `(n, inputs)` from those that change slowly and both times in seconds `(n,)`; time runs undilated.

    `slow` `(n or 1, 9)`: velocity, then thigh, shin, phase offset and lateral spacing of the right side and of the left.
    """
    known = quantities(profile)
    found = np.ones((len(t_cycle), len(known)))
    found[:, :SLOW] = slow
    found[:, SLOW] = t_cycle
    found[:, -1] = t_accumulated
    return found


def random_inputs(profile: Profile, count: int, seed: int) -> np.ndarray:
    """Return inputs `(count, inputs)` spread evenly over the documented ranges; the same for the same seed."""
    known = quantities(profile)
    low, high = np.array([quantity.low for quantity in known]), np.array([quantity.high for quantity in known])
    return np.random.default_rng(seed).uniform(low, high, (count, len(known)))
