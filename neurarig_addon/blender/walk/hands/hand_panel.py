"""The panel of the hand poses."""

import bpy

from ...character import fingers, record
from ...interface.panel import CharacterPanel, draw_sentence
from ..sliders.slider_column import slider_column
from .held import AMOUNTS


class NEURARIG_PT_hands(CharacterPanel, bpy.types.Panel):
    bl_label = "Hands"
    bl_parent_id = "NEURARIG_PT_walk"
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
