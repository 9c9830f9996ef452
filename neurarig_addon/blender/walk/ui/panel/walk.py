"""The sliders of a walk, baking, and the contact report."""

import bpy

from ....character import record, standing
from ....character.record import WALK
from ....character.selection import armature_of
from ....character.state import State, state_of
from ....interface import report_text
from ....interface.panel import CharacterPanel, Panel, draw_error, draw_played_over, draw_report, draw_sentence
from ...manner import presets
from ...manner.gait_source import HUMAN_GAIT
from ...source import memory
from ...way.lead import deleted_words
from .manner import PROFILE_PANELS, STYLE_PANELS
from .sliders import (
    NEURARIG_PT_arms,
    NEURARIG_PT_body,
    NEURARIG_PT_drag,
    NEURARIG_PT_feet,
    NEURARIG_PT_gaze,
    NEURARIG_PT_hands,
    NEURARIG_PT_layer,
    NEURARIG_PT_variation,
    slider_column,
)
from .way import FOOTPRINT_PANELS, WAY_PANELS

FOOT_OF = {"GALLOP": "lead", "HOP": "hop_on"}  # further choices of a gait


class NEURARIG_MT_walk_presets(bpy.types.Menu):
    """Ready walks, and your own"""

    bl_label = "Walk Presets"
    kind = presets.WALK

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        listed = presets.names(self.kind)
        for place, (name, shipped) in enumerate(listed):
            if place and not shipped and listed[place - 1][1]:
                layout.separator()
            button = layout.operator("neurarig.apply_preset", text=name)
            button.kind, button.preset = self.kind, name
        if not listed:
            layout.label(text="None saved yet")


def draw_presets(layout: bpy.types.UILayout, kind: str, menu: str, text: str, current: str) -> None:
    """Draw the menu of a kind of presets, with the buttons that add and remove one."""
    row = layout.row(align=True)
    row.menu(menu, text=text)
    row.operator("neurarig.add_preset", text="", icon="ADD").kind = kind
    if presets.is_own(kind, current):
        remove = row.operator("neurarig.remove_preset", text="", icon="REMOVE")
        remove.kind, remove.preset = kind, current


