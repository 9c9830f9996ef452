"""The law of a gait: how long its strides are, and how much of a stride a foot stays on the ground."""

from typing import Protocol

import numpy as np

from ...contract.inputs import VELOCITY, legs_of
from .contacts import TURNS, Contacts
from .natural import natural_duty, natural_lead, natural_stride


class GaitLaw(Protocol):
    """What a gait decides besides the shapes of its curves, for slow inputs `(..., 9)` of one body (see `contract.inputs`).

    `least_duty`, `most_duty`: what sliders may make of the duty factor.  `longest_stride`: in leg lengths.  `cornered`: the curves may have
    corners where a foot lifts and lands, so that their slopes there differ on the two sides.  `runs`: some of it is a run (see `running`).
    `changes_at`: None, or the dimensionless speeds from which whoever walks runs, and below which whoever runs walks.
    `contacts`: which foot touches the ground when.
    """

    @property
    def least_duty(self) -> float: ...
    @property
    def most_duty(self) -> float: ...
    @property
    def longest_stride(self) -> float: ...
    @property
    def cornered(self) -> bool: ...
    @property
    def runs(self) -> bool: ...
    @property
    def changes_at(self) -> tuple[float, float] | None: ...
    @property
    def contacts(self) -> Contacts: ...

    def stride(self, slow: np.ndarray) -> np.ndarray:
        """Return metres a cycle `(...)`."""
        ...

    def duty(self, slow: np.ndarray, which: np.ndarray | int) -> np.ndarray:
        """Return the share of the step on the ground for contacts (`Contacts.which`), of their common shape with `(...)`.

        A step is from a contact to the next one of the same foot: a cycle, where a foot has only one.
        """
        ...

    def lead(self, slow: np.ndarray) -> np.ndarray:
        """Return how far the curves carry the pelvis ahead, in metres `(...)`: the whole walk is moved back by it.

        So the root of a character is under its hips, as at rest.
        """
        ...

    def running(self, slow: np.ndarray) -> np.ndarray:
        """Return how much of it is a run `(...)`, 0..1: who runs is carried by a spring and falls freely (see `flight`)."""
        ...


# In leg lengths: beyond it no hip reaches both prints of a walk; the pelvis would have to touch the ground.
LONGEST_WALKING_STRIDE = 2.6


class HumanLaw:
    """What people do: a double support in every step, and smooth curves."""

    least_duty, most_duty = 0.51, 0.85
    longest_stride = LONGEST_WALKING_STRIDE
    cornered = False
    runs = False
    changes_at = None
    contacts = TURNS

    def stride(self, slow: np.ndarray) -> np.ndarray:
        """Return metres a cycle (see `natural_stride`)."""
        return natural_stride(slow[..., VELOCITY], legs_of(slow))

    def duty(self, slow: np.ndarray, which: np.ndarray | int) -> np.ndarray:
        """Return the natural duty factor, the same on both sides (see `natural_duty`)."""
        return natural_duty(slow[..., VELOCITY], legs_of(slow)) + 0.0 * np.asarray(which)

    def lead(self, slow: np.ndarray) -> np.ndarray:
        """Return metres (see `natural_lead`)."""
        return natural_lead(slow[..., VELOCITY], legs_of(slow))

    def running(self, slow: np.ndarray) -> np.ndarray:
        """Return 0 `(...)`."""
        return np.zeros(slow.shape[:-1])


HUMAN = HumanLaw()
