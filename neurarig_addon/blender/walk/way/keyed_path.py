"""The keys that move an object as a path: block a move first, then walk it. And new curves as paths."""

from collections.abc import Iterator
from typing import Any

import bpy
import numpy as np
from bpy.types import Curve, Object

from ....core.easing import running
from ....core.errors import NeuraRigError
from ....core.geometry.rotation import norms
from ....core.geometry.vectors import transformed
from ...animation import compat
from ...animation.curve_pose import sampled
from ...animation.objects import link_beside
from ...animation.scratch import seen_places
from ...character import ledger
from .world import Look, may_move, origin

STANDING = 0.02  # m/s: slower motion counts as standing
MOST = 20_000  # most frames sampled
TIME = "eval_time"  # of a curve: how far along it what follows it is, in parts of its path duration


def is_moved_by_keys(thing: Object) -> bool:
    """Return whether an object has location keys."""
    return any(True for _ in _curves(thing))


def places_of(thing: Object, look: Look, as_seen: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Return frames `(n,)` and an object's keyed world places on them `(n, 3)`.

    `as_seen`: where its parents move or constraints move it, it is shown on each frame; else its parents stay
    as on the walk's first. For a character these are its own keys, even while set aside for its walk, never
    the walk's result. Raises NeuraRigError for an object without keys.
    """
    curves = list(_curves(thing))
    if not curves:
        raise NeuraRigError(
            "It is not a curve, has no chain of empties, and no keys move it. Draw a curve, or key its"
            " location."
        )
    frames = _frames(curves)
    if as_seen and not thing.neurarig.is_carried and (may_move(thing.parent) or len(thing.constraints)):
        return frames, seen_places(bpy.context.scene, thing, frames)
    own = np.array(origin(thing), dtype=float)
    places = np.tile(own[:3, 3], (len(frames), 1))
    for curve in curves:
        places[:, curve.array_index] = sampled(curve, frames) + thing.delta_location[curve.array_index]
    carrier = look.stand(thing) @ np.linalg.inv(own)
    return frames, transformed(places, carrier)


def _curves(thing: Object) -> Iterator[Any]:
    """Yield an object's location curves from the first action that has some and is no bake of ours."""
    for action, slot in ledger.all_actions(thing):
        found = (
            []
            if ledger.is_bake(action)
            else [curve for curve in compat.find_channels(action, slot) if _moves(curve)]
        )
        if found:
            yield from found
            return


def _moves(curve: Any, path: str = "location") -> bool:
    return curve.data_path == path and not curve.mute and len(curve.keyframe_points) > 0


def has_times(thing: Object) -> bool:
    """Return whether the Evaluation Time of a curve object has keys."""
    return _times(thing) is not None


def along(thing: Object, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return frames `(n,)` and the places `(n, 3)` on them of what follows a curve object with keyed times
    through points `(m, 3)`.

    As for Blender's Follow Path: the length is gone through once in the curve's path duration.
    """
    curve = _times(thing)
    frames = _frames([curve])
    length = running(norms(np.diff(points, axis=0)))
    at = np.clip(sampled(curve, frames) / thing.data.path_duration, 0.0, 1.0) * length[-1]
    return frames, np.stack([np.interp(at, length, axis) for axis in points.T], axis=-1)


def _times(thing: Object) -> Any:
    """Return the curve with the keys of a curve object's Evaluation Time, None without."""
    channels = (
        curve
        for action, slot in compat.all_actions(thing.data)
        for curve in compat.find_channels(action, slot)
    )
    return next((curve for curve in channels if _moves(curve, TIME)), None)


def _frames(curves: list[Any]) -> np.ndarray:
    """Return the whole frames from the first key to the last."""
    ends = np.array([curve.range() for curve in curves])
    if not np.isfinite(ends).all():
        raise NeuraRigError("It has a key without a valid frame. Delete it in the Graph Editor.")
    first, last = np.floor(ends[:, 0].min()), np.ceil(ends[:, 1].max())
    return (
        np.linspace(first, last, int(min(last - first, MOST)) + 1)
        if last > first
        else np.array([first, first + 1.0])
    )


def new_curve(obj: Object, places: np.ndarray) -> Object:
    """Return a new curve object through places `(n, 3)` of the world, beside a character."""
    path = bpy.data.objects.new(f"{obj.name} Path", _curve(f"{obj.name} Path", places))
    link_beside(obj, path)
    return path


def _curve(name: str, places: np.ndarray) -> Curve:
    """Return a Bezier curve through places `(n, 3)`."""
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions = "3D"
    points = curve.splines.new("BEZIER").bezier_points
    points.add(len(places) - 1)
    for point, place in zip(points, places.tolist(), strict=True):
        point.co = place
        point.handle_left_type = point.handle_right_type = "AUTO"
    return curve
