"""What Blender's glTF exporter is told before and after: it exports actions, which live characters have not got."""

import bpy

from ..live import stand_in


def before_export() -> None:
    """Have an action stand in for every live character."""
    stand_in.begin(bpy.context.scene)
    if not bpy.app.background:
        bpy.app.timers.register(stand_in.end)  # an export that fails does not call `after_export`


def after_export() -> None:
    """Give back what the characters played."""
    stand_in.end()
