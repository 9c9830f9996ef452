"""What touches what in the part of a clip that shows an act: feet on their prints, a flight, hips on a seat,
hands on ground and thighs."""

import numpy as np

from ..body.arm import on_thigh
from ..body.balance import middle_of
from ..contract.channels import block
from ..errors import NeuraRigError
from ..gait.kinds.natural import GRAVITY
from ..geometry.rotation import about_z, dot, norms, rotated
from ..retarget.contacts import HAND_ON_FLOOR, find_contacts, speed
from ..retarget.spans import flags_of, intervals_of, kept_for, touched
from ..skeleton.roles import SIDES, sided
from ..takes.performance import BOTH
from .act import BODY_PART, FEET, GROUND, HANDS, SEAT, ActContact
from .clip_body import TALL
from .shown import ShownPart, between

# seconds of a flight at least; x gravity from which a body flies; how far that corrects
FLIES_S, FALLS, FALLS_WITHIN_S = 0.1, 0.5, 0.12
SHUFFLE = 0.06  # leg lengths: a foot that leaves its print for less stays
# of the standing height; seconds; leg lengths behind the ankles, where nobody stands by himself
LOW, SEAT_S, BEHIND = 0.75, 0.3, 0.06
UPRIGHT = np.radians(35.0)  # a chest that leans more does not sit
SITS_STILL = 0.15  # leg lengths a second of hips that rest
HELD = 0.5  # of a rest, in its middle, that may be held
# leg lengths of a hand from its thigh, and a second along it; seconds that it stays
ON_THIGH, LIES_STILL, LIES_S = 0.22, 0.25, 0.4


def flight_of(shown: ShownPart) -> tuple[float, float] | None:
    """Return the seconds between which nothing touches the ground; refuses more than one flight.

    Soles leave the ground after heels and balls have: a body that falls freely flies.
    """
    fps = shown.performance.fps
    aloft: np.ndarray = np.all(~shown.performance.standing[shown.rows], axis=1)
    height = middle_of(shown.performance.character.body, shown.motions)[:, 2]
    falls = np.zeros(len(height), dtype=bool)
    falls[1:-1] = np.diff(height, 2) * fps**2 < -FALLS * GRAVITY
    flights = intervals_of(touched(*(kept_for(flags, FLIES_S, fps) for flags in (aloft, falls))))
    if len(flights) > 1:
        raise NeuraRigError(
            f"'{shown.performance.name}' leaves the ground {len(flights)} times. Say between which seconds of"
            " it a single jump lies."
        )
    if not len(flights):
        return None
    first, last = (int(row) for row in flights[0])
    within, middle = round(FALLS_WITHIN_S * fps), (first + last) // 2
    begin = _edge(falls, range(first, max(first - within, 0), -1), range(first, middle))
    end = _edge(falls, range(last, min(last + within, len(falls) - 1)), range(last, middle, -1))
    return (begin - 0.5) / fps, (end + 0.5) / fps


def _edge(falls: np.ndarray, outward: range, inward: range) -> int:
    """Return the last row outward from an edge in which a body falls, or the first inward if it does not fall
    there."""
    if not falls[outward.start]:
        return next((row for row in inward if falls[row]), outward.start)
    return next(
        (row - outward.step for row in outward if not falls[row]),
        outward[-1] if len(outward) else outward.start,
    )


def feet_of(shown: ShownPart, flight: tuple[float, float] | None) -> list[ActContact]:
    """Return when and where both feet stand; until the flight begins, and as soon as it is over."""
    found = []
    fps, leg, (off, down) = shown.performance.fps, shown.leg, flight or (np.inf, np.inf)
    near = FALLS_WITHIN_S + 1.0 / fps
    for side in BOTH:
        places, headings = (values[shown.rows[[0, -1]], side] for values in shown.performance.under)
        for first, last in _stances(shown, side):
            place, heading = shown.performance.print_of(side, shown.rows[0] + first, shown.rows[0] + last)
            begin, end = first / fps, last / fps
            end = off if abs(end - off) <= near else end
            begin = down if abs(begin - down) <= near else begin
            if begin == 0.0 or end >= shown.at[-1]:
                found.append(ActContact(FEET[side], begin, min(end, float(shown.at[-1]))))
                continue
            way = np.interp([0.5 * (begin + end)], shown.at, shown.travel)
            root = between(shown.headings[0], shown.headings[1], way)
            ahead, left, up = map(
                float, rotated(about_z(-root), place - between(places[0], places[1], way))[0] / leg
            )
            turned = heading - between(headings[0], headings[1], way).item()
            found.append(ActContact(FEET[side], begin, end, place=(ahead, left, up), heading=turned))
    return found


