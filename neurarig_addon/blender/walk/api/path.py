"""A new path for a character: a curve in front of its feet, ready to edit."""

import bpy
import numpy as np
from bpy.types import Object

from ....core.geometry.vectors import transformed
from ....core.ground.surface import LEVEL
from ...animation.objects import select
from ...character import record
from ...character.requirements import require_editable
from ..changes import changes
from ..source.source import source_of
from ..source.walk_frame import walk_frame
from ..way.keyed_path import new_curve

LENGTH = 6.0  # leg lengths: about seven steps
POINTS, POINTS_UPHILL = 3, 13


def add_path(obj: Object) -> Object:
    """Add a curve straight ahead of a character and make it the path; returns the curve object.

    The curve is selected and active.  Raises NeuraRigError for anything but a character.
    """
    require_editable(obj)
    scene = bpy.context.scene
    to_world, leg = walk_frame(obj, scene)
    ground = source_of(obj, scene).ground if record.holds(obj, record.WALK) else LEVEL
    points = np.zeros((POINTS if ground.is_level else POINTS_UPHILL, 3))
    points[:, 0] = np.linspace(0.0, LENGTH * leg, len(points))
    points[:, 2] = np.nan_to_num(ground.height(points))
    path = new_curve(obj, transformed(points, to_world))
    select(path)
    with changes.as_one(obj):
        obj.neurarig.walk.path = path
        obj.neurarig.walk.mode = "PATH"
    return path
