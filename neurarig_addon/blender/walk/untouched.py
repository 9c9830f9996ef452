"""Whether anything that a walk depends on may have changed since it was updated: asked on each frame, so with few checks.

Settings report their changes, and Blender reports edits in depsgraph updates: both are counted.  What scripts may change
between two frames without either (the object's rotation, keys and drivers, frame rate and units; the start on the path and
the number of its markers) is compared.
"""

from operator import attrgetter

import bpy

from .read_settings import axes_key
from .way import led

_of_object = attrgetter("animation_data", "parent", "data.session_uid", "matrix_basis")  # in one call
_edits = 0


def edited() -> None:
    """Count an edit of any object."""
    global _edits
    _edits += 1


def stamp(obj: bpy.types.Object, scene: bpy.types.Scene, turns: bool, is_led: bool) -> tuple | None:
    """Return a key that changes whenever an object's walk may; None if keys or strips may change it on any frame.

    `turns`: the walk turns the object.  `is_led`: by a path, ground, or what it looks at: whose edits Blender reports.
    Valid for walks whose sliders nothing animates, without a layer, edited prints or a deck; see `source`.
    """
    (data, parent, armature, basis), drivers = _of_object(obj), 0
    if data is not None:
        if data.action is not None or len(data.nla_tracks):
            return None
        drivers = len(data.drivers)
    start = led.start_key(obj, scene) if is_led else ()
    if turns or parent is not None:
        axes = axes_key(obj, scene, turns and obj.neurarig.is_carried)
    else:
        axes = basis.to_3x3()
    render = scene.render
    return _edits, drivers, render.fps, render.fps_base, scene.unit_settings.scale_length, armature, axes, start