def _stances(shown: ShownPart, side: int) -> list[tuple[int, int]]:
    """Return the first and last row of each stance of a foot; one that hardly leaves its place stays
    there."""
    place = shown.performance.under[0][shown.rows, side]
    found: list[tuple[int, int]] = []
    for first, last in intervals_of(shown.performance.standing[shown.rows, side]):
        if found:
            begin, end = found[-1]
            home = np.median(place[begin : end + 1], axis=0)
            if norms(place[end + 1 : last + 1] - home).max() < SHUFFLE * shown.leg:
                found[-1] = begin, last
                continue
        found.append((first, last))
    return found


def sits_of(shown: ShownPart) -> tuple[tuple[float, float] | None, list[ActContact]]:
    """Return the seconds that a body which rests with its hips low may be held, and when it sits: if it would
    fall over on its feet alone."""
    performance, leg = shown.performance, shown.leg
    ankles = shown.feet.ankle.mean(axis=1)
    height = shown.hips[:, 2] - ankles[:, 2]
    stands = max(height[0], height[-1])
    low = np.logical_and(height < LOW * stands, speed(shown.hips, performance.fps) < SITS_STILL * leg)
    rests = intervals_of(kept_for(low, SEAT_S, performance.fps))
    if not len(rests):
        return None, []
    first, last = max(rests, key=lambda rest: rest[1] - rest[0])
    rows = slice(first, last + 1)
    begin, end = float(shown.at[first]), float(shown.at[last])
    away = 0.5 * (1.0 - HELD) * (end - begin)
    middle = middle_of(performance.character.body, shown.motions)
    ahead = dot((middle - ankles)[rows], shown.motions["pelvis"].rotation[rows, :, 0])
    chest = block(shown.values, "chest")[rows]
    seated = (
        float(np.median(ahead)) < -BEHIND * leg
        and float(np.median(np.abs(chest[:, [0, 2]]).max(axis=1))) < UPRIGHT
    )
    return (begin + away, end - away), [ActContact(SEAT, begin, end, SEAT)] if seated else []


def hands_of(shown: ShownPart) -> list[ActContact]:
    """Return when hands rest on the ground or on thighs."""
    performance, body = shown.performance, shown.performance.character.body
    found = []
    floor = shown.feet.ankle[..., 2].min(axis=1) - body.ankle[:, 2].min()
    height = shown.hips[:, 2] - shown.feet.ankle[..., 2].mean(axis=1)
    low = height < TALL * height.max()
    planted = find_contacts(performance.character, performance.motions, performance.fps)
    for side, letter in enumerate(SIDES):
        hand = shown.motions.get(sided("hand", letter))
        if hand is None:
            continue
        held = flags_of(planted.of(sided("hand", letter)), len(performance.standing))[shown.rows]
        on_floor = np.logical_and(held, hand.position[:, 2] - floor < HAND_ON_FLOOR * shown.leg)
        away = hand.position - on_thigh(body, shown.motions, side)
        lies: np.ndarray = np.logical_and(
            norms(away) < ON_THIGH * shown.leg, speed(away, performance.fps) < LIES_STILL * shown.leg
        )
        for on, flags in ((GROUND, on_floor), (BODY_PART, np.logical_and(lies & low, ~on_floor))):
            for first, last in intervals_of(kept_for(flags, LIES_S, performance.fps)):
                found.append(ActContact(HANDS[side], float(shown.at[first]), float(shown.at[last]), on))
    return found
