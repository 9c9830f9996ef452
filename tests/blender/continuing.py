"""A character whose motion goes on, where it is, and where it is led: what the tests of Continue share."""

import bpy
import numpy as np

from tests.blender.retargeting import LAST, actor
from tests.rigs import make_active


def hips(obj: bpy.types.Object, frame: float, bone: str = "Hips") -> np.ndarray:
    """Return where a character's hips are on a frame."""
    bpy.context.scene.frame_set(int(frame))
    return np.array(obj.matrix_world @ obj.pose.bones[bone].head)


def walker() -> tuple[bpy.types.Object, bpy.types.Action]:
    """Return a character that plays a walk of its own, selected."""
    obj, action = actor("Hero")
    make_active(obj)
    return obj, action


def ball(place: np.ndarray, name: str = "Ball") -> bpy.types.Object:
    """Return an empty at a place `(2,)` on the floor."""
    found = bpy.data.objects.new(name, None)
    found.location = (*place, 0.0)
    bpy.context.scene.collection.objects.link(found)
    bpy.context.view_layer.update()
    return found


def curve(points: np.ndarray, name: str = "Way") -> bpy.types.Object:
    """Return a curve object through points `(n, 2)`."""
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("POLY")
    spline.points.add(len(points) - 1)
    for point, place in zip(spline.points, points, strict=True):
        point.co = (*place, 0.0, 1.0)
    found = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(found)
    bpy.context.view_layer.update()
    return found


def ahead(obj: bpy.types.Object, points: np.ndarray) -> np.ndarray:
    """Return points `(n, 2)`, forward and left of where a walk is at its end, in the world."""
    end, way = hips(obj, LAST)[:2], hips(obj, LAST)[:2] - hips(obj, LAST - 24)[:2]
    forward = way / np.linalg.norm(way)
    return end + np.asarray(points) @ np.array([forward, [-forward[1], forward[0]]])


def way_of(obj: bpy.types.Object, seconds: float) -> np.ndarray:
    """Return where a character's hips are after its clip's end `(n, 2)`, four times a second."""
    fps = bpy.context.scene.render.fps
    return np.array([hips(obj, LAST + frame)[:2] for frame in range(0, round(seconds * fps), fps // 4)])
