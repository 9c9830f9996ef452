"""An act: what touches what, when, and what the body does meanwhile; learned from recordings or made, the
same on every character."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..contract.channels import CHANNELS, OTHERS, SIGNS, both_feet, other_side
from ..easing import cubic, spline_slopes

FEET = ("foot_l", "foot_r")
HANDS = ("hand_l", "hand_r")
SEAT = "seat"
PARTS = (*FEET, *HANDS, SEAT)
# How an act begins and ends: on both feet, in mid-stance on one foot and then on the other, or anywhere, as
# the upper body alone acts.
STAND, STEP, BODY = "STAND", "STEP", "BODY"
BASES = (STAND, STEP, BODY)
GROUND, OBJECT, SURFACE, BODY_PART = "ground", "object", "surface", "body"
SURFACES = (GROUND, OBJECT, SEAT, SURFACE, BODY_PART)
# which channels are of the left and of the right arm `(2, 46)`
OF_ARMS = np.array([[channel.startswith(f"arm_{letter}") for channel in CHANNELS] for letter in "lr"], float)


@dataclass(frozen=True)
class Curves:
    """Cubic splines through `values` `(n, c)` at times `at` `(n,)`, rising; level at both ends and constant
    beyond."""

    at: np.ndarray
    values: np.ndarray

    def __call__(self, at: np.ndarray) -> np.ndarray:
        """Return the values `(f, c)` at times `(f,)`."""
        return cubic(self.at, self.values, self._slopes, at)

    @cached_property
    def _slopes(self) -> np.ndarray:
        return spline_slopes(self.at, self.values, level=True)


@dataclass(frozen=True)
class ActContact:
    """A `part` that stays where it is from `begin` to `end`, in seconds of the act.

    `on`: what it touches. `place` `(3,)`: of a foot, leg lengths from where it would stand, ahead, left and
    up; `heading`: radians
    likewise, left positive.
    """

    part: str
    begin: float
    end: float
    on: str = GROUND
    place: tuple[float, float, float] = (0.0, 0.0, 0.0)
    heading: float = 0.0


@dataclass(frozen=True)
class Act:
    """What a body adds to how it stands, over `seconds`, and its contacts.

    `base`: one of BASES. `curves`: the 46 channels of `contract.channels` in leg lengths and radians,
    relative to how the body stands at
    the beginning and at the end, so 0 at both. `travel`: curves of one column, the share of the way from the
    first place to the last.
    `contacts`: in order of time.
    `flight`: seconds between which nothing touches the ground, None for an act on the ground. `hold`: seconds
    between which the act may
    be held as long as wished, None for one that cannot.
    `arms`: curves of two columns, left and right, 0..1: how far an arm's channels are its own instead of
    added to the walk's (not STAND).  `ways`: how many of the same length follow one another, one of which is
    done (BODY).
    """

    name: str
    base: str
    curves: Curves
    travel: Curves
    contacts: tuple[ActContact, ...] = ()
    flight: tuple[float, float] | None = None
    hold: tuple[float, float] | None = None
    arms: Curves | None = None
    ways: int = 1
    description: str = ""
    credit: str = ""

    @property
    def seconds(self) -> float:
        """How long the act is as it is filed."""
        return float(self.curves.at[-1])

    def of(self, part: str) -> tuple[ActContact, ...]:
        """Return the contacts of a part."""
        return tuple(contact for contact in self.contacts if contact.part == part)

    @cached_property
    def takes(self) -> tuple[ActContact, ...]:
        """The contacts of hands, the left one first, with what they take or put down."""
        return tuple(contact for contact in self.reaches if contact.on == OBJECT)

    @cached_property
    def reaches(self) -> tuple[ActContact, ...]:
        """The contacts of hands, the left one first, with what they take, put down or touch."""
        return tuple(one for part in HANDS for one in self.of(part) if one.on in (OBJECT, SURFACE))

    @cached_property
    def own_arms(self) -> set[str]:
        """The hands whose arms it moves (BODY)."""
        moved = np.abs(both_feet(self.curves.values, "arm")).max(axis=-1)
        own = moved if self.arms is None else self.arms.values
        return {hand for hand, much in zip(HANDS, own.max(axis=0), strict=True) if much > 0.0}

    @property
    def between(self) -> tuple[float, float]:
        """Until when feet go on as in the step before, and from when on as in that after (STEP)."""
        return self.flight or (0.5 * self.seconds, 0.5 * self.seconds)

    def way(self, seed: int) -> "Act":
        """Return the act with the one of its ways that a seed draws."""
        if self.ways == 1:
            return self
        at, lasts = self.curves.at, self.seconds / self.ways
        begin = seed % self.ways * lasts
        rows = (at > begin - 1e-3) & (at < begin + lasts + 1e-3)
        own = {
            name: Curves(at[rows] - at[rows][0], curves.values[rows])
            for name in ("curves", "travel", "arms")
            if (curves := getattr(self, name)) is not None
        }
        return replace(self, ways=1, **own)

    @cached_property
    def mirrored(self) -> "Act":
        """The act with left and right exchanged."""
        return replace(
            self,
            curves=Curves(self.curves.at, mirrored_channels(self.curves.values)),
            arms=None if self.arms is None else Curves(self.arms.at, self.arms.values[:, ::-1]),
            contacts=tuple(_mirrored(contact) for contact in self.contacts),
        )


def in_order(contacts: Iterable[ActContact]) -> tuple[ActContact, ...]:
    """Return contacts in order of time."""
    return tuple(sorted(contacts, key=lambda contact: (contact.begin, contact.part)))


def mirrored_channels(values: np.ndarray) -> np.ndarray:
    """Return channels `(..., 46)` of the mirrored pose."""
    return values[..., OTHERS] * SIGNS


def _mirrored(contact: ActContact) -> ActContact:
    ahead, left, up = contact.place
    return replace(contact, part=other_side(contact.part), place=(ahead, -left, up), heading=-contact.heading)
