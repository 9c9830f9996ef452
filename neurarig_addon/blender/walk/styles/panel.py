"""The styles that a character walks in, their weights, and the menu of all there are."""

import bpy

from ...character.selection import armature_of
from ...interface.panel import CharacterPanel
from .. import presets
from ..gait_source import HUMAN_GAIT
from . import library, pictures, slots


class NEURARIG_MT_styles(bpy.types.Menu):
    """Styles that come with NeuraRig, and your own"""

    bl_label = "Styles"
    columns = 3

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        listed = library.names()
        grid = layout.grid_flow(row_major=True, columns=self.columns, even_columns=True)
        for name, _ in listed:
            cell = grid.column()
            cell.template_icon(pictures.icon_of(name), scale=3.5)
            cell.operator("neurarig.use_style", text=name).style = name


class NEURARIG_PT_styles(CharacterPanel, bpy.types.Panel):
    bl_label = "Styles"
    bl_parent_id = "NEURARIG_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        obj = armature_of(context)
        return super().poll(context) and obj is not None and obj.neurarig.walk.gait_source == HUMAN_GAIT

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        settings = obj.neurarig.walk
        row = layout.row(align=True)
        row.menu("NEURARIG_MT_styles", text="Add Style", icon="ADD")
        row.operator("neurarig.learn_style", text="", icon="ARMATURE_DATA")
        row.operator("neurarig.learn_style_file", text="", icon="FILE_FOLDER")
        used = [number for number, slot in enumerate(settings.styles) if slot.content]
        for number in used[: slots.MOST]:
            name = settings.styles[number].name
            row = layout.row(align=True)
            row.prop(settings, slots.WEIGHTS[number], text=name)
            row.operator("neurarig.take_style_out", text="", icon="X").place = number
            if presets.is_own(presets.STYLE, name):
                row.operator("neurarig.delete_style", text="", icon="TRASH").style = name
        if not used:
            return
        column = layout.column(heading="Strength")
        for slider in slots.STRENGTHS:
            column.prop(settings, slider)
        speed = slots.own_speed(settings)
        if speed is not None and abs(speed - settings.speed) > 0.005:
            layout.operator("neurarig.style_speed", text=f"Learned at {speed:.2f} m/s", icon="TIME")


STYLE_PANELS = (NEURARIG_MT_styles, NEURARIG_PT_styles)
