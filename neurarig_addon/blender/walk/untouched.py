"""Whether anything that a walk follows from may have changed since it was brought up to date: asked on each frame, so by few looks.

Settings tell of their changes, and Blender of edits in its update of the dependency graph: both are counted.  What scripts may change
between two frames without either (how the object is turned, its keys and drivers, frame rate and units) is looked at.
"""

import bpy

from .read_settings import axes_key

_edits = 0


def edited() -> None:
    """Count an edit, whosever it is."""
    global _edits
    _edits += 1


def stamp(obj: bpy.types.Object, scene: bpy.types.Scene, turns: bool) -> tuple | None:
    """Return what, unchanged, means that an object's walk is unchanged; None where keys or strips may change it on any frame.

    `turns`: the walk turns the object.  It goes for walks whose sliders, path, ground and layer nothing moves; see `source`.
    """
    data, drivers = obj.animation_data, 0
    if data is not None:
        if data.action is not None or len(data.nla_tracks):
            return None
        drivers = len(data.drivers)
    render = scene.render
    return _edits, drivers, render.fps, render.fps_base, axes_key(obj, scene, turns and obj.neurarig.is_carried)
