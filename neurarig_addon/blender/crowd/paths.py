"""The paths of several characters: copies of one, moved to where each stands or into lanes, and curves with
times of their own."""

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np
from bpy.types import Object, Scene
from mathutils import Matrix, Vector

from ...core.crowd.draws import Draw
from ...core.crowd.timing import OFF_LINE, TimedLine, few
from ...core.errors import NeuraRigError
from ...core.geometry.rotation import norms
from ...core.keys.hermite import THIRD, KeyCurve
from ..animation import compat
from ..animation.keyframes import Channel, Keyed, write_keyed
from ..animation.objects import link_beside
from ..walk.source.walk_frame import walk_frame
from ..walk.way import keyed_path, path, world
from ..walk.way.keyed_path import new_curve

# custom property of curves that were made for a character, and its text for those of a table
MADE, LOADED = "neurarig_path", "loaded"
# and of these: metres that they are away from their table, and its moments without a place
OFF, LOST = "neurarig_off", "neurarig_lost"
PERCENT = 100  # Evaluation Time at the end of a curve
FAR_OFF = 0.15  # metres from a table that are said


def from_where_it_stands(hero: Object, obj: Object, scene: Scene) -> Object:
    """Return a copy of a character's path that begins where another one stands."""
    return _moved_copy(hero, obj, walk_frame(obj, scene)[0][:3, 3] - _begins(hero, scene))


def beside(hero: Object, obj: Object, scene: Scene, draw: Draw) -> Object:
    """Return a copy of a character's path in a lane beside it, for another one."""
    points, _ = _points(hero, scene)
    way = points[1:, :2] - points[0, :2]
    ahead = way[int(np.argmax(norms(way) > 1e-6))]
    ahead = ahead / max(float(norms(ahead)), 1e-9)
    to_world, leg = walk_frame(obj, scene)
    unit = leg * float(norms(to_world[:3, 0]))
    aside, behind = unit * draw.aside * np.array([-ahead[1], ahead[0]]), unit * draw.behind * ahead
    return _moved_copy(hero, obj, np.append(aside - behind, 0.0))


def require_paths(paths: Sequence[Any], count: int) -> None:
    """Refuse anything but a path for each of so many characters, before anything is changed."""
    for thing in paths:
        if not isinstance(thing, Object) or not path.can_lead(thing):
            raise NeuraRigError(
                f"'{getattr(thing, 'name', thing)}' cannot be a path: it is no curve and nothing moves it."
                " Choose a curve."
            )
    if len(paths) < count:
        raise NeuraRigError(f"There are {len(paths)} paths for {count} characters. Select a curve for each.")


def timed_curve(name: str, found: TimedLine, fps: float, unit: float, lost: int = 0) -> Object:
    """Return a new curve in the scene along a line, whose keyed Evaluation Time says how far its walker is at
    which frame.

    Its times count from the scene's first frame; `unit`: Blender's units per metre; `lost`: moments of its
    table without a place.
    """
    scene = bpy.context.scene
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions = "3D"
    points = curve.splines.new("POLY").points
    points.add(len(found.line) - 1)
    points.foreach_set(
        "co", np.column_stack([found.line * unit, np.ones(len(found.line))]).astype(np.float32).ravel()
    )
    obj = bpy.data.objects.new(name, curve)
    scene.collection.objects.link(obj)
    curve.path_duration = PERCENT
    share = PERCENT / float(norms(np.diff(found.line[:, :2], axis=0)).sum())
    slopes, thirds = (share / fps * found.speed)[:, None], np.full((len(found.seconds) - 1, 1), THIRD)
    keys = KeyCurve(
        scene.frame_start + fps * found.seconds,
        (share * found.distance)[:, None],
        slopes,
        slopes,
        thirds,
        thirds,
    )
    times = Channel(keyed_path.TIME, keys.values, np.zeros(1), "Evaluation Time")
    action, slot = compat.new_action(name, curve)
    write_keyed(action, slot, [Keyed(times, keys, np.zeros(len(keys.frames), dtype=int))])
    compat.assign(curve.animation_data_create(), action, slot)
    obj[MADE], obj[OFF], obj[LOST] = LOADED, found.off, lost
    return obj


def said_of(thing: Object) -> str:
    """Return what there is to say of a curve that was loaded, '' for nothing."""
    off, lost, said = thing.get(OFF), thing.get(LOST), []
    if isinstance(off, float) and off > FAR_OFF:
        said.append(
            f"'{thing.name}' is up to {off:.2f} m from its table, which changes its speed faster than a"
            " person."
        )
    if isinstance(lost, int) and lost > 0:
        said.append(
            f"{lost} of the moments of '{thing.name}' {'has' if lost == 1 else 'have'} no place in its table"
            " and are bridged."
        )
    return " ".join(said)


def begin_of(thing: Object) -> dict[str, Any]:
    """Return the settings of a walk along a curve whose times are keyed, which needs no others; none for a
    path without times."""
    if thing.type != "CURVE" or not keyed_path.has_times(thing):
        return {}
    frames, _ = path.keyed_places(thing, world.AS_IS)
    return {"start_frame": float(frames[0]), "markers": [], "arrive": None}


def remove_made(obj: Object) -> None:
    """Take a path that was made for a character off it; the curve is deleted if nobody else walks along
    it."""
    walk = obj.neurarig.walk
    thing = walk.path
    if thing is None or MADE not in thing:
        return
    for name in ("path", "mode"):
        walk.property_unset(name)
    if not any(other.type == "ARMATURE" and other.neurarig.walk.path == thing for other in bpy.data.objects):
        discard(thing)


def discard(thing: Object) -> None:
    """Delete a curve object that was made, and its curve."""
    curve = thing.data
    bpy.data.objects.remove(thing)
    if curve is not None and not curve.users:
        unused = [curve, *(action for action, _ in compat.all_actions(curve) if action.users == 1)]
        bpy.data.batch_remove(unused)


def _moved_copy(hero: Object, obj: Object, by: np.ndarray) -> Object:
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
        link_beside(obj, made)
        made.select_set(False)
    else:
        points, _ = _points(hero, bpy.context.scene)
        made = new_curve(obj, points[few(points[:, :2], OFF_LINE)] + by)
    made[MADE] = ""
    return made


def _points(hero: Object, scene: Scene) -> tuple[np.ndarray, bool]:
    """Return the points `(n, 3)` of a character's path in the world, and whether it is closed."""
    thing = hero.neurarig.walk.path
    with world.at_start(scene, hero.neurarig.walk.start_frame, path.things(hero)) as look:
        return (
            (path.keyed_places(thing, look)[1], False) if path.is_keyed(hero) else path.points_of(thing, look)
        )


def _begins(hero: Object, scene: Scene) -> np.ndarray:
    return _points(hero, scene)[0][0]
