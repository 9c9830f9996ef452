"""The eleven inputs of a walk: their columns, units and ranges.

Nine are slow: the velocity, then thigh, shin, phase offset and lateral spacing of the right side, then of the
left. The times follow.
"""

from typing import NamedTuple

import numpy as np

from ..character.body import LEFT, RIGHT, Body


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
_UNTIL_CYCLE = (
    Quantity("velocity", "m/s", 0.1, 3.0),
    *_side("right"),
    *_side("left"),
    Quantity("t_cycle", "s", 0.0, 3.0),
)
_ACCUMULATED = Quantity("t_accumulated", "s", 0.0, 600.0)
WALK_INPUTS = (*_UNTIL_CYCLE, _ACCUMULATED)
DILATED_INPUTS = (*_UNTIL_CYCLE, TIME_DILATION, _ACCUMULATED)

ELEVEN_INPUTS = tuple(quantity.name for quantity in WALK_INPUTS)
SLOW = 9  # columns before the times
SLOW_INPUTS = ELEVEN_INPUTS[:SLOW]
VELOCITY = 0
# Columns of the left, then the right side, like all arrays with two rows: a stride of 4 backwards.
THIGHS, SHINS, OFFSETS, SPACINGS = slice(5, None, -4), slice(6, None, -4), slice(7, None, -4), slice(8, 3, -4)
BONES = [1, 2, 5, 6]  # thigh and shin of the right side, then of the left
_SIDES = ((1, RIGHT), (5, LEFT))  # first column of each side


def slow_inputs(body: Body, speed: np.ndarray, spacing: np.ndarray) -> np.ndarray:
    """Return a body's slow inputs `(..., 9)` for speeds in m/s and lateral spacings in metres `(...)`; phase
    offsets are 0."""
    slow = np.empty(np.shape(speed) + (SLOW,))
    slow[..., VELOCITY] = speed
    for start, side in _SIDES:
        slow[..., start] = body.thigh_length[side]
        slow[..., start + 1] = body.shin_length[side]
        slow[..., start + 2] = 0.0
        slow[..., start + 3] = spacing
    return slow


def legs_of(slow: np.ndarray) -> np.ndarray:
    """Return thigh plus shin in metres `(...)`, the mean of both sides, from slow inputs `(..., 9)`."""
    return 0.5 * (slow[..., 1] + slow[..., 2] + slow[..., 5] + slow[..., 6])
