"""The panel for facing and looking."""

import bpy

from ...interface.panel import CharacterPanel
from ..sliders.slider_column import slider_column


class NEURARIG_PT_gaze(CharacterPanel, bpy.types.Panel):
    bl_label = "Facing & Head"
    bl_parent_id = "NEURARIG_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        settings = obj.neurarig.walk
        column = slider_column(layout, obj)
        column.prop(settings, "facing")
        face = column.column()
        face.active = settings.mode != "IN_PLACE"
        face.prop(settings, "face")
        column = slider_column(layout, obj)
        column.prop(settings, "look_at")
        look = column.column()
        look.active = settings.look_at is not None
        look.prop(settings, "look")
        column = slider_column(layout, obj)
        for slider in ("head_turn", "head_nod", "head_tilt", "head_bob"):
            column.prop(settings, slider)
        column = slider_column(layout, obj)
        column.prop(settings, "look_around")
        column.prop(settings, "idle_seed")
