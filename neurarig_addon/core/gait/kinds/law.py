"""The law of a gait: stride length, and the share of a stride that a foot is on the ground."""

from typing import Protocol

import numpy as np

from ...contract.inputs import VELOCITY, legs_of
from .contacts import TURNS, Contacts
from .natural import natural_duty, natural_lead, natural_stride


class GaitLaw(Protocol):
    """What a gait decides besides the shapes of its curves, for slow inputs `(..., 9)` of one body (see `contract.inputs`).

    `least_duty`, `most_duty`: limits for sliders.  `longest_stride`: in leg lengths.  `cornered`: the curves may have
    corners where a foot lifts and lands, so that their slopes there differ on the two sides.  `runs`: some of it is a run (see `running`).
    `changes_at`: None, or the dimensionless speeds above which a walk becomes a run and below which a run becomes a walk.
    `contacts`: which foot lands when.
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
        """Return metres per cycle `(...)`."""
        ...

    def duty(self, slow: np.ndarray, which: np.ndarray | int) -> np.ndarray:
        """Return the share of the step on the ground for contacts (`Contacts.which`), broadcast with `(...)`.

        A step lasts from a contact to the same foot's next: a whole cycle where a foot has only one.
        """
        ...

    def lead(self, slow: np.ndarray) -> np.ndarray:
        """Return how far ahead the curves carry the pelvis, in metres `(...)`; the whole walk is moved back by it.

        This keeps the root under the hips, as at rest.
        """
        ...

    def running(self, slow: np.ndarray) -> np.ndarray:
        """Return the share of running `(...)`, 0..1: running bodies bounce on springs and fall freely (see `flight`)."""
        ...


# In leg lengths: beyond it no hip reaches both prints; the pelvis would have to touch the ground.
LONGEST_WALKING_STRIDE = 2.6


class HumanLaw:
    """The law of human walking: a double support in every step, smooth curves."""

    least_duty, most_duty = 0.51, 0.85
    longest_stride = LONGEST_WALKING_STRIDE
    cornered = False
    runs = False
    changes_at = None
    contacts = TURNS

    def stride(self, slow: np.ndarray) -> np.ndarray:
        """Return metres per cycle (see `natural_stride`)."""
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
