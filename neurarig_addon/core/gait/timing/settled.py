"""Phases that come to rest: both feet down where a walk stands, its last steps and its first one shorter."""

import numpy as np

from ...easing import smoothstep
from ..kinds.contacts import Contacts
from .in_step import LEAST_MAKES_UP, Marks, in_step
from .rests import Rests

# A standstill finds both feet down (see `Contacts.rest`); the last cycles before it, at most so many, make that true.
REST_REACH = 2.0
LONGER = 0.1  # cycles that may be taken off for that, by strides that are longer
# The last steps and the first one are shorter, by so much right beside a standstill, and within so many leg lengths.
CLOSING, OPENING, CLOSING_WAY = 0.25, 0.2, 1.2
CORNER_OFF_REST = 2.5  # leg lengths: corners so near to a standstill are taken as they come


def shortened(rests: Rests, distance: np.ndarray) -> np.ndarray:
    """Return factors `(knots,)` on strides: shorter before and after standstills; distances, and the rests', in leg lengths."""
    away = distance[:, None] - rests.distance
    near = np.flatnonzero((np.abs(away) < CLOSING_WAY).any(axis=1))
    away, less = away[near], np.zeros(len(distance))
    share = np.where(away > 0.0, OPENING, CLOSING) * np.maximum(1.0 - (away / CLOSING_WAY) ** 2, 0.0) ** 3
    less[near] = share.max(axis=1, initial=0.0)
    return 1.0 - less


def settled(
    phase: np.ndarray, distance: np.ndarray, speed: np.ndarray, zero: int, marks: Marks, contacts: Contacts, leg_length: float
) -> np.ndarray:
    """Return phases `(knots,)` of the left foot that are as marked, and with which a walk comes to rest with both feet down.

    What is lacking for a standstill is made up in the strides before it: shorter ones, as people take them, seldom a little longer ones.
    """
    still = speed <= 0.0
    phase, begun, stood = phase.copy(), zero, float(distance[zero]) if still[zero] else -np.inf
    for knot in [*(np.flatnonzero(still[1:] & ~still[:-1]) + 1), len(phase) - 1]:
        stops = float(distance[knot]) if still[knot] else np.inf
        ahead = marks.between(stood, float(distance[knot])).soft_ones_off(stood, stops, CORNER_OFF_REST * leg_length)
        if still[begun]:  # who stands has both feet down and keeps them there
            ahead = ahead.after(float(phase[begun]) + LEAST_MAKES_UP, phase, distance)
        if len(ahead.at):
            phase = in_step(ahead, phase, distance, float(phase[begun]), bool(speed[begun] > 0.0))
            begun = max(begun, int(np.searchsorted(distance, ahead.at[-1])))
        if still[knot] and knot > zero and phase[knot] > phase[begun]:
            phase = phase + _lacking_to_rest(phase, float(phase[begun]), float(phase[knot]), contacts)
            begun, stood = knot, float(distance[knot])
    return phase


def _lacking_to_rest(phase: np.ndarray, begun: float, end: float, contacts: Contacts) -> np.ndarray:
    """Return what to add to phases `(knots,)`, from `begun` on, so that both feet are down at `end`."""
    lacking = contacts.rest + contacts.every * np.ceil((end - contacts.rest - LONGER) / contacts.every) - end
    reach = min(REST_REACH, end - begun)
    share = np.clip((phase - end) / reach + 1.0, 0.0, 1.0)
    return lacking * (smoothstep(share) if reach >= 1.0 else share)