class NEURARIG_PT_walk(Panel, bpy.types.Panel):
    bl_label = "Walk"

    def draw(self, context: bpy.types.Context) -> None:
        if armature_of(context) is None:
            self.layout.label(text="Select a character", icon="INFO")
            draw_sentence(self.layout, "Its armature, or a mesh that an armature deforms.")
        super().draw(context)

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        settings = obj.neurarig.walk
        big = layout.column()
        big.scale_y = 1.5
        big.operator("neurarig.generate_walk", icon="ARMATURE_DATA")
        if not standing.is_even(obj):
            uneven = layout.box()
            draw_sentence(uneven, "The object is scaled unevenly or mirrored.")
            uneven.operator("neurarig.apply_scale", icon="CON_SIZELIKE")
        box = draw_error(layout, settings.error)
        if box and not settings.live:
            box.operator("neurarig.resume_walk", icon="FILE_REFRESH")
        for sentence in deleted_words(obj):
            draw_sentence(layout, sentence)
        self.draw_switches(layout, obj)
        draw_presets(layout, presets.WALK, "NEURARIG_MT_walk_presets", settings.preset or "Walk Presets", settings.preset)
        self.draw_choice(layout, settings, "mode")
        if settings.mode == "PATH":
            row = layout.row(align=True)
            row.prop(settings, "path")
            row.operator("neurarig.add_path", text="", icon="ADD")
            if settings.path is None:
                draw_sentence(layout, "Walks in place until it has a path. Choose or add one.")
        if settings.gait_source == HUMAN_GAIT:
            self.draw_gait(layout, settings)
        self.draw_choice(layout, settings, "controls")
        self.draw_sliders(layout, obj)

    def draw_choice(self, layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup, name: str) -> None:
        """Draw a choice in one row of its own, which needs the whole width."""
        row = layout.row()
        row.use_property_split = False
        row.prop(settings, name, expand=True)

    def draw_gait(self, layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
        """Draw the gaits in two rows, and the leading or hopping foot where there is a choice."""
        grid = layout.grid_flow(row_major=True, columns=3, even_columns=True, align=True)
        grid.use_property_split = False
        grid.prop(settings, "gait", expand=True)
        if settings.gait in FOOT_OF:
            row = layout.row()
            row.prop(settings, FOOT_OF[settings.gait], expand=True)

    def draw_switches(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        """Draw the switches of an existing walk: Live and Remove."""
        settings = obj.neurarig.walk
        if record.holds(obj, WALK):
            row = layout.row(align=True)
            row.use_property_split = row.use_property_decorate = False
            row.prop(settings, "live", toggle=True, icon="PLAY" if settings.live else "PAUSE")
            row.operator("neurarig.remove_walk", icon="X")
            if (state := state_of(obj)) in (State.PAUSED, State.BAKED):
                layout.label(text=f"{state.value.title()}. Turn on Live to edit.", icon="INFO")
            draw_played_over(layout, obj)

    def draw_sliders(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        """Draw the main sliders."""
        settings = obj.neurarig.walk
        column = slider_column(layout, obj)
        column.prop(settings, "speed")
        column.prop(settings, "stride")
        column.prop(settings, "cadence")
        column.prop(settings, "duty_factor")
        pace = memory.pace(obj, bpy.context.scene.frame_current_final) if record.holds(obj, WALK) else None
        if pace:
            row = column.split(factor=0.4)
            row.label()
            row.label(text=report_text.pace(*pace))
            for sentence in memory.held_back(obj, bpy.context.scene.frame_current_final):
                draw_sentence(layout, sentence)
        column = slider_column(layout, obj)
        column.prop(settings, "energy")
        column.prop(settings, "weight")
        column = slider_column(layout, obj)
        column.prop(settings, "phase")
        column.prop(settings, "influence")
        column.prop(settings, "use_network")


class NEURARIG_PT_bake(CharacterPanel, bpy.types.Panel):
    bl_label = "Bake & Export"
    bl_parent_id = "NEURARIG_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        column = layout.column()
        for text, icon, loop in (("Bake Frames…", "ACTION", False), ("Bake Loop…", "FILE_REFRESH", True)):
            bake = column.operator("neurarig.bake_walk", text=text, icon=icon)
            bake.loop, bake.check = loop, True
        column.operator("neurarig.rebake_walk", icon="FILE_REFRESH")
        column.operator("neurarig.reduce_keys", text="Reduce Keys…", icon="IPO_BEZIER")
        column.operator("neurarig.mark_timeline", icon="MARKER")


class NEURARIG_PT_contacts(CharacterPanel, bpy.types.Panel):
    bl_label = "Contacts"
    bl_parent_id = "NEURARIG_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header(self, context: bpy.types.Context) -> None:
        obj = armature_of(context)
        if obj is not None and report_text.read(obj.neurarig.walk.report).past_limits:
            self.layout.alert = True
            self.layout.label(text="", icon="ERROR")

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        draw_report(layout, obj.neurarig.walk.report, obj.neurarig.walk.report_is_old)
        row = layout.row(align=True)
        row.operator("neurarig.check_contacts", icon="CHECKMARK")
        row.operator("neurarig.save_report", text="", icon="EXPORT")


# In the order of the tab.
register, unregister = bpy.utils.register_classes_factory(
    (
        NEURARIG_MT_walk_presets,
        NEURARIG_PT_walk,
        *STYLE_PANELS,
        NEURARIG_PT_feet,
        NEURARIG_PT_body,
        NEURARIG_PT_arms,
        NEURARIG_PT_hands,
        NEURARIG_PT_drag,
        NEURARIG_PT_gaze,
        NEURARIG_PT_variation,
        NEURARIG_PT_layer,
        *WAY_PANELS,
        *FOOTPRINT_PANELS,
        *PROFILE_PANELS,
        NEURARIG_PT_bake,
        NEURARIG_PT_contacts,
    )
)
