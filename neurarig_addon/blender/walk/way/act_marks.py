"""From the acts of a character to what the walk is asked for: where on its way, and where the things are, in its walk frame."""

from collections.abc import Callable
from dataclasses import replace
from math import cos, sin

import bpy
import numpy as np

from ....core.acts.act import BODY, SEAT, STAND, Act
from ....core.acts.mark import ActMark, marks_of
from ....core.character.body import Body
from ....core.errors import NeuraRigError
from ....core.gait.sliders.style import Clock
from ....core.path.curve import Curve
from ....core.path.path import Path
from . import deck, things, world
from .acts import NeuraRigAct, act_of, needs_thing
from .world import Look

BEYOND = 10.0  # leg lengths of straight way after the last act that a table holds
SPACING = 0.02  # leg lengths between places of a way that are looked at
FARTHEST = 400.0  # leg lengths of a straight way that are
SEAT_BEHIND, HAND_AHEAD = 0.45, 0.45  # leg lengths from where feet stand to the middle of a seat behind, and to what a hand takes
BEFORE = 0.4  # leg lengths that a way is at most off the place before a seat
LEAST_TURN, REACHES_ASIDE = np.radians([10.0, 35.0])  # off the way, from which one turns to sit down, and to take something
TURN = 2.0 * np.pi

# From a frame, and the acts before it, to the metres that the walk has come along its line.
Come = Callable[[float, tuple[ActMark, ...]], float]


def asked_of(
    obj: bpy.types.Object, scene: bpy.types.Scene, body: Body, walk_to_armature: np.ndarray, clock: Clock, way: Path
) -> tuple[ActMark, ...]:
    """Return what a character's acts ask of its walk along a way; those at a frame have no distance yet (see `placed`).

    Raises NeuraRigError, naming the act, for one that cannot be done there.
    """
    items = list(obj.neurarig.walk.acts)
    if not items:
        return ()
    looked_at = [thing for item in items for thing in (item.place, item.thing) if thing is not None]
    _require_apart(obj, looked_at)
    with world.at_start(scene, clock.start, looked_at) as look:
        to_walk = np.linalg.inv(deck.stand(obj, look) @ walk_to_armature)
        numbers = {thing: number for number, thing in enumerate(item.thing for item in items)}
        asked = (_asked(obj, item, look, to_walk, body.leg_length, way) for item in items)
        return tuple(replace(one, thing=numbers[item.thing]) for one, item in zip(asked, items, strict=True))


def placed(asked: tuple[ActMark, ...], come: Come) -> tuple[ActMark, ...]:
    """Return acts with the distance at which the walk comes to their frames, with the acts before them and those at a distance."""
    found = {number: one for number, one in enumerate(asked) if one.frame is None or one.act.base == BODY}
    timed = ((number, one) for number, one in enumerate(asked) if number not in found)
    for number, one in sorted(timed, key=lambda each: each[1].frame or 0.0):
        before = tuple(other for other in found.values() if other.act.base != BODY)
        found[number] = replace(one, distance=max(come(one.frame or 0.0, before), 0.0))
    return tuple(found[number] for number in range(len(asked)))


def on_straight(asked: tuple[ActMark, ...], straight: Path, leg_length: float) -> Path:
    """Return a straight way with the marks of acts, if these need any; it goes on after the last one."""
    marks = marks_of(asked, leg_length)
    if not marks:
        return straight
    last = max(mark.distance for mark in marks) + BEYOND * leg_length
    ahead = straight.at(np.array([0.0, last])).place
    return Curve.through(ahead, leg_length, slows=False, ends=False, marks=marks)


def require_possible(obj: bpy.types.Object, asked: tuple[ActMark, ...], body: Body) -> None:
    """Refuse acts on feet where a walk cannot stop or leave out a step."""
    on_feet = [one for one in asked if one.act.base != BODY]
    if not on_feet:
        return
    name, own = on_feet[0].act.name, obj.neurarig.walk
    if own.mode == "IN_PLACE":
        raise NeuraRigError(f"{name}: a walk in place goes nowhere. Choose Travel or Path, or remove the act.")
    if own.mode == "PATH" and own.path is None:
        raise NeuraRigError(f"{name}: '{obj.name}' has no path. Choose one, or Travel.")
    if deck.of(obj) is not None:
        raise NeuraRigError(f"{name}: '{obj.name}' stands on something that moves. Clear Stand On, or remove the act.")
    if body.one_bone_legs or body.rigid_legs:
        raise NeuraRigError(f"{name}: the legs of '{obj.name}' do not bend. Remove the act.")
    if own.gait not in ("WALK", "RUN", "BY_SPEED") and any(one.act.base != STAND for one in on_feet):
        raise NeuraRigError(f"{name}: one leaps from a walk or a run. Choose another gait, or remove the act.")


