"""Paths: a curve object, a chain of empties, or the keys that move an object, in the character's walk
frame."""

import math
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import bpy
import numpy as np
from bpy.types import Mesh, Object, Spline
from mathutils.geometry import interpolate_bezier

from ....core.easing import running
from ....core.errors import NeuraRigError
from ....core.gait.sliders.style import Clock
from ....core.geometry.vectors import transformed
from ....core.path.curve import Curve
from ....core.path.line import rounded
from ....core.path.marks import Mark
from ....core.path.path import Path
from ....core.path.timetable import Timed
from ...character import record
from . import keyed_path, markers, world
from .world import Look

FLAT = 1e-4  # leg lengths: a path with smaller height differences is level
RESOLUTION = 32  # points per segment of a Bezier curve, and per span of a NURBS curve


class PathAndSpeed(NamedTuple):
    """A path and, if keys give it, the speed: frames and m/s `(n,)`."""

    path: Path
    speed: tuple[np.ndarray, np.ndarray] | None = None


def follows_one(obj: Object) -> bool:
    """Return whether a character is in Path mode and has a path; until then it walks on the spot."""
    settings = obj.neurarig.walk
    return settings.mode == "PATH" and settings.path is not None


def can_lead(thing: Object) -> bool:
    """Return whether an object can be a path."""
    return thing.type == "CURVE" or len(chain(thing)) > 1 or keyed_path.is_moved_by_keys(thing)


def is_keyed(obj: Object) -> bool:
    """Return whether a character follows keys: of an object, perhaps its own, or of how far along a curve it
    is when."""
    if not follows_one(obj):
        return False
    path = obj.neurarig.walk.path
    return keyed_path.has_times(path) if path.type == "CURVE" else len(chain(path)) < 2


def keyed_places(path: Object, look: Look) -> tuple[np.ndarray, np.ndarray]:
    """Return frames `(n,)` and the places in the world on them `(n, 3)` of a path that is followed by its
    keys."""
    if path.type != "CURVE":
        return keyed_path.places_of(path, look)
    points, is_closed = points_of(path, look)
    return keyed_path.along(path, np.vstack([points, points[:1]]) if is_closed else points)


def follows_itself(obj: Object) -> bool:
    """Return whether a character walks where its own keys move it."""
    return follows_one(obj) and obj.neurarig.walk.path == obj


def travels_with(obj: Object) -> str:
    """Return what moves the character forward: 'OBJECT', 'BONE', 'CONTROLS', or '' in place."""
    settings = obj.neurarig.walk
    if settings.mode != "TRAVEL" and not follows_one(obj):
        return ""
    if settings.travel_with != "AUTO":
        return settings.travel_with
    # these hang on what travels
    takes_all = record.attachment(obj)["travels"] and not len(obj.neurarig.neural_pose.targets)
    return "CONTROLS" if takes_all and not follows_itself(obj) else "OBJECT"


def things(obj: Object) -> list[Object]:
    """Return the objects whose motion shows that a character's path moves; a keyed object is identified by
    its keys."""
    if not follows_one(obj):
        return []
    path = obj.neurarig.walk.path
    return (
        world.above(path)
        if is_keyed(obj) and path.type != "CURVE"
        else [path, *chain(path)[1:], *markers.places(obj)]
    )


def key(obj: Object) -> tuple:
    """Return a key that changes whenever a character's path does; empty without one."""
    if not follows_one(obj):
        return ()
    settings = obj.neurarig.walk
    return (
        settings.path.session_uid,
        world.edits(settings.path),
        settings.slow_in_bends,
        settings.start_standing,
        *markers.key(obj),
    )


def chain(thing: Object) -> list[Object]:
    """Return a chain of empties, each a child of the one before, siblings by name; empty for other
    objects."""
    return list(_hanging(thing)) if thing.type == "EMPTY" else []


def _hanging(thing: Object) -> Iterator[Object]:
    """Yield an empty and all below it; Blender's own list of children looks at every object for each."""
    below = defaultdict(list)
    for obj in sorted(
        (obj for obj in bpy.data.objects if obj.type == "EMPTY"), key=lambda obj: obj.name, reverse=True
    ):
        below[obj.parent].append(obj)
    left = [thing]
    while left:
        found = left.pop()
        yield found
        left += below[found]


