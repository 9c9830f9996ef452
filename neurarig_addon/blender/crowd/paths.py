"""The paths of several characters: copies of one, moved to where each stands or into lanes, and curves with times of their own."""

import json
from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...core.crowd.draws import Draw
from ...core.crowd.timing import OFF_LINE, TimedLine, few
from ...core.errors import NeuraRigError
from ..character import stored_json
from ..walk.source.walk_frame import walk_frame
from ..walk.way import keyed_path, path, world
from ..walk.way.new_curve import new_curve

MADE = "neurarig_path"  # custom property of curves that were made for a character; its text: the times at which it is walked, as JSON
_FORM = {
    "start_frame": stored_json.is_number,
    "arrive": lambda value: value is None or stored_json.is_number(value),
    "start_standing": stored_json.is_flag,
    "markers": stored_json.list_of(stored_json.map_of(stored_json.is_number)),
}


def from_where_it_stands(hero: bpy.types.Object, obj: bpy.types.Object, scene: bpy.types.Scene) -> bpy.types.Object:
    """Return a copy of a character's path that begins where another one stands."""
    return _moved_copy(hero, obj, walk_frame(obj, scene)[0][:3, 3] - _begins(hero, scene))


def beside(hero: bpy.types.Object, obj: bpy.types.Object, scene: bpy.types.Scene, draw: Draw) -> bpy.types.Object:
    """Return a copy of a character's path in a lane beside it, for another one."""
    points, _ = _points(hero, scene)
    way = points[1:, :2] - points[0, :2]
    ahead = way[int(np.argmax(np.linalg.norm(way, axis=-1) > 1e-6))]
    ahead = ahead / max(float(np.linalg.norm(ahead)), 1e-9)
    to_world, leg = walk_frame(obj, scene)
    unit = leg * float(np.linalg.norm(to_world[:3, 0]))
    aside, behind = unit * draw.aside * np.array([-ahead[1], ahead[0]]), unit * draw.behind * ahead
    return _moved_copy(hero, obj, np.append(aside - behind, 0.0))


def require_paths(paths: Sequence[Any], count: int) -> None:
    """Refuse anything but a path for each of so many characters, before anything is changed."""
    for thing in paths:
        if not isinstance(thing, bpy.types.Object) or not path.can_lead(thing):
            raise NeuraRigError(f"'{getattr(thing, 'name', thing)}' cannot be a path: it is no curve and nothing moves it. Choose a curve.")
    if len(paths) < count:
        raise NeuraRigError(f"There are {len(paths)} paths for {count} characters. Select a curve for each.")


def timed_curve(name: str, found: TimedLine, start: float, fps: float, unit: float) -> bpy.types.Object:
    """Return a new curve in the scene along a line that keeps its times; `start`: frame of the first, `unit`: Blender's units per metre."""
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions = "3D"
    points = curve.splines.new("POLY").points
    points.add(len(found.line) - 1)
    points.foreach_set("co", np.column_stack([found.line * unit, np.ones(len(found.line))]).astype(np.float32).ravel())
    obj = bpy.data.objects.new(name, curve)
    bpy.context.scene.collection.objects.link(obj)
    begins = start + fps * found.begins
    obj[MADE] = json.dumps(
        {
            "start_frame": begins,
            "start_standing": found.stands,
            "arrive": None if found.end is None else begins + fps * found.end,
            "markers": [
                {"distance": mark.distance, "frame": begins + fps * float(mark.due or 0.0), "pause": mark.pause} for mark in found.marks
            ],
        }
    )
    return obj


def times_of(thing: bpy.types.Object) -> dict[str, Any]:
    """Return the settings of a walk that keep the times of a curve; none for a curve without times."""
    times = stored_json.parsed(str(thing.get(MADE, "")))
    return {} if stored_json.misfit(times, _FORM) is not None else {name: times[name] for name in _FORM}


def remove_made(obj: bpy.types.Object) -> None:
    """Take a path that was made for a character off it; the curve is deleted if nobody else walks along it."""
    walk = obj.neurarig.walk
    thing = walk.path
    if thing is None or MADE not in thing:
        return
    for name in ("path", "mode", "is_due", "arrive", "start_standing"):
        walk.property_unset(name)
    walk.markers.clear()
    if not any(other.type == "ARMATURE" and other.neurarig.walk.path == thing for other in bpy.data.objects):
        discard(thing)


def discard(thing: bpy.types.Object) -> None:
    """Delete a curve object that was made, and its curve."""
    curve = thing.data
    bpy.data.objects.remove(thing)
    if curve is not None and not curve.users:
        bpy.data.curves.remove(curve)


def _moved_copy(hero: bpy.types.Object, obj: bpy.types.Object, by: np.ndarray) -> bpy.types.Object:
    """Return a copy of a character's path, moved by `(3,)` in the world."""
    thing = hero.neurarig.walk.path
    if thing.type == "CURVE":
        made = thing.copy()
        made.data = thing.data.copy()
        made.name = made.data.name = f"{obj.name} Path"
        place = thing.matrix_world.copy()
        made.parent = None
        made.animation_data_clear()
        made.constraints.clear()
        made.matrix_world = Matrix.Translation(Vector(by)) @ place
        next(iter(obj.users_collection), bpy.context.scene.collection).objects.link(made)
        made.select_set(False)
    else:
        points, _ = _points(hero, bpy.context.scene)
        made = new_curve(obj, points[few(points[:, :2], OFF_LINE)] + by)
    made[MADE] = ""
    return made


def _points(hero: bpy.types.Object, scene: bpy.types.Scene) -> tuple[np.ndarray, bool]:
    """Return the points `(n, 3)` of a character's path in the world, and whether it is closed."""
    thing = hero.neurarig.walk.path
    with world.at_start(scene, hero.neurarig.walk.start_frame, path.things(hero)) as look:
        return (keyed_path.places_of(thing, look)[1], False) if path.is_keyed(hero) else path.points_of(thing, look)


def _begins(hero: bpy.types.Object, scene: bpy.types.Scene) -> np.ndarray:
    return _points(hero, scene)[0][0]
