"""A profile's inputs in NeuraRig's order: eleven, or twelve with a time dilation."""

import numpy as np

from ..contract.inputs import DILATED_INPUTS, SLOW, WALK_INPUTS, Quantity
from ..errors import NeuraRigError
from .profile import Profile


def quantities(profile: Profile) -> tuple[Quantity, ...]:
    """Return the quantities of a profile's input columns; raises NeuraRigError if it is not a walk of 11 or
    12 inputs."""
    for known in (WALK_INPUTS, DILATED_INPUTS):
        if len(profile.inputs) == len(known):
            return known
    raise NeuraRigError(
        f"The profile '{profile.name}' takes {len(profile.inputs)} inputs; a walk here has 11, or 12 with a"
        " time dilation."
    )


def arrange(profile: Profile, slow: np.ndarray, t_cycle: np.ndarray, t_accumulated: np.ndarray) -> np.ndarray:
    """Return a profile's inputs `(n, inputs)` from the slow ones and both times in seconds `(n,)`; without
    time dilation.

    `slow` `(n or 1, 9)`: velocity, then thigh, shin, phase offset and lateral spacing of the right side, then
    of the left.
    """
    known = quantities(profile)
    found = np.ones((len(t_cycle), len(known)))
    found[:, :SLOW] = slow
    found[:, SLOW] = t_cycle
    found[:, -1] = t_accumulated
    return found


def random_inputs(profile: Profile, count: int, seed: int) -> np.ndarray:
    """Return random inputs `(count, inputs)`, uniform over the documented ranges; the same for the same
    seed."""
    known = quantities(profile)
    low, high = (
        np.array([quantity.low for quantity in known]),
        np.array([quantity.high for quantity in known]),
    )
    return np.random.default_rng(seed).uniform(low, high, (count, len(known)))
