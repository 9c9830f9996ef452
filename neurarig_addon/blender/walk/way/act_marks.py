"""From the acts of a character to what the walk is asked for: where on its way, and where the things are, in
its walk frame."""

from collections.abc import Collection
from dataclasses import replace
from math import atan2, remainder
from typing import NamedTuple

import numpy as np
from bpy.types import Object

from ....core.acts.act import BODY, SEAT, STAND
from ....core.acts.flight import length_of
from ....core.acts.mark import KNEEL, NO_RESTS, ActMark, done, heaviness, marks_of
from ....core.acts.seat import Seat
from ....core.body.balance import margin
from ....core.body.skin import front, seat_behind, sleeve
from ....core.character.body import Body
from ....core.errors import NeuraRigError
from ....core.gait.body.upper_body import hands_ahead
from ....core.path.curve import Curve
from ....core.path.path import Path
from ...animation.objects import above
from ...character import held
from . import deck, scenery
from .acts import NeuraRigAct, act_of, lacks_thing, needs_thing
from .things import Thing, ThingSight

BEYOND = 10.0  # leg lengths of straight way after the last act that a table holds
# leg lengths between places of a way, twice as many where there would be more of them
SPACING, MOST_PLACES = 0.02, 20_000
FARTHEST = 400.0  # leg lengths of a straight way that are
HAND_AHEAD, FARTHEST_AHEAD = 0.46, 0.7  # leg lengths from where feet stand to what a hand takes
# arm lengths that it may be farther from who is broad, or has his hands ahead
FARTHER = 0.3
CLOSER = 0.15  # leg lengths by which what is heavy, or what one kneels for, is nearer
TOUCHES_AHEAD, TOUCHED_AT = 0.6, 1.3  # leg lengths to what a hand only touches, and that above the ground
ARM_AHEAD = 0.9  # arm lengths to it at least: long arms do not fold between belly and wall
# leg lengths of toes and of hanging hands before what one takes, or what that is put on, and of the head
# before what one touches
TOES_OFF, HANDS_OFF, HEAD_OFF = 0.08, 0.1, 0.2
# off a chair's front within which hands reach its arms, and one sits down in it at all
ASKEW = np.radians([30.0, 60.0])
# leg lengths that a way is at most off the line before a seat, and off a seat that it leads through
BEFORE, THROUGH = 0.3, 0.15
# off the way, from which one turns to sit down, and to take something
LEAST_TURN, REACHES_ASIDE = np.radians([10.0, 35.0])
TURN = 2.0 * np.pi


class WayLine(NamedTuple):
    """A way in the walk frame: `places` `(n, 2)` along it, `headings` `(n,)` there, and `metres` `(n,)`,
    without turns on the spot."""

    places: np.ndarray
    headings: np.ndarray
    metres: np.ndarray

    @classmethod
    def of(cls, way: Path, leg: float) -> "WayLine":
        """Return a way, or the beginning of an endless one."""
        at = np.arange(0.0, min(way.extent[1], FARTHEST * leg) + SPACING * leg, SPACING * leg)
        along = way.drawn.at(at)
        return cls(
            along.place[:, :2], along.heading, np.cumsum(np.append(0.0, np.diff(at) * way.advance(at[1:])))
        )


def asked_of(obj: Object, sight: ThingSight, body: Body, way: Path) -> tuple[ActMark, ...]:
    """Return what a character's acts ask of its walk along a way; those at a frame have no distance yet (see
    `program.placed`).

    Raises NeuraRigError, naming the act, for one that cannot be done there.
    """
    items = list(obj.neurarig.walk.acts)
    if not items:
        return ()
    numbers = {thing: number for number, thing in enumerate(item.thing for item in items)}
    line = WayLine.of(way, body.leg_length)
    # where the middle is of what hands have put down before, None for what they carry
    put: dict[Object, np.ndarray | None] = {}
    found = []
    for number, item in enumerate(items):
        _require_possible_thing(obj, item, put)
        thing, there = sight.of(number)
        under = None if item.thing in put else sight.under(number, thing)
        asked = _asked(item, thing, there, under, body, line, put.get(item.thing))
        if asked.act.takes:
            put[item.thing] = None if item.place is None else asked.goal
        found.append(replace(asked, thing=numbers[item.thing]))
    return tuple(found)


def on_straight(asked: tuple[ActMark, ...], straight: Path, leg_length: float) -> Path:
    """Return a straight way with the marks of acts, if these need any; it goes on after the last one.

    Its places do not depend on how long it is: the walk before an act is the same whatever comes after.
    """
    marks = marks_of(asked, leg_length)
    if not marks:
        return straight
    last, spacing = max(mark.distance for mark in marks) + BEYOND * leg_length, SPACING * leg_length
    spacing *= 2.0 ** max(0.0, np.ceil(np.log2(last / (MOST_PLACES * spacing))))
    ahead = straight.at(spacing * np.arange(np.ceil(last / spacing) + 1.0)).place
    return Curve.through(ahead, leg_length, slows=False, ends=False, marks=marks, spacing=spacing)


