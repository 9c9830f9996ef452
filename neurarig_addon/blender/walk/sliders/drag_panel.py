"""The panel for delays of body parts."""

import bpy

from ...interface.panel import CharacterPanel
from .slider_column import slider_column


class NEURARIG_PT_drag(CharacterPanel, bpy.types.Panel):
    bl_label = "Overlap"
    bl_parent_id = "NEURARIG_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        settings = obj.neurarig.walk
        column = slider_column(layout, obj)
        for slider in ("drag_hips", "drag_chest", "drag_arms", "drag_hands"):
            column.prop(settings, slider)
        slider_column(layout, obj).prop(settings, "slow_in")
