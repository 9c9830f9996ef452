"""A new path for a character: a curve in front of its feet, ready to edit."""

import bpy
import numpy as np

from ...character.requirements import require_editable
from ..changes import changes
from ..source.walk_frame import walk_frame
from ..way.new_curve import new_curve

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
