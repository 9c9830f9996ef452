"""Whether anything that a walk follows from may have changed since it was brought up to date: asked on each frame, so by few looks.

Settings tell of their changes, and Blender of edits in its update of the dependency graph: both are counted.  What scripts may change
between two frames without either (how the object is turned, its keys and drivers, frame rate and units; where it starts on its path, and
how many markers that has) is looked at.
"""

import bpy

from .read_settings import axes_key
from .way import led

_edits = 0


def edited() -> None:
    """Count an edit, whosever it is."""
    global _edits
    _edits += 1


def stamp(obj: bpy.types.Object, scene: bpy.types.Scene, turns: bool, is_led: bool) -> tuple | None:
    """Return what, unchanged, means that an object's walk is unchanged; None where keys or strips may change it on any frame.

    `turns`: the walk turns the object.  `is_led`: by a path, ground, or what it looks at: Blender tells of edits of these.
    It goes for walks whose sliders nothing moves, without a layer, edited prints or something that carries them; see `source`.
    """
    data, drivers = obj.animation_data, 0
    if data is not None:
        if data.action is not None or len(data.nla_tracks):
            return None
        drivers = len(data.drivers)
    render = scene.render
    start = led.start_key(obj, scene) if is_led else ()
    return _edits, drivers, render.fps, render.fps_base, axes_key(obj, scene, turns and obj.neurarig.is_carried), start
