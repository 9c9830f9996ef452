"""New curve objects as paths."""

import bpy
import numpy as np

from ...animation.objects import link_beside


def new_curve(obj: bpy.types.Object, places: np.ndarray) -> bpy.types.Object:
    """Return a new curve object through places `(n, 3)` of the world, beside a character."""
    path = bpy.data.objects.new(f"{obj.name} Path", _curve(f"{obj.name} Path", places))
    link_beside(obj, path)
    return path


def _curve(name: str, places: np.ndarray) -> bpy.types.Curve:
    """Return a Bezier curve through places `(n, 3)`."""
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions = "3D"
    points = curve.splines.new("BEZIER").bezier_points
    points.add(len(places) - 1)
    for point, place in zip(points, places.tolist(), strict=True):
        point.co = place
        point.handle_left_type = point.handle_right_type = "AUTO"
    return curve
