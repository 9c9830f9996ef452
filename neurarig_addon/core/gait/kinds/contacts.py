"""The contacts of a gait: which foot lands when in a cycle, for how long, and where; a walk has two, a skip
four.

Phases count them. Between gaits of different duty factors, phases correspond that are equally far into stance
or swing.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...character.body import LEFT, RIGHT
from ...easing import smoothstep
from ...errors import NeuraRigError

STANDSTILL_VHAT = 0.1  # dimensionless speed below which a walk is stopping


@dataclass(frozen=True)
class Contact:
    """A contact that comes once in every cycle.

    `begins`: cycles after the left foot's first contact. `lasts`: cycles, at the gait's natural speed; 0
    where a law decides.
    `bears`: the weight it carries relative to the others.
    """

    side: int
    begins: float
    lasts: float = 0.0
    bears: float = 1.0


@dataclass(frozen=True)
class CycleContacts:
    """All contacts of a cycle, in order for each foot; both feet have the same number, equally timed from
    their own first one.

    `rest`: cycles after the left foot's first contact at which both feet are down, again every `every`
    cycles. `carried`: a foot that
    never stands, if any.

    A foot's phase counts its contacts: it is a whole number at each, and even in time between.
    """

    cycle: tuple[Contact, ...]
    rest: float
    every: float
    carried: int | None = None

    @cached_property
    def of_a_foot(self) -> int:
        """How many contacts a foot has in a cycle."""
        return len(self.strikes)

    @cached_property
    def strikes(self) -> tuple[float, ...]:
        """Cycles from a foot's first contact to each of its contacts; the first is 0."""
        left = [contact.begins for contact in self.cycle if contact.side == LEFT]
        return tuple(begins - left[0] for begins in left)

    @cached_property
    def apart(self) -> float:
        """Cycles by which the right foot is ahead of the left."""
        return (-next(contact.begins for contact in self.cycle if contact.side == RIGHT)) % 1.0

    @cached_property
    def together(self) -> bool:
        """Whether both feet touch the ground at once."""
        return self.apart == 0.0 and self.carried is None

    @cached_property
    def takes_turns(self) -> bool:
        """Whether each foot touches the ground once, half a cycle after the other, as in a walk and a run."""
        return self.strikes == (0.0,) and self.apart == 0.5 and self.carried is None

    @cached_property
    def _ends(self) -> np.ndarray:
        return np.array([*self.strikes, 1.0])

    @cached_property
    def _by_number(self) -> np.ndarray:
        """The contacts' `lasts` and `bears` `(2, contacts)`, in the order of `which`."""
        lasts_and_bears = np.empty((2, 2 * self.of_a_foot))
        for side in (LEFT, RIGHT):
            own = [contact for contact in self.cycle if contact.side == side]
            lasts_and_bears[:, side::2] = np.array([[one.lasts, one.bears] for one in own]).T
        return lasts_and_bears

    def which(self, number: np.ndarray) -> np.ndarray:
        """Return the contact of the cycle that each step number `(..., 2)` is: LEFT or RIGHT, plus 2 for each
        later one of a foot."""
        return np.array([LEFT, RIGHT]) + 2 * (np.asarray(number).astype(int) % self.of_a_foot)

    def order(self, number: np.ndarray) -> np.ndarray:
        """Return how many contacts the same foot had before in the cycle, for step numbers `(...)`: 0 for the
        first."""
        return np.mod(number, float(self.of_a_foot)) if self.of_a_foot > 1 else np.zeros(np.shape(number))

    def lasts(self, which: np.ndarray | int) -> np.ndarray:
        """Return the natural time on the ground of contacts `(...)`, in cycles."""
        return self._by_number[0][which]

    def bears(self, which: np.ndarray | int) -> np.ndarray:
        """Return the relative weight carried by contacts `(...)`."""
        return self._by_number[1][which]

    def spans(self, which: np.ndarray | int) -> np.ndarray:
        """Return the cycles from contacts `(...)` to the same foot's next contact."""
        return np.diff(self._ends)[np.asarray(which) // 2]

    def counted(self, cycles: np.ndarray) -> np.ndarray:
        """Return feet's phases `(...)` at cycles `(...)` since their own first contacts."""
        if self.of_a_foot == 1:
            return cycles
        whole = np.floor(cycles)
        return self.of_a_foot * whole + np.interp(cycles - whole, self._ends, np.arange(self.of_a_foot + 1.0))

    def cycles(self, phase: np.ndarray) -> np.ndarray:
        """Return the cycles `(...)` since the feet's own first contacts at phases `(...)`."""
        if self.of_a_foot == 1:
            return phase
        whole = np.floor(np.asarray(phase) / self.of_a_foot)
        return whole + np.interp(phase - self.of_a_foot * whole, np.arange(self.of_a_foot + 1.0), self._ends)


def require_turns(contacts: CycleContacts, limit: str, cure: str) -> None:
    """Raise NeuraRigError, with the limit and the cure, for what only gaits with alternating feet (walk, run)
    can do."""
    if not contacts.takes_turns:
        raise NeuraRigError(f"A skip, gallop or hop {limit}. {cure}, or set Gait to Walk or Run.")


TURNS = CycleContacts((Contact(LEFT, 0.0), Contact(RIGHT, 0.5)), rest=0.05, every=0.5)


def natural_phase(phase: np.ndarray, duty: np.ndarray, natural: np.ndarray) -> np.ndarray:
    """Return the phase in 0..1 at which a natural walk is as far into stance or swing as a step with another
    duty factor."""
    share = phase % 1.0
    swing = natural + (share - duty) / (1.0 - duty) * (1.0 - natural)
    return np.where(share < duty, share * natural / duty, swing)


def eased_phase(phase: np.ndarray, duty: np.ndarray, natural: np.ndarray) -> np.ndarray:
    """Return a smooth version of `natural_phase`, without corners at toe-off and heel strike, for parts not
    on the ground."""
    share = phase % 1.0
    along = np.where(share < duty, share / duty, (1.0 - share) / (1.0 - duty))
    return share + (natural - duty) * smoothstep(along)


def moving(vhat: np.ndarray) -> np.ndarray:
    """Return 1 for a walk, smoothly 0 at a standstill: a stop in mid-step puts the foot down."""
    return smoothstep(vhat / STANDSTILL_VHAT)
