"""All keys of an F-curve read and written at once."""

import bpy
import numpy as np

from ...core.keys.splice import KeyTable

_FIELDS = (
    ("points", "co", 2, np.float32),
    ("lefts", "handle_left", 2, np.float32),
    ("rights", "handle_right", 2, np.float32),
    ("interpolation", "interpolation", 1, np.int32),
    ("left_types", "handle_left_type", 1, np.int32),
    ("right_types", "handle_right_type", 1, np.int32),
    ("kinds", "type", 1, np.int32),
)


def read(curve: bpy.types.FCurve) -> KeyTable:
    """Return the keys of a curve."""
    points, found = curve.keyframe_points, {}
    for name, prop, width, kind in _FIELDS:
        values = np.empty(len(points) * width, dtype=kind)
        points.foreach_get(prop, values)
        found[name] = values.reshape(-1, width) if width > 1 else values
    return KeyTable(**found)


def write(curve: bpy.types.FCurve, table: KeyTable) -> None:
    """Replace all keys of a curve by these."""
    points = curve.keyframe_points
    points.clear()
    points.add(len(table.points))
    for name, prop, _, kind in _FIELDS:
        points.foreach_set(prop, np.ascontiguousarray(getattr(table, name), dtype=kind).reshape(-1))
    curve.update()
