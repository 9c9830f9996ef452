"""Hooks of Blender's glTF exporter: it exports actions, which live characters do not have."""

import bpy

from ..live import stand_in


def before_export() -> None:
    """Assign a stand-in action to every live character."""
    stand_in.begin(bpy.context.scene)
    if not bpy.app.background:
        bpy.app.timers.register(stand_in.end)  # an export that fails does not call `after_export`


def after_export() -> None:
    """Restore the characters' actions from before."""
    stand_in.end()
