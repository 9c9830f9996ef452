"""The panels of sliders: body, head, timing, and the actions on top and afterwards."""

import bpy

from ....character import fingers, record
from ....character.record import WALK
from ....interface import report_text
from ....interface.panel import CharacterPanel, GroupPanel, draw_sentence
from ...hands import AMOUNTS
from ...source import memory


def slider_column(layout: bpy.types.UILayout, obj: bpy.types.Object) -> bpy.types.UILayout:
    """Return a column for sliders, greyed while the walk is paused or baked, when moving them shows nothing."""
    column = layout.column()
    column.active = obj.neurarig.walk.live or not record.holds(obj, WALK)
    return column


class NEURARIG_PT_figure(GroupPanel, bpy.types.Panel):
    bl_label = "Body"
    bl_parent_id = "NEURARIG_PT_walk"


class NEURARIG_PT_feet(CharacterPanel, bpy.types.Panel):
    bl_label = "Feet"
    bl_parent_id = "NEURARIG_PT_figure"
    sliders = ("step_height", "stance_width", "foot_splay", "asymmetry")

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        column = slider_column(layout, obj)
        for slider in self.sliders:
            column.prop(obj.neurarig.walk, slider)


class NEURARIG_PT_body(CharacterPanel, bpy.types.Panel):
    bl_label = "Torso"
    bl_parent_id = "NEURARIG_PT_figure"
    sliders = ("bounce", "sway", "twist", "list", "lean", "lean_into", "anticipation", "crouch", "idle")

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        NEURARIG_PT_feet.draw_character(self, layout, obj)
        layout.prop(obj.neurarig.walk, "idle_seed")


class NEURARIG_PT_arms(CharacterPanel, bpy.types.Panel):
    bl_label = "Arms"
    bl_parent_id = "NEURARIG_PT_figure"
    sliders = ("arm_swing", "arm_spread", "elbow_bend")

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        NEURARIG_PT_feet.draw_character(self, layout, obj)


class NEURARIG_PT_hands(CharacterPanel, bpy.types.Panel):
    bl_label = "Hands"
    bl_parent_id = "NEURARIG_PT_figure"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        settings = obj.neurarig.walk
        for side, pose in fingers.SETTINGS.items():
            layout.prop(settings, pose)
            column = slider_column(layout, obj)
            column.active = side in fingers.held(obj)
            column.prop(settings, AMOUNTS[side], text="Amount")
        left = [side for side in fingers.SETTINGS if record.holds(obj, record.WALK) and side not in fingers.held(obj)]
        if any(getattr(settings, fingers.SETTINGS[side]) == fingers.AUTO for side in left):
            draw_sentence(layout, "Auto leaves fingers that are posed, keyed, or not certain. Choose a pose to hold them.")


class NEURARIG_PT_drag(CharacterPanel, bpy.types.Panel):
    bl_label = "Overlap"
    bl_parent_id = "NEURARIG_PT_figure"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        settings = obj.neurarig.walk
        column = slider_column(layout, obj)
        for slider in ("drag_hips", "drag_chest", "drag_arms", "drag_hands"):
            column.prop(settings, slider)
        slider_column(layout, obj).prop(settings, "slow_in")


class NEURARIG_PT_gaze(CharacterPanel, bpy.types.Panel):
    bl_label = "Head & Facing"
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


class NEURARIG_PT_timing(CharacterPanel, bpy.types.Panel):
    bl_label = "Steps & Timing"
    bl_parent_id = "NEURARIG_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        settings = obj.neurarig.walk
        pace = memory.pace(obj, bpy.context.scene.frame_current_final) if record.holds(obj, WALK) else None
        if pace:
            row = layout.split(factor=0.4)
            row.label()
            row.label(text=report_text.pace(*pace))
        column = slider_column(layout, obj)
        for slider in ("stride", "cadence", "duty_factor"):
            column.prop(settings, slider)
        column = slider_column(layout, obj)
        column.prop(settings, "influence")
        column.prop(settings, "phase")
        column = layout.column()
        column.prop(settings, "start_frame")
        column.prop(settings, "whole_frames")


class NEURARIG_PT_layer(CharacterPanel, bpy.types.Panel):
    bl_label = "Animation on Top"
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
        column = layout.column()
        column.use_property_decorate = False
        column.prop(settings, "blend_action")
        column = layout.column()
        column.active = settings.blend_action is not None
        column.prop(settings, "blend_frame")
        column.prop(settings, "blend_seconds")
        column.prop(settings, "blend_back")
        if sentence := memory.blends(obj):
            draw_sentence(layout, sentence)


SLIDER_PANELS = (
    NEURARIG_PT_figure,
    NEURARIG_PT_feet,
    NEURARIG_PT_body,
    NEURARIG_PT_arms,
    NEURARIG_PT_hands,
    NEURARIG_PT_drag,
    NEURARIG_PT_gaze,
    NEURARIG_PT_timing,
)
