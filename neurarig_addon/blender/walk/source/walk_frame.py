"""Where a character's walk is in the world, whether it walks already or not."""

import bpy
import numpy as np

from ....core.character.body import Body
from ...character import record
from ...character.read_character import read_character
from ..way import world
from .source import source_of


def walk_frame(
    obj: bpy.types.Object, scene: bpy.types.Scene, frame: float | None = None
) -> tuple[np.ndarray, float]:
    """Return the matrix from a character's walk frame to the world `(4, 4)`, in Blender units, and its leg
    length in metres.

    `frame`: on which its parents carry it; None for where the walk begins.
    """
    if record.holds(obj, record.WALK):
        source = source_of(obj, scene)
        body, walk_to_armature = source.body, source.walk_to_armature
    else:
        body: Body = read_character(obj, scene).body
        walk_to_armature = body.walk_to_armature
    with world.at_start(
        scene, obj.neurarig.walk.start_frame if frame is None else frame, world.above(obj)
    ) as look:
        return look.stand(obj) @ walk_to_armature, body.leg_length