def require_possible(obj: Object, asked: tuple[ActMark, ...], body: Body) -> None:
    """Refuse acts on feet where a walk cannot stop or leave out a step."""
    on_feet = list(done(asked, on_feet=True).values())
    if not on_feet:
        return
    name, own = on_feet[0].act.name, obj.neurarig.walk
    if own.mode == "IN_PLACE":
        raise NeuraRigError(
            f"{name}: a walk in place goes nowhere. Choose Travel or Path, or remove the act."
        )
    if own.mode == "PATH" and own.path is None:
        raise NeuraRigError(f"{name}: '{obj.name}' has no path. Choose one, or Travel.")
    if deck.of(obj) is not None:
        raise NeuraRigError(
            f"{name}: '{obj.name}' stands on something that moves. Clear Stand On, or remove the act."
        )
    if body.one_bone_legs or body.rigid_legs:
        raise NeuraRigError(f"{name}: the legs of '{obj.name}' do not bend. Remove the act.")
    if own.gait not in ("WALK", "RUN", "BY_SPEED") and any(one.act.base != STAND for one in on_feet):
        raise NeuraRigError(
            f"{name}: one leaps from a walk or a run. Choose another gait, or remove the act."
        )


def _require_possible_thing(obj: Object, item: NeuraRigAct, taken: Collection[Object]) -> None:
    """Refuse an act with what moves with the character or is `taken` before, and the taking of what others
    have or nobody can."""
    takes = act_of(item).takes
    for thing in filter(None, (item.place, item.thing)):
        if scenery.moves_with(thing, obj):
            raise NeuraRigError(
                f"'{thing.name}' moves with '{obj.name}', so no act can be done with it. Choose another"
                " object."
            )
        if not (takes and thing == item.thing) and not set(taken).isdisjoint((thing, *above(thing))):
            raise NeuraRigError(
                f"{item.name}: '{obj.name}' has taken '{thing.name}' before, so it is elsewhere then. Choose"
                " another."
            )
    if takes and item.thing is not None:
        if item.thing.library is not None:
            raise NeuraRigError(
                f"{item.name}: '{item.thing.name}' is linked, so no hand can take it. Make a library override"
                " of it."
            )
        others = [one.name for one in held.holders(item.thing) if one not in (None, obj)]
        if others:
            raise NeuraRigError(
                f"{item.name}: '{others[0]}' takes '{item.thing.name}' already. Choose another, or remove"
                " that act."
            )


def _asked(
    item: NeuraRigAct,
    thing: Thing | None,
    there: Thing | None,
    under: Thing | None,
    body: Body,
    line: WayLine,
    put: np.ndarray | None,
) -> ActMark:
    act, leg, right = act_of(item), body.leg_length, {"LEFT": False, "RIGHT": True}.get(item.hand)
    if lacks_thing(item):
        return ActMark(act, waits=True)
    seat = thing.seat(leg) if act.of(SEAT) and thing is not None else None
    goal = put
    if seat is not None:
        goal = seat.top
    elif thing is not None and act.reaches and not act.takes:
        goal = thing.touched(line.places, TOUCHED_AT * leg)
    elif thing is not None and there is not None and needs_thing(act):
        goal = thing.put_on(there, line.places)
    elif thing is not None and put is None:
        goal = thing.corners.mean(axis=0)
    frame = float(item.frame) if item.is_timed else None
    if act.base == BODY:
        at = item.distance if there is None else _nearest(line, there.place)
        return ActMark(act, at, seconds=item.seconds, goal=goal, right=right, frame=frame)
    distance, turn, rests = item.distance, 0.0, NO_RESTS
    if frame is not None:
        pass  # where the walk is then
    elif seat is not None:
        row, heading, goal = _sitting(seat, line, body)
        distance, turn = float(line.metres[row]), _turn(line.headings[row], heading, LEAST_TURN)
        off = 0.0 if seat.front is None else abs(remainder(heading - seat.front, TURN))
        if off > ASKEW[1]:
            raise NeuraRigError(
                f"{act.name}: the way does not come before '{item.thing.name}', which faces elsewhere. "
                "Lead it past its front, turn it, or choose an empty on it as Thing."
            )
        rests = seat.rests if off < ASKEW[0] else rests
    elif goal is not None and needs_thing(act):
        in_way = [each.corners for each in (there, under) if each is not None and len(each.corners) > 1]
        in_way.append(goal[None] if thing is None else thing.corners)
        arm = float(np.nan_to_num(body.arm_length).max())
        ahead, off = max(TOUCHES_AHEAD * leg, ARM_AHEAD * arm), HEAD_OFF
        if act.takes:
            in_way[-1] = in_way[-1] + goal - in_way[-1].mean(axis=0)  # where it is, or will be
            ahead = leg * (HAND_AHEAD - CLOSER * max(heaviness(item.weight), float(item.how == KNEEL)))
            off = TOES_OFF
        distance, turn = _taking(line, goal, body, in_way, ahead, off, arm)
    elif there is not None:
        distance = _nearest(line, there.place)
    apart = None
    if item.hand == "BOTH" and thing is not None and act.takes:
        heading = float(line.headings[np.argmin(np.abs(line.metres - distance))]) + turn
        apart = thing.width(heading)
    tall = 0.0 if thing is None else float(np.ptp(thing.corners[:, 2]))
    low = float(goal[2]) - 0.5 * tall if goal is not None and act.takes and tall else None
    length = length_of(act, item.length, leg, item.id_data.neurarig.walk.gait == "RUN")
    return ActMark(
        act,
        distance,
        length,
        item.rise,
        item.seconds,
        turn,
        goal,
        right,
        apart,
        frame,
        rests=rests,
        under=low,
        weight=item.weight,
        how=item.how,
    )


