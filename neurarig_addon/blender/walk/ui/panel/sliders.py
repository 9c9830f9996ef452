"""The panels of sliders: body, head, timing, and the actions on top and afterwards."""

from typing import ClassVar

import bpy
from bpy.types import Object, UILayout

from ....character import fingers, record
from ....character.record import WALK
from ....character.roles import is_biped, is_bird, on_four_legs
from ....interface import report_text
from ....interface.language import said
from ....interface.panel import (
    BipedPanel,
    CharacterPanel,
    ClosedPanel,
    GroupPanel,
    draw_sentence,
    draw_settings,
    draw_where,
)
from ...hands import AMOUNTS
from ...source import memory


def slider_column(layout: UILayout, obj: Object) -> UILayout:
    """Return a column for sliders, greyed while the walk is paused or baked, when moving them shows
    nothing."""
    column = layout.column()
    column.active = obj.neurarig.walk.live or not record.holds(obj, WALK)
    return column


def draw_sliders(layout: UILayout, obj: Object, *names: str) -> None:
    """Draw sliders in a column."""
    draw_settings(slider_column(layout, obj), obj.neurarig.walk, *names)


class _SliderPanel(CharacterPanel):
    """A panel of sliders."""

    bl_parent_id = "NEURARIG_PT_figure"
    sliders: ClassVar[tuple[str, ...]]

    def draw_character(self, layout, obj):
        draw_sliders(layout, obj, *self.sliders)


class NEURARIG_PT_figure(GroupPanel):
    bl_label = "Body"
    bl_parent_id = "NEURARIG_PT_walk"


class NEURARIG_PT_feet(_SliderPanel):
    bl_label = "Feet"
    sliders = ("step_height", "stance_width", "foot_splay", "asymmetry")

    def draw_character(self, layout, obj):
        super().draw_character(layout, obj)
        if on_four_legs(obj):
            layout.row().prop(obj.neurarig.walk, "limp_on", expand=True)


class NEURARIG_PT_body(_SliderPanel):
    bl_label = "Torso"
    sliders = ("bounce", "sway", "twist", "list", "lean", "lean_into", "anticipation", "crouch", "idle")

    def draw_character(self, layout, obj):
        super().draw_character(layout, obj)
        layout.prop(obj.neurarig.walk, "idle_seed")


class NEURARIG_PT_arms(BipedPanel, _SliderPanel):
    bl_label = "Arms"
    sliders = ("arm_swing", "arm_spread", "elbow_bend")


class NEURARIG_PT_hands(BipedPanel):
    bl_label = "Hands"
    bl_parent_id = "NEURARIG_PT_figure"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout, obj):
        settings = obj.neurarig.walk
        for side, pose in fingers.SETTINGS.items():
            layout.prop(settings, pose)
            column = slider_column(layout, obj)
            column.active = side in fingers.held(obj)
            column.prop(settings, AMOUNTS[side], text="Amount")
        left = [
            side
            for side in fingers.SETTINGS
            if record.holds(obj, record.WALK) and side not in fingers.held(obj)
        ]
        if any(getattr(settings, fingers.SETTINGS[side]) == fingers.AUTO for side in left):
            draw_sentence(
                layout,
                "Auto leaves fingers that are posed, keyed, or not certain. Choose a pose to hold them.",
            )


class NEURARIG_PT_drag(_SliderPanel):
    bl_label = "Overlap"
    bl_options = {"DEFAULT_CLOSED"}
    sliders = ("drag_hips", "drag_chest")

    def draw_character(self, layout, obj):
        super().draw_character(layout, obj)
        if is_biped(obj):
            draw_sliders(layout, obj, "drag_arms", "drag_hands")
        draw_sliders(layout, obj, "slow_in")


class NEURARIG_PT_gaze(ClosedPanel):
    bl_label = "Head & Facing"
    bl_parent_id = "NEURARIG_PT_walk"

    def draw_character(self, layout, obj):
        settings = obj.neurarig.walk
        column = slider_column(layout, obj)
        draw_settings(column, settings, "facing")
        draw_where(settings.mode != "IN_PLACE", column, settings, "face")
        column = slider_column(layout, obj)
        column.prop(settings, "look_at")
        draw_where(settings.look_at is not None, column, settings, "look")
        draw_sliders(layout, obj, "head_turn", "head_nod", "head_tilt", "head_bob")
        if is_bird(obj):
            draw_sliders(layout, obj, "head_thrust")
        draw_sliders(layout, obj, "look_around", "idle_seed")


class NEURARIG_PT_timing(ClosedPanel):
    bl_label = "Steps & Timing"
    bl_parent_id = "NEURARIG_PT_walk"

    def draw_character(self, layout, obj):
        pace = memory.pace(obj, bpy.context.scene.frame_current_final) if record.holds(obj, WALK) else None
        if pace:
            row = layout.split(factor=0.4)
            row.label()
            row.label(text=said(report_text.pace(*pace)))
        draw_sliders(layout, obj, "stride", "cadence", "duty_factor")
        draw_sliders(layout, obj, "influence", "phase")
        draw_settings(layout.column(), obj.neurarig.walk, "start_frame", "whole_frames")
