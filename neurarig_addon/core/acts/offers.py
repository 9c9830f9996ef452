"""Which acts can be done with what is pointed at, the likeliest first, and why the others cannot; where one
jumps over a gap."""

from dataclasses import dataclass

import numpy as np

# Leg lengths: how high seats are, and those on which one sits rather than reaches for them; how wide.
SEATS, LOW_SEATS, NARROW_SEAT = (0.2, 0.98), (0.4, 0.65), 0.35
# Leg lengths: what two arms span, and what is at most carried between them; what one takes rather than sits
# on; what is too wide for one hand.
SPAN, LONGEST, SMALL, GRIP = 0.9, 1.9, 0.7, 0.26
HOPPED = 0.6  # leg lengths of what one hops over at most
# Leg lengths of the feet before and behind what is jumped over; how much lower a gap is; how far around the
# mouse it is looked for, and how far its edges may be.
BEFORE, BEHIND, DROP, AROUND, FAR = 0.3, 0.25, 0.3, 0.6, 3.0
OF_PLACES = ("JUMP", "LEAP", "CROUCH", "WAVE", "POINT", "NOD", "LOOK_BACK", "SHAKE_HEAD")


@dataclass(frozen=True)
class Offer:
    """An act by its `kind`; `why` it cannot be done, '' if it can."""

    kind: str
    why: str = ""


@dataclass(frozen=True)
class Pointed:
    """A thing that is pointed at, as one sees it who walks: its `size` `(3,)` in metres, and how `high` above
    the ground its top, or its seat, is.

    `has_back`: a seat that faces somewhere. `across`: whether it lies across the way.
    `in_hands`: what is carried there, '' for nothing.
    """

    name: str
    size: tuple[float, float, float]
    high: float
    has_back: bool = False
    across: bool = False
    in_hands: str = ""


def offers(seen: Pointed, leg: float) -> tuple[Offer, ...]:
    """Return what can be done with a thing by one with so long a leg, in metres; what cannot comes last."""
    name, *wide, tall = seen.name, *sorted(seen.size[:2]), seen.size[2]
    narrow, broad = wide
    has_room = narrow >= NARROW_SEAT * leg or not broad
    sits = has_room and LOW_SEATS[0] * leg <= seen.high <= LOW_SEATS[1] * leg
    ranks = ["SIT"] if seen.has_back or sits else []
    ranks = ["PUT_DOWN"] if seen.in_hands else ranks
    ranks += ["PICK_UP"] if 0.0 < max(broad, tall) <= SMALL * leg else []
    ranks += ["TOUCH", "SIT", "PICK_UP", "PUT_DOWN", "POINT", "JUMP", "LEAP"]
    whys = {}
    if not SEATS[0] * leg <= seen.high <= SEATS[1] * leg:
        whys["SIT"] = (
            f"'{name}' is {seen.high:.2f} m high: seats of {SEATS[0] * leg:.2f} to {SEATS[1] * leg:.2f} m"
            " are possible."
        )
    if narrow > SPAN * leg or max(broad, tall) > LONGEST * leg:
        whys["PICK_UP"] = (
            f"'{name}' is {narrow:.2f} m across and {max(broad, tall):.2f} m long: {SPAN * leg:.2f} and"
            f" {LONGEST * leg:.2f} m are possible."
        )
    if seen.in_hands == name:
        why = f"'{name}' is in hand there. Point at what it is put on."
        whys |= dict.fromkeys(("PICK_UP", "SIT", "PUT_DOWN"), why)
    elif not seen.in_hands:
        whys["PUT_DOWN"] = (
            f"Nothing is in hand there to be put on '{name}'. Point at it and pick it up first."
        )
    if not seen.across:
        whys["JUMP"] = whys["LEAP"] = f"'{name}' does not lie across the way."
    elif tall > HOPPED * leg:
        whys["JUMP"] = whys["LEAP"] = f"'{name}' is {tall:.2f} m high: {HOPPED * leg:.2f} m are possible."
    found = [Offer(kind, whys.get(kind, "")) for kind in dict.fromkeys(ranks)]
    return tuple(sorted(found, key=lambda offer: bool(offer.why)))


def gap(metres: np.ndarray, heights: np.ndarray, at: float, leg: float) -> tuple[float, float] | None:
    """Return between which metres along a way there is a gap near `at`; None for none.

    `heights` `(n,)`: of the ground at `metres` `(n,)`, rising; -inf where there is none.
    """
    near = np.flatnonzero(np.abs(metres - at) <= AROUND * leg)
    if not len(near):
        return None
    lowest = near[np.argmin(heights[near])]
    level = min(heights[: lowest + 1].max(), heights[lowest:].max())
    if not heights[lowest] < level - DROP * leg:
        return None
    stands = heights >= level - DROP * leg
    before = np.flatnonzero(stands[:lowest])
    behind = lowest + np.flatnonzero(stands[lowest:])
    return float(metres[before[-1]]), float(metres[behind[0]])


def jumped(over: tuple[float, float], leg: float) -> tuple[float, float]:
    """Return from where, in metres along a way, and how far one jumps over what lies between two of them."""
    begin = max(over[0] - BEFORE * leg, 0.0)
    return begin, over[1] + BEHIND * leg - begin
