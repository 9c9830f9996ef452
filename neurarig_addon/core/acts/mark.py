"""An act asked for: which one, where on the way, and what it has to do with the things there."""

from dataclasses import dataclass

import numpy as np

from ..path.marks import EITHER, NEXT, Mark
from .act import BODY, SEAT, STAND, STEP, Act

# where the left and the right wrist `(3,)` lie; None: on its thigh
Rests = tuple[np.ndarray | None, np.ndarray | None]

NO_RESTS: Rests = (None, None)
# how a body goes down for its hands: as people do, or one way
AUTO, BOW, STOOP, SQUAT, KNEEL = "AUTO", "BOW", "STOOP", "SQUAT", "KNEEL"
PAUSE = 0.5  # x sqrt(leg in metres), seconds of standing in whose middle an act on both feet begins


@dataclass(frozen=True)
class ActMark:
    """An act and its place on the way.

    `distance`: metres along the drawn path to where the root is as it begins. `length`: metres from there to
    where the root is as it
    ends, of a jump; 0 stays. `rise`: metres by which the body's middle rises above the higher of both ends in
    a jump; 0: as far as the way
    asks for. `seconds`: how long it is held. `turn`: radians turned on the spot before, left positive, and
    back after.
    `goal` `(3,)`: in the walk frame: where the seat's top, the grip of the object or what is pointed at is;
    None for none.
    `right`: with the right hand or off the right foot; None: the nearer hand, and off whichever foot comes
    there.
    `apart`: metres from hand to hand of one that takes something with both; None: with one.
    `frame`: the shown frame on which it is asked for, which counts for acts of the upper body; None: only at
    its distance.
    `thing`: the number of what hands take, the same when they put it down.  `rests`: on what one sits on.
    `waits`: for what it is for; until then the walk goes on as if it were not there.
    `under`: the height of what it takes, or puts down, stands on; None: it hangs, or has no size. `weight`:
    of that, as a share of the body's. `how`: it goes down for its hands, AUTO or another way.
    """

    act: Act
    distance: float = 0.0
    length: float = 0.0
    rise: float = 0.0
    seconds: float = 0.0
    turn: float = 0.0
    goal: np.ndarray | None = None
    right: bool | None = None
    apart: float | None = None
    frame: float | None = None
    thing: int | None = None
    rests: Rests = NO_RESTS
    waits: bool = False
    under: float | None = None
    weight: float = 0.0
    how: str = AUTO

    @property
    def is_planned(self) -> bool:
        """Whether it is known only from the walk there how long it plays, on which side, or whether it can be
        done at all."""
        return (
            self.act.base == STEP
            or self.act.flight is not None
            or bool(self.act.of(SEAT))
            or self.goal is not None
        )


HEAVY = 0.3  # of the body's weight: what is lifted as heavy things are


def heaviness(weight: float) -> float:
    """Return how far something of a weight, as a share of the body's, is lifted as heavy things are, 0..1."""
    return min(weight / HEAVY, 1.0)


def done(acts: tuple[ActMark, ...], on_feet: bool) -> dict[int, ActMark]:
    """Return the acts that are done, by number: those `on_feet`, or those of the upper body."""
    return {
        number: asked
        for number, asked in enumerate(acts)
        if not asked.waits and (asked.act.base != BODY) == on_feet
    }


def marks_of(acts: tuple[ActMark, ...], leg_length: float) -> tuple[Mark, ...]:
    """Return the marks that acts need on a path, each with the number of its act: where feet stand, and on
    which."""
    pause = PAUSE * float(np.sqrt(leg_length))
    found = []
    for number, asked in done(acts, on_feet=True).items():
        if asked.act.base == STAND:
            found.append(Mark(asked.distance, pause, turn=asked.turn, act=number))
            if asked.length:
                found.append(Mark(asked.distance + asked.length, pause, act=number))
        else:
            found.append(
                Mark(asked.distance, foot=EITHER if asked.right is None else int(asked.right), act=number)
            )
            found.append(Mark(asked.distance + asked.length, foot=NEXT, act=number))
    return tuple(found)
