"""The first screen of a walk."""

import bpy
from bpy.types import Menu, Object, PropertyGroup, UILayout

from ....character import record, standing
from ....character.record import WALK
from ....character.roles import is_biped
from ....character.selection import armature_of
from ....character.state import State, state_of
from ....interface import report_text
from ....interface.language import said
from ....interface.panel import (
    ItemList,
    Panel,
    draw_big,
    draw_characters,
    draw_choice,
    draw_error,
    draw_live,
    draw_played_over,
    draw_sentence,
    draw_settings,
    draw_switched,
    length_text,
)
from ...manner import gait_source
from ...show import carrying
from ...source import memory
from ...way import acts, lead
from .manner import draw_manner
from .sliders import draw_sliders
from .way import draw_path


class NEURARIG_UL_acts(ItemList):
    """The acts of a walk: which, where or when, and with what."""

    def draw_row(self, layout, item):
        where = (
            f"frame {item.frame:g}"
            if item.is_timed
            else item.place.name
            if item.place
            else length_text(item.distance)
        )
        if not item.is_timed and not item.place and (acts.damage(item) or not acts.has_place(item)):
            where = ""
        said = (
            item.name,
            item.thing.name if item.thing else "",
            where,
            f"{length_text(item.length)} far" if item.length else "",
        )
        is_wrong = bool(acts.wrong(item))
        layout.alert = is_wrong
        layout.label(text=", ".join(filter(None, said)), icon="ERROR" if is_wrong else "OUTLINER_OB_ARMATURE")


class NEURARIG_MT_add_act(Menu):
    bl_label = "Add Act"

    def draw(self, context):
        layout = self.layout
        layout.operator_enum("neurarig.add_act", "kind")
        layout.separator()
        layout.operator("neurarig.load_act", text="Load Act…", icon="IMPORT")
        layout.operator("neurarig.learn_act", text="Learn Act…")
        layout.operator("neurarig.learn_act_file", text="Learn Act from File…", icon="FILE_FOLDER")


def draw_acts(layout: UILayout, obj: Object) -> None:
    """Draw what the character does on its way, and what adds to it."""
    settings = obj.neurarig.walk
    row = layout.row(align=True)
    row.operator("neurarig.add_act", icon="ADD")
    row.menu("NEURARIG_MT_add_act", text="", icon="DOWNARROW_HLT")
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


def _draw_act(column: UILayout, item: acts.NeuraRigAct) -> None:
    """Draw what counts for an act."""
    for sentence in acts.wrong(item):
        draw_error(column, sentence)
    draw_settings(column, item, *acts.counting(item))
    draw_switched(column, item, "At Frame", "is_timed", "frame")


FOOT_OF = {"GALLOP": "lead", "CANTER": "lead", "HOP": "hop_on"}  # further choices of a gait


class NEURARIG_PT_walk(Panel):
    bl_label = "Walk"

    def draw(self, context):
        thing = context.view_layer.objects.active
        if thing is not None and carrying.is_stranded(thing):
            draw_sentence(self.layout, f"'{thing.name}' is held for a character that is gone.")
            self.layout.operator("neurarig.free_thing", icon="UNLINKED")
        if armature_of(context) is None:
            self.layout.label(text="Select a character", icon="INFO")
            draw_sentence(self.layout, "Its armature, or a mesh that an armature deforms.")
        super().draw(context)

    def draw_name(self, context, layout, obj):
        draw_characters(context, layout, obj)

    def draw_character(self, layout, obj):
        settings = obj.neurarig.walk
        draw_big(layout, "neurarig.generate_walk", "ARMATURE_DATA")
        if not standing.is_even(obj):
            uneven = layout.box()
            draw_sentence(uneven, "The object is scaled unevenly or mirrored.")
            uneven.operator("neurarig.apply_scale", icon="CON_SIZELIKE")
        box = draw_error(layout, settings.error)
        if box and not settings.live:
            box.operator("neurarig.resume_walk", icon="FILE_REFRESH")
        if not settings.report_is_old:
            draw_error(layout, report_text.read(settings.report, obj.name).warning)
        for sentence in lead.deleted_words(obj):
            draw_sentence(layout, sentence)
        self.draw_switches(layout, obj)
        draw_manner(layout, settings)
        draw_choice(layout, settings, "mode")
        if settings.mode == "PATH":
            draw_path(layout, settings)
        if record.holds(obj, WALK) and is_biped(obj):
            draw_acts(layout, obj)
        if settings.gait_source == gait_source.HUMAN_GAIT:
            self.draw_gait(layout, settings)
        self.draw_sliders(layout, obj)
        self.draw_bakes(layout)

    def draw_gait(self, layout: UILayout, settings: PropertyGroup) -> None:
        """Draw the gaits in two rows, and the leading or hopping foot where there is a choice."""
        grid = layout.grid_flow(row_major=True, columns=3, even_columns=True, align=True)
        grid.use_property_split = False
        for name in gait_source.gaits_of(settings.id_data):
            grid.prop_enum(settings, "gait", name)
        if settings.gait in FOOT_OF:
            row = layout.row()
            row.prop(settings, FOOT_OF[settings.gait], expand=True)

    def draw_switches(self, layout: UILayout, obj: Object) -> None:
        """Draw the switches of an existing walk: Live and Remove."""
        if record.holds(obj, WALK):
            row = layout.row(align=True)
            row.use_property_split = row.use_property_decorate = False
            draw_live(row, obj.neurarig.walk)
            if (state := state_of(obj)) is State.BAKED:
                row.operator("neurarig.remove_walk", text="Apply", icon="CHECKMARK").keep_bake = True
            row.operator("neurarig.remove_walk", icon="X")
            if state in (State.PAUSED, State.BAKED):
                layout.label(text=said(f"{state.value.title()}. Turn on Live to edit."), icon="INFO")
            draw_played_over(layout, obj, "neurarig.use_as_layer")

    def draw_sliders(self, layout: UILayout, obj: Object) -> None:
        """Draw the main sliders."""
        draw_sliders(layout, obj, "speed")
        for sentence in (
            memory.held_back(obj, bpy.context.scene.frame_current_final) if record.holds(obj, WALK) else ()
        ):
            draw_sentence(layout, sentence)
        draw_sliders(layout, obj, "energy", "weight")

    def draw_bakes(self, layout: UILayout) -> None:
        """Draw both ways to turn the walk into keyframes."""
        row = layout.row(align=True)
        for text, icon, loop in (("Bake Frames…", "ACTION", False), ("Bake Loop…", "FILE_REFRESH", True)):
            bake = row.operator("neurarig.bake_walk", text=text, icon=icon)
            bake.loop, bake.check = loop, True
