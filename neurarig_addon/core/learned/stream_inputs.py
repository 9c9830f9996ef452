"""The columns of a profile's inputs that a walk uses, found by name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import NeuraRigError
from ..gait.kinds.natural import GRAVITY

_SIDES = ("l|left", "r|right")
SLOWEST = 1e-6  # m/s; standing has no period; as in the profiles' own max(velocity, 1e-6)


@dataclass(frozen=True)
class StreamInputs:
    """Columns of the inputs; pairs are left, right.

    `others` are all remaining inputs except `t_accumulated`, such as a time dilation.
    """

    names: tuple[str, ...]
    velocity: int
    time: int
    thighs: tuple[int, int]
    shins: tuple[int, int]
    offsets: tuple[int, int]
    spacings: tuple[int, int]
    others: tuple[int, ...]

    @classmethod
    def named(cls, names: Sequence[str]) -> "StreamInputs":
        """Find the columns by name; raises NeuraRigError for a quantity that is missing."""
        thighs, shins, offsets, spacings = (
            _pair(names, quantity) for quantity in ("bone_l1", "bone_l2", "offset", "spacing")
        )
        velocity, time = _one(names, "velocity|speed"), _one(names, "t_cycle|delta_time")
        known = {velocity, time, *thighs, *shins, *offsets, *spacings}
        others = (
            n
            for n, name in enumerate(names)
            if n not in known and not re.search("t_accumulated", name, re.IGNORECASE)
        )
        return cls(tuple(names), velocity, time, thighs, shins, offsets, spacings, tuple(others))

    @property
    def body(self) -> tuple[int, ...]:
        """The columns that describe the character and stay constant while it walks."""
        return (*self.thighs, *self.shins, *self.spacings)

    def exchanged(self, inputs: np.ndarray) -> np.ndarray:
        """Return inputs `(n, inputs)` with left and right exchanged."""
        order = np.arange(inputs.shape[1])
        for left, right in (self.thighs, self.shins, self.offsets, self.spacings):
            order[[left, right]] = right, left
        return inputs[:, order]

    def legs(self, inputs: np.ndarray) -> np.ndarray:
        """Return thigh plus shin `(2, n)` in metres for inputs `(n, inputs)`."""
        return inputs.T[list(self.thighs)] + inputs.T[list(self.shins)]

    def speeds(self, inputs: np.ndarray) -> np.ndarray:
        """Return the absolute velocity `(n,)` in m/s, never quite zero."""
        return np.maximum(np.abs(inputs[:, self.velocity]), SLOWEST)

    def froude_speeds(self, inputs: np.ndarray) -> np.ndarray:
        """Return speed over the square root of g times leg length, for each leg `(2, n)`."""
        return self.speeds(inputs) / np.sqrt(GRAVITY * np.maximum(self.legs(inputs), SLOWEST))


def _one(names: Sequence[str], pattern: str) -> int:
    found = [n for n, name in enumerate(names) if re.search(pattern, name, re.IGNORECASE)]
    if not found:
        raise _missing(pattern.split("|")[0])
    return found[0]


def _pair(names: Sequence[str], quantity: str) -> tuple[int, int]:
    found = [n for n, name in enumerate(names) if re.search(quantity, name, re.IGNORECASE)]
    left, right = (
        next((n for n in found if re.search(rf"(^|_)({side})(_|$)", names[n], re.IGNORECASE)), None)
        for side in _SIDES
    )
    if left is None or right is None:
        raise _missing(f"{quantity}_{'left' if left is None else 'right'}")
    return left, right


def _missing(name: str) -> NeuraRigError:
    return NeuraRigError(
        f"The profile has no input called '{name}'; add it to Inputs, or rename the one that means it."
    )
