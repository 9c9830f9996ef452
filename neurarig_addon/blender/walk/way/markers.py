"""Markers on a path, the frame of arrival, turns on the spot: `Object.neurarig.walk.markers`, and the marks
they make."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from bpy.types import Object, PropertyGroup

from ....core.errors import NeuraRigError
from ....core.files.json_text import is_finite
from ....core.gait.sliders.style import Clock
from ....core.path.marks import Mark
from ...animation.properties import LIST, STATE, in_scene_units
from ..changes import KEYABLE, SETTING
from .world import Look

FIELDS = ("distance", "place", "frame", "pause", "turn")
ACT, WAYPOINT, ARRIVAL = "ACT", "WAYPOINT", "ARRIVAL"  # what the timeline shows
SIGNED, OBJECTS = ("frame", "turn"), ("place", "thing")  # of markers and acts


def _turn(name: str, description: str):
    """Return the property of a turn on the spot."""
    return SETTING.number(
        name, description, soft_min=-180.0, soft_max=180.0, min=-3600.0, max=3600.0, step=500, precision=0
    )


@in_scene_units("turn")
class NeuraRigMarker(PropertyGroup):
    """A place on the path: where it is, when the walk reaches it, how long it waits and how it turns
    there."""

    turn: _turn(
        "Turn (°)", "Degrees to turn on the spot before the pause, left positive. Afterwards it turns back"
    )

    distance: SETTING.number(
        "Distance",
        "Length of the path up to it",
        min=0.0,
        soft_max=100.0,
        step=10,
        precision=2,
        unit="LENGTH",
    )
    place: KEYABLE.thing(
        "At Object",
        "Place the waypoint where the path comes nearest to this object, whatever its distance says",
        type=Object,
    )
    is_timed: SETTING.switch("At Frame", "Arrive at a frame: the speed on the way follows from it")
    frame: SETTING.frame("Frame", "Frame of arrival", default=50.0)
    pause: SETTING.number(
        "Pause",
        "How long to stand and idle here. 0 walks on",
        min=0.0,
        soft_max=60.0,
        max=1e5,
        step=10,
        precision=2,
        subtype="TIME_ABSOLUTE",
    )
    yields: STATE.switch("Makes Way", "Made by Clear Crossings, which makes it anew")


class PathTimes:
    """The settings of a path's timing and of turns on the spot."""

    start_turn: _turn(
        "Start Turn (°)", "Degrees the character is turned from the path at the start, left positive"
    )
    end_turn: _turn("End Turn (°)", "Degrees to turn on the spot at the end of the path, left positive")

    markers: LIST.items(type=NeuraRigMarker)
    active_marker: STATE.whole("Waypoint", "The waypoint whose settings are shown")
    is_due: SETTING.switch("Arrive", "Arrive at the end of the path at a frame: the speed follows from it")
    arrive: SETTING.frame("Arrive at Frame", "Frame of arrival at the end of the path", default=120.0)


def key(obj: Object) -> tuple:
    """Return a key that changes whenever the marks of a character's path do."""
    settings = obj.neurarig.walk
    arrival = (settings.start_turn, settings.end_turn, settings.arrive if settings.is_due else None)
    return (*arrival, *(_marker_key(marker) for marker in settings.markers))


def _marker_key(marker: NeuraRigMarker) -> tuple:
    place = marker.place.session_uid if marker.place else None
    return place, marker.distance, marker.frame if marker.is_timed else None, marker.pause, marker.turn


def places(obj: Object) -> list[Object]:
    """Return the objects that give markers their places."""
    return [marker.place for marker in obj.neurarig.walk.markers if marker.place]


def is_set(obj: Object) -> bool:
    """Return whether a character has markers, or a frame to arrive at, or turns on the spot at the end."""
    return obj.neurarig.walk.is_due or obj.neurarig.walk.end_turn != 0.0 or len(obj.neurarig.walk.markers) > 0


def marks_of(
    obj: Object, clock: Clock, look: Look, to_walk: np.ndarray, yields: bool = True
) -> tuple[Mark, ...]:
    """Return the marks of a character's path; `to_walk` `(4, 4)`: from the world to its walk frame; `yields`:
    those that make way too. Those of the end have the number after the last one."""
    settings = obj.neurarig.walk
    found = []
    for number, marker in enumerate(settings.markers):
        if marker.yields and not yields:
            continue
        due = float(clock.seconds(np.array(marker.frame))) if marker.is_timed else None
        place = (to_walk @ look.place(marker.place)[:, 3])[:3] if marker.place else None
        turn = math.radians(marker.turn)
        found.append(Mark(marker.distance, marker.pause, due, place, turn=turn, marker=number))
    if settings.is_due or settings.end_turn:
        due = float(clock.seconds(np.array(settings.arrive))) if settings.is_due else None
        turn = math.radians(settings.end_turn)
        found.append(Mark(due=due, is_end=True, turn=turn, marker=len(settings.markers)))
    return tuple(found)


def require_markers(given: Any) -> None:
    """Refuse anything but a list of markers, before anything is changed."""
    require_dictionaries("markers", given, "{'distance': 3.0, 'frame': 60, 'pause': 2.0}")
    for one in given:
        for name, value in one.items():
            if name not in FIELDS:
                raise NeuraRigError(f"A marker has no '{name}'; it has {', '.join(FIELDS)}.")
            require_value("a marker", name, value)


def require_dictionaries(setting: str, given: Any, example: str) -> None:
    """Refuse anything but a list of dictionaries."""
    if not isinstance(given, Iterable) or not all(isinstance(one, Mapping) for one in given):
        raise NeuraRigError(f"The setting '{setting}' needs a list of dictionaries, e.g. [{example}].")


def require_value(of: str, name: str, value: Any) -> None:
    """Refuse what is not an object, or no possible number, for a field of a marker or an act."""
    if name in OBJECTS:
        if not isinstance(value, Object):
            raise NeuraRigError(f"The {name} of {of} must be an object, not '{value}'.")
    elif not is_finite(value) or (name not in SIGNED and value < 0.0):
        raise NeuraRigError(
            f"The {name} of {of} needs a number{'' if name in SIGNED else ' of 0 or more'}, not '{value}'."
        )


def set_markers(obj: Object, given: Iterable[Mapping[str, Any]]) -> None:
    """Set the markers of a character's path (see `require_markers`)."""
    markers = obj.neurarig.walk.markers
    markers.clear()
    for one in given:
        marker = markers.add()
        for name, value in one.items():
            setattr(marker, name, value)
        marker.is_timed = "frame" in one


def markers_of(obj: Object) -> list[dict[str, Any]]:
    """Return the markers of a character's path, as `set_markers` takes them."""
    return [
        {"distance": marker.distance, "pause": marker.pause, "turn": marker.turn}
        | ({"yields": True} if marker.yields else {})
        | ({"place": marker.place} if marker.place else {})
        | ({"frame": marker.frame} if marker.is_timed else {})
        for marker in obj.neurarig.walk.markers
    ]