def _require_apart(obj: bpy.types.Object, looked_at: list[bpy.types.Object]) -> None:
    for thing in looked_at:
        if thing == obj or obj in world.above(thing):
            raise NeuraRigError(f"'{thing.name}' moves with '{obj.name}', so no act can be done with it. Choose another object.")


def _asked(obj: bpy.types.Object, item: NeuraRigAct, look: Look, to_walk: np.ndarray, leg: float, way: Path) -> ActMark:
    act, right = act_of(item), {"LEFT": False, "RIGHT": True}.get(item.hand)
    if needs_thing(act) and item.thing is None:
        raise NeuraRigError(f"{act.name}: choose what for in Thing.")
    seat = things.seat(item.thing, look, to_walk, leg) if act.of(SEAT) and item.thing is not None else None
    goal = things.goal(act, item, look, to_walk, _line(way, leg)[0]) if seat is None else seat.top
    frame = float(item.frame) if item.is_timed else None
    if act.base == BODY:
        at = item.distance if item.place is None else _nearest(way, things.place(item.place, look, to_walk), leg)[0]
        return ActMark(act, at, seconds=item.seconds, goal=goal, right=right, frame=frame)
    distance, turn = item.distance, 0.0
    if frame is not None:
        pass  # where the walk is then
    elif goal is not None and needs_thing(act):
        if seat is not None:
            goal = seat.towards(_before(act, way, goal, leg, seat.front)[2], leg)
        distance, turn, _ = _before(act, way, goal, leg, None if seat is None else seat.front)
    elif item.place is not None:
        distance = _nearest(way, things.place(item.place, look, to_walk), leg)[0]
    apart = None
    if item.hand == "BOTH" and goal is not None and act.takes:
        _, headings, metres = _line(way, leg)
        apart = things.width(item.thing, look, to_walk, float(headings[np.argmin(np.abs(metres - distance))]) + turn)
    rests = (None, None) if seat is None else seat.rests
    return ActMark(act, distance, item.length, item.rise, item.seconds, turn, goal, right, apart, frame, rests=rests)


def _line(way: Path, leg: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return places `(n, 2)` along a way, its headings there, and the metres along its line, without turns on the spot."""
    at = np.arange(0.0, min(way.extent[1], FARTHEST * leg) + SPACING * leg, SPACING * leg)
    along = way.drawn.at(at)
    return along.place[:, :2], along.heading, np.cumsum(np.append(0.0, np.diff(at) * way.advance(at[1:])))


def _nearest(way: Path, place: np.ndarray, leg: float) -> tuple[float, float]:
    """Return the metres along a way to where it is nearest to a place, and its heading there."""
    places, headings, metres = _line(way, leg)
    row = int(np.argmin(np.linalg.norm(places - place[:2], axis=1)))
    return float(metres[row]), float(headings[row])


def _before(act: Act, way: Path, goal: np.ndarray, leg: float, front: float | None) -> tuple[float, float, float]:
    """Return the metres along a way to where feet stand to sit down on a thing or to take it, the turn on the spot, and the heading then.

    `front`: where the seat faces, radians; one sits down as it does if the way comes before it, else away from it.
    """
    sits = bool(act.of(SEAT))
    wanted = (SEAT_BEHIND if sits else HAND_AHEAD) * leg
    places, headings, metres = _line(way, leg)
    away = np.linalg.norm(places - goal[:2], axis=1)
    nearest = int(np.argmin(away))
    near = np.flatnonzero(away[: nearest + 1] >= wanted)
    row = int(near[-1]) if len(near) else nearest
    to = goal[:2] - places[row]
    facing = -to if sits else to
    if front is not None:
        ahead = np.array([cos(front), sin(front)])
        off = np.linalg.norm(places - goal[:2] - wanted * ahead, axis=1)
        if off.min() < BEFORE * leg:
            row, facing = int(np.argmin(off)), ahead
    ahead = np.array([cos(headings[row]), sin(headings[row])])
    turn = float(np.arctan2(ahead[0] * facing[1] - ahead[1] * facing[0], ahead @ facing))
    turn = turn if abs(turn) > (LEAST_TURN if sits else REACHES_ASIDE) else 0.0
    return float(metres[row]), turn, float(headings[row]) + turn