def _nearest(line: WayLine, place: np.ndarray) -> float:
    """Return the metres along a way to where it is nearest to a place."""
    return float(line.metres[np.argmin(np.linalg.norm(line.places - place[:2], axis=1))])


def _taking(
    line: WayLine,
    goal: np.ndarray,
    body: Body,
    in_way: list[np.ndarray],
    ahead: float,
    off: float,
    arm: float,
) -> tuple[float, float]:
    """Return the metres along a way to where feet stand to take a thing, and the turn on the spot.

    The body is by leg lengths `off` before what is `in_way`, the first of these corners `(n, 3)` that one
    does not walk on; the thing is at least so many metres `ahead`. `arm`: metres of its length.
    """
    leg, row = body.leg_length, _stop(line, goal, ahead)
    for corners in in_way:
        top = float(corners[:, 2].max())
        reach = max(front(body, top, sleeve(body)) + off * leg, hands_ahead(body, top) + HANDS_OFF * leg)
        first = _stop(line, goal, max(FARTHEST_AHEAD * leg, reach + FARTHER * arm))
        rows = np.arange(first, max(row, first) + 1)
        away = -margin(corners[None, :, :2], line.places[rows])
        if away[0] > 0.0 or corners is in_way[-1]:
            row = max(rows[away >= reach].tolist(), default=first)
            break
    to = goal[:2] - line.places[row]
    return float(line.metres[row]), _turn(line.headings[row], atan2(to[1], to[0]), REACHES_ASIDE)


def _sitting(seat: Seat, line: WayLine, body: Body) -> tuple[int, float, np.ndarray]:
    """Return the row of a way at which feet stand to sit down, the heading then, and where one sits `(3,)`.

    One sits down as the seat faces if the way comes before it, else away from it.
    """
    leg = body.leg_length
    wanted = seat_behind(body)
    if seat.front is not None:
        near = np.linalg.norm(seat.towards(seat.front, seat.top[:2], leg) - seat.top)
        off = seat.before(line.places, wanted + float(near), leg)
        row, through = int(np.argmin(off)), np.linalg.norm(line.places - seat.top[:2], axis=1) < THROUGH * leg
        if off[row] < BEFORE * leg and not through[:row].any():
            return row, seat.front, seat.towards(seat.front, line.places[row], leg)
    row = _stop(line, seat.top, wanted)
    away = line.places[row] - seat.top[:2]
    goal = seat.towards(atan2(away[1], away[0]), line.places[row], leg)
    row = _stop(line, goal, wanted)
    away = line.places[row] - goal[:2]
    return row, atan2(away[1], away[0]), goal


def _stop(line: WayLine, goal: np.ndarray, wanted: float) -> int:
    """Return the row of a way so many metres before a goal, or nearest to it."""
    away = np.linalg.norm(line.places - goal[:2], axis=1)
    nearest = int(np.argmin(away))
    near = np.flatnonzero(away[: nearest + 1] >= wanted)
    return int(near[-1]) if len(near) else nearest


def _turn(heading: float, wanted: float, least: float) -> float:
    """Return the turn on the spot from one heading to another, left positive; 0 where it is less than
    `least`."""
    turn = remainder(wanted - heading, TURN)
    return turn if abs(turn) > least else 0.0
