"""A character whose footprints are objects."""

import bpy
import numpy as np

from neurarig_addon.blender.walk.source import source as walk_source
from neurarig_addon.blender.walk.ui import print_drawing
from tests.blender.walking import walker

FRAMES = range(1, 140, 3)


def travelling(name: str = "Hero", **settings) -> bpy.types.Object:
    return walker(name, **{"mode": "TRAVEL", "speed": 1.2, **settings})


def drag(handle: bpy.types.Object, *by: float, turn: float = 0.0) -> None:
    """Move and turn an object as a transform does, and let Blender tell of it."""
    handle.location = [a + b for a, b in zip(handle.location, by, strict=True)]
    handle.rotation_euler.z += turn
    bpy.context.view_layer.update()


def offsets(obj: bpy.types.Object) -> dict:
    return {
        (item.side, item.number): (round(item.along, 5), round(item.aside, 5), round(item.yaw, 5))
        for item in obj.neurarig.walk.prints
    }


def prints_place(obj: bpy.types.Object, side: int, number: int) -> np.ndarray:
    """Return where a print is drawn."""
    found = print_drawing.shown(obj, bpy.context.scene, walk_source.source_of(obj, bpy.context.scene))
    return found.places[found.keys.index((side, number))]
