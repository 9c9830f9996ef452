"""The character's bones, the sliders of its walk, baking, and the contact report."""

import bpy

from .. import report_text
from ..character import armature_of
from ..walk import presets, walk_source
from .base import CharacterPanel, Panel, draw_error, draw_report, draw_sentence, role_label


class NEURARIG_UL_roles(bpy.types.UIList):
    """The roles of a biped, each with the bone that plays it."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0, flt_flag=0) -> None:
        layout.use_property_split = layout.use_property_decorate = False
        row = layout.split(factor=0.35, align=True)
        row.label(text=role_label(item.role))
        row.prop_search(item, "bone", data.id_data.data, "bones", text="")


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


class NEURARIG_MT_role_presets(bpy.types.Menu):
    """Role maps that you have saved"""

    bl_label = "Role Maps"
    kind = presets.ROLES
    draw = NEURARIG_MT_walk_presets.draw


def _draw_presets(layout: bpy.types.UILayout, kind: str, menu: str, text: str, current: str) -> None:
    row = layout.row(align=True)
    row.menu(menu, text=text)
    row.operator("neurarig.add_preset", text="", icon="ADD").kind = kind
    row = row.row(align=True)
    row.enabled = presets.is_own(kind, current)
    remove = row.operator("neurarig.remove_preset", text="", icon="REMOVE")
    remove.kind, remove.preset = kind, current


def _sliders(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> bpy.types.UILayout:
    """Return a column for sliders, greyed where the walk is paused or baked and moving them shows nothing."""
    column = layout.column()
    column.active = settings.live or not settings.attachment
    return column


class NEURARIG_PT_rig(Panel, bpy.types.Panel):
    bl_label = "Rig"

    def draw(self, context: bpy.types.Context) -> None:
        if armature_of(context) is None:
            self.layout.label(text="Select a character", icon="INFO")
            draw_sentence(self.layout, "Its armature, or a mesh that an armature deforms.")
        super().draw(context)

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        found = sum(bool(item.bone) for item in obj.neurarig.roles)
        row = layout.row()
        row.label(text=obj.name, icon="OUTLINER_OB_ARMATURE")
        row.label(text=f"{found} bones found" if found else "Not detected yet", icon="CHECKMARK" if found else "NONE")
        layout.operator("neurarig.detect_rig", icon="VIEWZOOM")
        box = draw_error(layout, obj.neurarig.error)
        if box:
            box.operator("neurarig.resume_walk", icon="FILE_REFRESH")


class NEURARIG_PT_roles(CharacterPanel, bpy.types.Panel):
    bl_label = "Bones"
    bl_parent_id = "NEURARIG_PT_rig"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        settings = obj.neurarig
        if not settings.roles:
            layout.label(text="Detect Rig fills this list", icon="INFO")
        layout.template_list("NEURARIG_UL_roles", "", settings, "roles", settings, "active_role", rows=9)
        if settings.active_role < len(settings.roles):  # the list is too narrow for long names
            active = settings.roles[settings.active_role]
            layout.label(text=f"{role_label(active.role)}: {active.bone or 'no bone'}")
        _draw_presets(layout, presets.ROLES, "NEURARIG_MT_role_presets", "Role Maps", settings.role_preset)


class NEURARIG_PT_walk(CharacterPanel, bpy.types.Panel):
    bl_label = "Walk"

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        settings = obj.neurarig
        _draw_presets(layout, presets.WALK, "NEURARIG_MT_walk_presets", settings.preset or "Walk Presets", settings.preset)
        for choice in ("mode", "controls"):
            row = layout.row()
            row.use_property_split = False  # the words need the width
            row.prop(settings, choice, expand=True)
        big = layout.column()
        big.scale_y = 1.5
        big.operator("neurarig.generate_walk", icon="ARMATURE_DATA")
        if settings.attachment:
            row = layout.row(align=True)
            row.use_property_split = row.use_property_decorate = False
            row.prop(settings, "live", toggle=True, icon="PLAY" if settings.live else "PAUSE")
            row.operator("neurarig.remove_walk", icon="X")
            if not settings.live and not settings.error:
                layout.label(text="Paused or baked: Live walks on", icon="INFO")
        column = _sliders(layout, settings)
        column.prop(settings, "speed")
        column.prop(settings, "stride")
        pace = walk_source.pace(obj, bpy.context.scene.frame_current) if settings.attachment else None
        if pace:
            row = column.split(factor=0.4)
            row.label()
            row.label(text=report_text.pace(*pace))
        column = _sliders(layout, settings)
        column.prop(settings, "energy")
        column.prop(settings, "weight")
        column = _sliders(layout, settings)
        column.prop(settings, "phase")
        column.prop(settings, "influence")
        column.prop(settings, "use_network")


class NEURARIG_PT_feet(CharacterPanel, bpy.types.Panel):
    bl_label = "Feet"
    bl_parent_id = "NEURARIG_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}
    sliders = ("step_height", "stance_width", "foot_splay", "asymmetry")

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        column = _sliders(layout, obj.neurarig)
        for slider in self.sliders:
            column.prop(obj.neurarig, slider)


class NEURARIG_PT_body(CharacterPanel, bpy.types.Panel):
    bl_label = "Body"
    bl_parent_id = "NEURARIG_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}
    sliders = ("bounce", "sway", "twist", "list", "lean", "crouch")
    draw_character = NEURARIG_PT_feet.draw_character


class NEURARIG_PT_arms(CharacterPanel, bpy.types.Panel):
    bl_label = "Arms & Head"
    bl_parent_id = "NEURARIG_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}
    sliders = ("arm_swing", "arm_spread", "elbow_bend", "head_bob")
    draw_character = NEURARIG_PT_feet.draw_character


class NEURARIG_PT_path(CharacterPanel, bpy.types.Panel):
    bl_label = "Path & Ground"
    bl_parent_id = "NEURARIG_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        settings = obj.neurarig
        column = layout.column()
        row = column.row()
        row.active = settings.mode == "TRAVEL"
        row.prop(settings, "travel_with")
        column.prop(settings, "start_frame")
        column.prop(settings, "whole_frames")


class NEURARIG_PT_bake(CharacterPanel, bpy.types.Panel):
    bl_label = "Bake & Export"
    bl_parent_id = "NEURARIG_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        column = layout.column()
        for text, icon, loop in (("Bake Frames…", "ACTION", False), ("Bake Loop…", "FILE_REFRESH", True)):
            bake = column.operator("neurarig.bake_walk", text=text, icon=icon)
            bake.loop, bake.check = loop, True


class NEURARIG_PT_contacts(CharacterPanel, bpy.types.Panel):
    bl_label = "Contacts"
    bl_parent_id = "NEURARIG_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header(self, context: bpy.types.Context) -> None:
        obj = armature_of(context)
        if obj is not None and report_text.read(obj.neurarig.report).past_limits:
            self.layout.alert = True
            self.layout.label(text="", icon="ERROR")

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        draw_report(layout, obj.neurarig.report, obj.neurarig.report_is_old)
        row = layout.row(align=True)
        row.operator("neurarig.check_contacts", icon="CHECKMARK")
        row.operator("neurarig.save_report", text="", icon="EXPORT")
