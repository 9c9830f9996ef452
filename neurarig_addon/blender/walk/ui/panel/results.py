"""What becomes of a walk: a layer on top of it, its keys, and the report."""

from ....character.selection import armature_of
from ....interface import report_text
from ....interface.panel import ClosedPanel, draw_report, draw_sentence, draw_settings
from ...source import memory

_ON_TOP = {  # action -> how it plays
    "layer_action": ("layer_parts", "layer_blend", "layer_weight", "layer_offset", "layer_ease"),
    "blend_action": ("blend_frame", "blend_seconds", "blend_back"),
}


class NEURARIG_PT_layer(ClosedPanel):
    bl_label = "Animation on Top"
    bl_parent_id = "NEURARIG_PT_walk"

    def draw_character(self, layout, obj):
        settings = obj.neurarig.walk
        for action, names in _ON_TOP.items():
            column = layout.column()
            column.use_property_decorate = False
            column.prop(settings, action)
            column = layout.column()
            column.active = getattr(settings, action) is not None
            draw_settings(column, settings, *names)
        if sentence := memory.blends(obj):
            draw_sentence(layout, sentence)


class NEURARIG_PT_bake(ClosedPanel):
    bl_label = "Keys & Markers"
    bl_parent_id = "NEURARIG_PT_walk"

    def draw_character(self, layout, obj):
        column = layout.column()
        column.operator("neurarig.rebake_walk", icon="FILE_REFRESH")
        column.operator("neurarig.reduce_keys", text="Reduce Keys…", icon="IPO_BEZIER")
        column.operator("neurarig.mark_timeline", icon="MARKER")


class NEURARIG_PT_contacts(ClosedPanel):
    bl_label = "Motion Check"
    bl_parent_id = "NEURARIG_PT_walk"

    def draw_header(self, context):
        obj = armature_of(context)
        if obj is not None and report_text.read(obj.neurarig.walk.report).past_limits:
            self.layout.alert = True
            self.layout.label(text="", icon="ERROR")

    def draw_character(self, layout, obj):
        draw_report(layout, obj.neurarig.walk.report, obj.neurarig.walk.report_is_old)
        row = layout.row(align=True)
        row.operator("neurarig.check_contacts", icon="CHECKMARK")
        row.operator("neurarig.save_report", text="", icon="EXPORT")
