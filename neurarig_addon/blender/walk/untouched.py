"""Whether anything that a walk depends on may have changed since it was updated: asked on each frame, so with few checks.

Settings report their changes, and Blender reports edits in depsgraph updates: both are counted.  What scripts may change
between two frames without either (the object's rotation, keys and drivers, frame rate and units) is compared.
"""

import bpy

from .read_settings import axes_key

_edits = 0


def edited() -> None:
    """Count an edit of any object."""
    global _edits
    _edits += 1


def stamp(obj: bpy.types.Object, scene: bpy.types.Scene, turns: bool) -> tuple | None:
    """Return a key that changes whenever an object's walk may; None if keys or strips may change it on any frame.

    `turns`: the walk turns the object.  Valid for walks whose sliders, path, ground and layer nothing animates; see `source`.
    """
    data, drivers = obj.animation_data, 0
    if data is not None:
        if data.action is not None or len(data.nla_tracks):
            return None
        drivers = len(data.drivers)
    render = scene.render
    return _edits, drivers, render.fps, render.fps_base, axes_key(obj, scene, turns and obj.neurarig.is_carried)