def way_of(
    obj: Object,
    look: Look,
    to_world: np.ndarray,
    leg_length: float,
    clock: Clock,
    more: tuple[Mark, ...] = (),
) -> PathAndSpeed:
    """Return a character's path; `to_world` `(4, 4)` from its walk frame, `clock`: frames and seconds of the
    walk.

    `more`: marks besides those of its markers.

    Raises NeuraRigError, naming the object, if it is not a path.
    """
    path = obj.neurarig.walk.path
    to_walk = np.linalg.inv(to_world)
    try:
        if is_keyed(obj):
            if more:
                raise NeuraRigError(
                    "Its keys set the timing, so nobody can stop on it for an act. Choose a curve, or remove"
                    " the act."
                )
            return _keyed(obj, look, to_walk, leg_length, clock)
        return PathAndSpeed(
            curve_of(obj, look, to_walk, leg_length, markers.marks_of(obj, clock, look, to_walk) + more)
        )
    except NeuraRigError as error:
        raise NeuraRigError(f"'{path.name}' cannot be a path for '{obj.name}'. {error}") from None


def curve_of(
    obj: Object, look: Look, to_walk: np.ndarray, leg_length: float, marks: tuple[Mark, ...]
) -> Curve:
    """Return a character's path with marks, if it is a curve object or a chain of empties; `to_walk` `(4,
    4)`: from the world."""
    settings = obj.neurarig.walk
    points, is_closed = points_of(settings.path, look)
    line, start_turn = _level(transformed(points, to_walk), leg_length), math.radians(settings.start_turn)
    return Curve.through(
        line, leg_length, is_closed, settings.slow_in_bends, settings.start_standing, start_turn, marks
    )


def beginning(obj: Object, look: Look, stands: np.ndarray) -> np.ndarray:
    """Return where a character's walk begins in the world `(3,)`: where it stands, world matrix `(4, 4)`, or
    at its path's first point."""
    if not follows_one(obj):
        return stands[:3, 3]
    path = obj.neurarig.walk.path
    if is_keyed(obj):
        frames, places = keyed_places(path, look)
        return np.array([np.interp(obj.neurarig.walk.start_frame, frames, axis) for axis in places.T])
    points, _ = points_of(path, look)
    return points[0]


def points_of(path: Object, look: Look) -> tuple[np.ndarray, bool]:
    """Return the world points `(n, 3)` of a curve object or a chain of empties, and whether the line is
    closed."""
    return _curve(path, look) if path.type == "CURVE" else _chain(path, look)


def _curve(path: Object, look: Look) -> tuple[np.ndarray, bool]:
    """Return a curve object's world points `(n, 3)`, with modifiers, and whether it is closed."""
    points, is_closed = line_of(path.data)
    if len(path.modifiers) or world.may_move(path) or path.data.shape_keys is not None:
        points, is_closed = _evaluated(look.evaluated(path))
    if not len(points):
        raise NeuraRigError("It has no curve with two points or more; draw one.")
    return transformed(points, look.place(path)), is_closed


def _evaluated(path: Object) -> tuple[np.ndarray, bool]:
    """Return an evaluated curve object's points `(n, 3)` in its own space: its edges or, with a bevel, its
    control points."""
    mesh = path.to_mesh()
    try:
        if mesh is not None and len(mesh.edges) and not len(mesh.polygons):
            return _line_of_edges(mesh)
    finally:
        path.to_mesh_clear()
    try:
        return line_of(path.to_curve(bpy.context.evaluated_depsgraph_get(), apply_modifiers=True))
    finally:
        path.to_curve_clear()


def _chain(path: Object, look: Look) -> tuple[np.ndarray, bool]:
    return np.array([look.place(thing)[:3, 3] for thing in chain(path)]), False


def _keyed(obj: Object, look: Look, to_walk: np.ndarray, leg_length: float, clock: Clock) -> PathAndSpeed:
    """Return the path along which keys move an object, at their speed."""
    if markers.is_set(obj):
        raise NeuraRigError(
            "Its keys already set the timing. Remove the waypoints and turn off Arrive, or choose a curve."
        )
    frames, places = keyed_places(obj.neurarig.walk.path, look)
    line = _level(transformed(places, to_walk), leg_length)
    distance = running(np.linalg.norm(np.diff(line[:, :2], axis=0), axis=1))
    curve = Curve.through(line, leg_length, slows=False)
    distance = np.interp(distance, rounded(line, leg_length)[1], curve.spacing * np.arange(len(curve.places)))
    speed = np.gradient(distance, frames) * clock.fps
    speed[speed < keyed_path.STANDING] = 0.0
    return PathAndSpeed(Timed(curve, float(np.interp(clock.start, frames, distance))), (frames, speed))


