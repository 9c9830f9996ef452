"""Acts on the way: what they are, where, and with what."""

import bpy

from ....character.record import WALK, holds
from ....interface.panel import CharacterPanel, draw_error, draw_sentence, draw_settings, draw_switched
from ...source import memory
from ...way import acts


class NEURARIG_UL_acts(bpy.types.UIList):
    """The acts of a walk: which, where or when, and with what."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0, flt_flag=0):
        where = (
            f"frame {item.frame:g}"
            if item.is_timed
            else item.place.name
            if item.place
            else f"{item.distance:.2f} m"
        )
        if not item.is_timed and not item.place and (acts.damage(item) or not acts.has_place(item)):
            where = ""
        said = (
            item.name,
            item.thing.name if item.thing else "",
            where,
            f"{item.length:.2f} m far" if item.length else "",
        )
        is_wrong = bool(acts.wrong(item))
        layout.alert = is_wrong
        layout.label(text=", ".join(filter(None, said)), icon="ERROR" if is_wrong else "OUTLINER_OB_ARMATURE")


class NEURARIG_MT_add_act(bpy.types.Menu):
    bl_label = "Add Act"

    def draw(self, context):
        self.layout.operator_enum("neurarig.add_act", "kind")


class NEURARIG_PT_acts(CharacterPanel, bpy.types.Panel):
    bl_label = "Acts"
    bl_parent_id = "NEURARIG_PT_way"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout, obj):
        settings = obj.neurarig.walk
        if not holds(obj, WALK):
            layout.label(text="Generate Walk first", icon="INFO")
            return
        row = layout.row()
        row.menu("NEURARIG_MT_add_act", icon="ADD")
        row.operator("neurarig.load_act", text="", icon="IMPORT")
        row = layout.row(align=True)
        row.operator("neurarig.learn_act", text="Learn Act…")
        row.operator("neurarig.learn_act_file", text="", icon="FILE_FOLDER")
        if not len(settings.acts):
            return
        row = layout.row()
        row.template_list("NEURARIG_UL_acts", "", settings, "acts", settings, "active_act", rows=2)
        buttons = row.column(align=True)
        buttons.operator("neurarig.remove_act", text="", icon="REMOVE")
        buttons.operator("neurarig.place_act", text="", icon="EMPTY_SINGLE_ARROW")
        buttons.operator("neurarig.save_act", text="", icon="EXPORT")
        if not 0 <= settings.active_act < len(settings.acts):
            return
        item = settings.acts[settings.active_act]
        _draw_act(layout.column(), item)
        for sentence in () if acts.wrong(item) else memory.acts(obj)[settings.active_act :][:1]:
            draw_sentence(layout, sentence)


def _draw_act(column: bpy.types.UILayout, item: acts.NeuraRigAct) -> None:
    """Draw what counts for an act."""
    for sentence in acts.wrong(item):
        draw_error(column, sentence)
    draw_settings(column, item, *acts.counting(item))
    draw_switched(column, item, "At Frame", "is_timed", "frame")


ACT_PANELS = (NEURARIG_UL_acts, NEURARIG_MT_add_act, NEURARIG_PT_acts)
