"""The law of a bouncing gait: the length of its cycle at a speed, and how long feet stand."""

from dataclasses import replace

import numpy as np

from ...character.body import LEFT, RIGHT
from ...contract.inputs import VELOCITY, legs_of
from ...easing import smoothstep
from .bouncing import Bounce
from .contacts import Contacts
from .natural import SOLE_LEG_SHARE, dimensionless_speed, natural_duty

# Dimensionless speeds between which it fades to rest, with the duty factor of a walk.
RESTING_VHAT, BOUNCING_VHAT = 0.03, 0.08
SHORTER = 0.45  # share of contact time lost per vhat above natural, within bounds
LEAST, MOST = 0.75, 1.25


class BouncingLaw:
    """Stride, duty factor and lead of a skip, a gallop or a hop."""

    least_duty, most_duty = 0.12, 0.85
    longest_stride = 9.0
    cornered = True
    runs = True
    changes_at = None

    def __init__(self, bounce: Bounce) -> None:
        self.bounce = bounce
        self.contacts = mirrored(bounce.contacts) if bounce.mirrored else bounce.contacts

    def stride(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw."""
        vhat = self.vhat(slow)
        return SOLE_LEG_SHARE * legs_of(slow) * vhat / (self.bounce.rate + self.bounce.quickens * (vhat - self.bounce.vhat))

    def duty(self, slow: np.ndarray, which: np.ndarray | int) -> np.ndarray:
        """See GaitLaw; towards rest it is that of a walk."""
        vhat, contacts = self.vhat(slow), self.contacts
        shorter = np.clip(1.0 - SHORTER * (vhat - self.bounce.vhat), LEAST, MOST)
        flying = np.clip(contacts.lasts(which) / contacts.spans(which) * shorter, self.least_duty, self.most_duty)
        standing = natural_duty(slow[..., VELOCITY], legs_of(slow))
        return standing + self.bouncing(slow) * (flying - standing)

    def lead(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw."""
        return self.bounce.lead * legs_of(slow) * self.bouncing(slow)

    def running(self, slow: np.ndarray) -> np.ndarray:
        """Return 1 `(...)`: bouncing gaits move on springs."""
        return np.ones(slow.shape[:-1])

    def bouncing(self, slow: np.ndarray) -> np.ndarray:
        """Return 1 while moving, smoothly 0 at rest."""
        share = np.clip((self.vhat(slow) - RESTING_VHAT) / (BOUNCING_VHAT - RESTING_VHAT), 0.0, 1.0)
        return smoothstep(share)

    def vhat(self, slow: np.ndarray) -> np.ndarray:
        """Return dimensionless speeds `(...)`."""
        return np.maximum(dimensionless_speed(slow[..., VELOCITY], legs_of(slow)), 0.0)


def mirrored(contacts: Contacts) -> Contacts:
    """Return the contacts of a cycle with left and right swapped, counted from the left foot's first one."""
    zero = next(contact.begins for contact in contacts.cycle if contact.side == RIGHT)
    cycle = [replace(contact, side=1 - contact.side, begins=(contact.begins - zero) % 1.0) for contact in contacts.cycle]
    carried = None if contacts.carried is None else 1 - contacts.carried
    first = {LEFT: 0, RIGHT: 1}
    ordered = tuple(sorted(cycle, key=lambda contact: (contact.begins, first[contact.side])))
    return replace(contacts, cycle=ordered, rest=(contacts.rest - zero) % 1.0, carried=carried)
