"""A column for sliders in the panels of the walk."""

import bpy

from ...character import record
from ...character.record import WALK


def slider_column(layout: bpy.types.UILayout, obj: bpy.types.Object) -> bpy.types.UILayout:
    """Return a column for sliders, greyed while the walk is paused or baked, when moving them shows nothing."""
    column = layout.column()
    column.active = obj.neurarig.walk.live or not record.holds(obj, WALK)
    return column
