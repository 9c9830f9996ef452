"""A new path for a character: a curve in front of its feet, ready to edit."""

import bpy
import numpy as np

from ....core.character.body import Body
from ...character import record
from ...character.read_character import read_character
from ...character.requirements import require_editable
from ..changes import changes
from ..source.source import source_of
from ..way import world

LENGTH = 6.0  # leg lengths: about seven steps
POINTS = 3


def add_path(obj: bpy.types.Object) -> bpy.types.Object:
    """Add a curve straight ahead of a character and make it the path; returns the curve object.

    The curve is selected and active.  Raises NeuraRigError for anything but a character.
    """
    require_editable(obj)
    scene = bpy.context.scene
    to_world, leg = walk_frame(obj, scene)
    along = np.linspace(0.0, LENGTH * leg, POINTS)
    path = new_curve(obj, np.outer(along, to_world[:3, 0]) + to_world[:3, 3])
    for other in bpy.context.view_layer.objects.selected:
        other.select_set(False)
    path.select_set(True)
    bpy.context.view_layer.objects.active = path
    with changes.as_one(obj):
        obj.neurarig.walk.path = path
        obj.neurarig.walk.mode = "PATH"
    return path


def new_curve(obj: bpy.types.Object, places: np.ndarray) -> bpy.types.Object:
    """Return a new curve object through places `(n, 3)` of the world, beside a character."""
    path = bpy.data.objects.new(f"{obj.name} Path", _curve(f"{obj.name} Path", places))
    next(iter(obj.users_collection), bpy.context.scene.collection).objects.link(path)
    return path


def walk_frame(obj: bpy.types.Object, scene: bpy.types.Scene) -> tuple[np.ndarray, float]:
    """Return the matrix from a character's walk frame to the world `(4, 4)`, in Blender units, and its leg length in metres."""
    if record.holds(obj, record.WALK):
        source = source_of(obj, scene)
        body, walk_to_armature = source.body, source.walk_to_armature
    else:
        body: Body = read_character(obj, scene).body
        walk_to_armature = body.walk_to_armature
    with world.at_start(scene, obj.neurarig.walk.start_frame, world.above(obj)) as look:
        return look.stand(obj) @ walk_to_armature, body.leg_length


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
