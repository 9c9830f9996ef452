"""The contacts of a gait: which foot touches the ground when in a cycle, for how long, and where; a walk has two, a skip four."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...character.body import LEFT, RIGHT
from ...errors import NeuraRigError


@dataclass(frozen=True)
class Contact:
    """A foot on the ground in every cycle.

    `begins`: cycles after the first contact of the left foot.  `lasts`: cycles, at the gait's natural speed; 0 where a law says it.
    `ahead`: leg lengths that its print is farther ahead than where the hips are in its middle.  `bears`: how much of the body's weight it
    carries, against the others.
    """

    side: int
    begins: float
    lasts: float = 0.0
    ahead: float = 0.0
    bears: float = 1.0


@dataclass(frozen=True)
class Contacts:
    """All contacts of a cycle, those of a foot in their order; both feet have as many, at the same times after their own first one.

    `rest`: cycles after the left foot's first contact when both feet are down, also so every `every` cycles later.  `carried`: a foot that
    never stands, if any.

    The phase of a foot counts its contacts: whole numbers are those, and between them it goes evenly with time.
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
        """Cycles from the first contact of a foot to each of its contacts, 0 the first."""
        left = [contact.begins for contact in self.cycle if contact.side == LEFT]
        return tuple(begins - left[0] for begins in left)

    @cached_property
    def apart(self) -> float:
        """Cycles that the right foot is ahead of the left one."""
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
        """Contacts as `lasts`, `ahead`, `bears` `(3, contacts)`, in the order of `which`."""
        found = np.empty((3, 2 * self.of_a_foot))
        for side in (LEFT, RIGHT):
            own = [contact for contact in self.cycle if contact.side == side]
            found[:, side::2] = np.array([[one.lasts, one.ahead, one.bears] for one in own]).T
        return found

    def which(self, number: np.ndarray) -> np.ndarray:
        """Return which contacts of the cycle steps of numbers `(..., 2)` are: LEFT and RIGHT, and 2 more for each later one of a foot."""
        return np.array([LEFT, RIGHT]) + 2 * (np.asarray(number).astype(int) % self.of_a_foot)

    def order(self, number: np.ndarray) -> np.ndarray:
        """Return how many contacts of the same foot came before in the cycle, for steps of numbers `(...)`: 0 for the first."""
        return np.mod(number, float(self.of_a_foot)) if self.of_a_foot > 1 else np.zeros(np.shape(number))

    def lasts(self, which: np.ndarray | int) -> np.ndarray:
        """Return natural cycles on the ground of contacts `(...)`."""
        return self._by_number[0][which]

    def ahead(self, which: np.ndarray | int) -> np.ndarray:
        """Return leg lengths that prints of contacts `(...)` are ahead."""
        return self._by_number[1][which]

    def bears(self, which: np.ndarray | int) -> np.ndarray:
        """Return what contacts `(...)` carry, against each other."""
        return self._by_number[2][which]

    def spans(self, which: np.ndarray | int) -> np.ndarray:
        """Return cycles from contacts `(...)` to the next ones of their feet."""
        return np.diff(self._ends)[np.asarray(which) // 2]

    def counted(self, cycles: np.ndarray) -> np.ndarray:
        """Return the phases `(...)` of feet at cycles `(...)` since their own first contacts."""
        if self.of_a_foot == 1:
            return cycles
        whole = np.floor(cycles)
        return self.of_a_foot * whole + np.interp(cycles - whole, self._ends, np.arange(self.of_a_foot + 1.0))

    def cycles(self, phase: np.ndarray) -> np.ndarray:
        """Return the cycles `(...)` since their own first contacts of feet at phases `(...)`."""
        if self.of_a_foot == 1:
            return phase
        whole = np.floor(np.asarray(phase) / self.of_a_foot)
        return whole + np.interp(phase - self.of_a_foot * whole, np.arange(self.of_a_foot + 1.0), self._ends)


def require_turns(contacts: Contacts, limit: str, cure: str) -> None:
    """Refuse a gait whose feet do not take turns what only a walk and a run can; raises NeuraRigError with the limit and the cure."""
    if not contacts.takes_turns:
        raise NeuraRigError(f"A skip, gallop or hop {limit}. {cure}, or set Gait to Walk or Run.")


TURNS = Contacts((Contact(LEFT, 0.0), Contact(RIGHT, 0.5)), rest=0.05, every=0.5)