def in_walk(points: np.ndarray, to_world: np.ndarray, leg_length: float) -> np.ndarray:
    """Return world points `(n, 3)` in the walk frame with matrix `to_world` `(4, 4)`, ready to be read as a
    path."""
    return _level(transformed(points, np.linalg.inv(to_world)), leg_length)


def _level(points: np.ndarray, leg_length: float) -> np.ndarray:
    """Return points `(n, 3)`, levelled if their heights differ by noise only, and at the character's height
    if near it."""
    if not len(points) or np.ptp(points[:, 2]) > FLAT * leg_length:
        return points
    height = float(points[0, 2])
    return np.column_stack(
        [points[:, :2], np.full(len(points), 0.0 if abs(height) < FLAT * leg_length else height)]
    )


def line_of(curve: bpy.types.Curve) -> tuple[np.ndarray, bool]:
    """Return the points `(n, 3)` of the first spline with any length, and whether it is closed; no points
    without one."""
    for spline in curve.splines:
        points = _bezier(spline) if spline.type == "BEZIER" else _poly(spline)
        if len(points) > 1:
            return (_nurbs(spline, points) if spline.type == "NURBS" else points[:, :3]), spline.use_cyclic_u
    return np.zeros((0, 3)), False


def _line_of_edges(mesh: Mesh) -> tuple[np.ndarray, bool]:
    """Return the points `(n, 3)` of a mesh's first line of edges, and whether it is closed: a curve after its
    modifiers."""
    points, edges = (
        np.empty(3 * len(mesh.vertices), dtype=np.float32),
        np.empty(2 * len(mesh.edges), dtype=np.int32),
    )
    mesh.vertices.foreach_get("co", points)
    mesh.edges.foreach_get("vertices", edges)
    beside: dict[int, list[int]] = {}
    for first, second in edges.reshape(-1, 2).tolist():
        beside.setdefault(first, []).append(second)
        beside.setdefault(second, []).append(first)
    if not beside:
        return np.zeros((0, 3)), False
    line = [next((row for row in sorted(beside) if len(beside[row]) == 1), min(beside))]
    seen = set(line)
    while onward := [row for row in beside[line[-1]] if row not in seen]:
        line.append(onward[0])
        seen.add(onward[0])
    return points.reshape(-1, 3)[line].astype(float), len(line) > 2 and line[0] in beside[line[-1]]


def _poly(spline: Spline) -> np.ndarray:
    """Return the points `(n, 4)`; the last column is the weight."""
    return np.array([point.co[:] for point in spline.points], dtype=float).reshape(-1, 4)


def _bezier(spline: Spline) -> np.ndarray:
    """Return the points `(n, 3)` of a Bezier spline."""
    points = [*spline.bezier_points, *([spline.bezier_points[0]] if spline.use_cyclic_u else [])]
    parts = [
        interpolate_bezier(first.co, first.handle_right, second.handle_left, second.co, RESOLUTION + 1)[:-1]
        for first, second in pairwise(points)
    ]
    ends = [] if spline.use_cyclic_u or not points else [[points[-1].co]]
    # As tuples: numpy would ask Blender for each number of a vector.
    return np.array([point.to_tuple() for part in (*parts, *ends) for point in part], dtype=float).reshape(
        -1, 3
    )


def _nurbs(spline: Spline, control: np.ndarray) -> np.ndarray:
    """Return the points `(n, 3)` of a NURBS spline with control points `(m, 4)`, by de Boor's recursion on
    weighted points."""
    order = min(spline.order_u, len(control))
    if spline.use_cyclic_u:
        control = np.concatenate([control, control[: order - 1]])
    count = len(control)
    knots = np.arange(count + order, dtype=float)
    if spline.use_endpoint_u and not spline.use_cyclic_u:
        knots = np.clip(knots, order - 1, count)
    spans = count - order + 1
    at = np.linspace(knots[order - 1], knots[count], RESOLUTION * spans + 1)
    at = at[:-1] if spline.use_cyclic_u else at
    span = np.clip(np.searchsorted(knots, at, side="right") - 1, order - 1, count - 1)
    weighted = np.concatenate([control[:, :3] * control[:, 3:], control[:, 3:]], axis=1)
    held = [weighted[span - order + 1 + row] for row in range(order)]
    for level in range(1, order):
        for row in range(order - 1, level - 1, -1):
            low, high = knots[span - order + 1 + row], knots[span + 1 + row - level]
            share = ((at - low) / np.maximum(high - low, 1e-12))[:, None]
            held[row] = (1.0 - share) * held[row - 1] + share * held[row]
    return held[-1][:, :3] / held[-1][:, 3:]
