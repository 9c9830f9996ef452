"""Where a walk stands still, before its start, in pauses and after its end, and how its phases come to rest
there.

In standstills both feet are down; the last and first steps are shorter.
"""

from dataclasses import dataclass

import numpy as np

from ...easing import smoothstep
from ..kinds.contacts import CycleContacts
from .in_step import LEAST_MAKES_UP, Marks, in_step

# A standstill has both feet down (see `Contacts.rest`); at most this many cycles before it are adjusted for
# that.
REST_REACH = 2.0
# cycles that longer strides may remove for that: at 0.1 the last knee was flung straight (239 rad/s^2)
LONGER = 0.06
# Last and first steps are shorter: by these shares right beside a standstill in walks, and in runs and on
# stairs; range in leg lengths.
SHORTER, LITTLE_SHORTER, CLOSING_WAY = (0.62, 0.4), (0.25, 0.2), 1.2
CORNER_OFF_REST = 2.5  # leg lengths: corners this near to a standstill are not adjusted for


@dataclass(frozen=True)
class Rests:
    """Standstills `(n,)`: `begin`, `end` in seconds since the start, possibly infinite; phase before `feet`
    are added; metres."""

    begin: np.ndarray
    end: np.ndarray
    phase: np.ndarray
    distance: np.ndarray

    def __len__(self) -> int:
        return len(self.begin)

    @classmethod
    def of(cls, seconds: np.ndarray, speed: np.ndarray, phase: np.ndarray, distance: np.ndarray) -> "Rests":
        """Return the standstills among knots `(knots,)`; a walk also stands before a first and after a last
        knot of zero speed."""
        slow = speed <= 0.0
        # intervals between knots, with those before and after all, and one more beside each
        still = np.zeros(len(speed) + 3, dtype=bool)
        still[1], still[2:-2], still[-2] = slow[0], slow[1:] & slow[:-1], slow[-1]
        first, last = np.flatnonzero(still[1:] != still[:-1]).reshape(-1, 2).T - [[0], [1]]
        times = np.concatenate([[-np.inf], seconds, [np.inf]])
        knot = np.minimum(first, len(seconds) - 1)
        return cls(times[first], times[last + 1], phase[knot], distance[knot])

    def within(self, begin: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return whether the phases from `begin` to `end` `(...)`, before `feet` are added, contain a
        standstill, and which `(...)`."""
        held = (self.phase >= begin[..., None]) & (self.phase < end[..., None])
        return np.any(held, axis=-1, keepdims=True)[..., 0], np.argmax(held, axis=-1)


def shortened(rests: Rests, distance: np.ndarray, by: tuple[float, float] = SHORTER) -> np.ndarray:
    """Return factors `(knots,)` on strides: shorter before and after standstills; distances, also those of
    `rests`, in leg lengths."""
    begin, end = np.searchsorted(distance, rests.distance + np.array([[-CLOSING_WAY], [CLOSING_WAY]]))
    near = np.unique(np.concatenate([np.arange(0), *map(np.arange, begin, end)]))
    away, less = distance[near, None] - rests.distance, np.zeros(len(distance))
    share = np.where(away > 0.0, by[1], by[0]) * np.maximum(1.0 - (away / CLOSING_WAY) ** 2, 0.0) ** 3
    less[near] = share.max(axis=1, initial=0.0)
    return 1.0 - less


def settled(
    phase: np.ndarray,
    distance: np.ndarray,
    speed: np.ndarray,
    zero: int,
    marks: Marks,
    contacts: CycleContacts,
    leg_length: float,
) -> np.ndarray:
    """Return left-foot phases `(knots,)` that meet the marks and bring the walk to rest with both feet down.

    The difference for a standstill is made up in the strides before it: shorter ones, as people take them,
    rarely slightly longer.
    """
    still = speed <= 0.0
    phase, begun, stood = phase.copy(), zero, float(distance[zero]) if still[zero] else -np.inf
    for knot in [*(np.flatnonzero(still[1:] & ~still[:-1]) + 1), len(phase) - 1]:
        stops = float(distance[knot]) if still[knot] else np.inf
        ahead = marks.between(stood, float(distance[knot])).soft_ones_off(
            stood, stops, CORNER_OFF_REST * leg_length
        )
        if still[begun]:  # standing feet stay down
            ahead = ahead.after(float(phase[begun]) + LEAST_MAKES_UP, phase, distance)
        if len(ahead.at):
            phase = in_step(ahead, phase, distance, float(phase[begun]), bool(speed[begun] > 0.0))
            begun = max(begun, int(np.searchsorted(distance, ahead.at[-1])))
        if still[knot] and knot > zero:
            if phase[knot] > phase[begun]:
                phase = phase + _lacking_to_rest(phase, float(phase[begun]), float(phase[knot]), contacts)
            begun, stood = knot, float(distance[knot])
    return phase


def _lacking_to_rest(phase: np.ndarray, begun: float, end: float, contacts: CycleContacts) -> np.ndarray:
    """Return what to add to phases `(knots,)`, from `begun` on, for both feet to be down at `end`."""
    lacking = contacts.rest + contacts.every * np.ceil((end - contacts.rest - LONGER) / contacts.every) - end
    reach = min(REST_REACH, end - begun)
    share = np.clip((phase - end) / reach + 1.0, 0.0, 1.0)
    return lacking * (smoothstep(share) if reach >= 1.0 else share)
