"""The panel of the action over a walk."""

import bpy

from ...interface.panel import CharacterPanel


class NEURARIG_PT_layer(CharacterPanel, bpy.types.Panel):
    bl_label = "Layer"
    bl_parent_id = "NEURARIG_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        settings = obj.neurarig.walk
        column = layout.column()
        column.use_property_decorate = False
        column.prop(settings, "layer_action")
        column = layout.column()
        column.active = settings.layer_action is not None
        column.prop(settings, "layer_parts")
        column.prop(settings, "layer_blend")
        column.prop(settings, "layer_weight")
        column.prop(settings, "layer_offset")
        column.prop(settings, "layer_ease")
