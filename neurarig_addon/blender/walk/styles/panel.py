"""A character's styles, their weights, and the menu of all styles."""

from typing import ClassVar

import bpy

from ...character.selection import armature_of
from ...interface.panel import CharacterPanel
from ..gait_source import HUMAN_GAIT
from ..sliders import presets
from ..takes import kept
from . import library, pictures, slots


class NEURARIG_PT_style_library(bpy.types.Panel):
    """Styles that come with NeuraRig, and your own"""

    # A popover, as a menu lays a grid out as a staircase.
    bl_label = "Add Style"
    bl_space_type = "TOPBAR"
    bl_region_type = "HEADER"
    bl_options: ClassVar[set[str]] = {"INSTANCED"}
    bl_ui_units_x = 26
    across = 6

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return armature_of(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        grid = self.layout.grid_flow(row_major=True, columns=self.across, even_columns=True, even_rows=True)
        for name, _ in library.names():
            cell = grid.column(align=True)
            if icon := pictures.icon_of(name):
                cell.template_icon(icon, scale=4.0)
            cell.operator("neurarig.use_style", text=name, emboss=False).style = name


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
        layout.popover("NEURARIG_PT_style_library", text="Add Style", icon="ADD")
        row = layout.row(align=True)
        row.operator("neurarig.learn_style", text="Learn Style…", icon="ARMATURE_DATA")
        row.operator("neurarig.learn_style_file", text="", icon="FILE_FOLDER")
        row = layout.row(align=True)
        row.operator("neurarig.make_parametric", text="Make Parametric…", icon="MOD_PARTICLES")
        row.operator("neurarig.make_parametric_file", text="", icon="FILE_FOLDER")
        if kept.has_one(settings):
            row = layout.row(align=True)
            row.prop(settings, "as_recorded")
            row.operator("neurarig.remove_take", text="", icon="X")
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
        layout.label(text="Strength of All Styles" if len(used) > 1 else "Strength")
        column = layout.column()
        for slider in slots.STRENGTHS:
            column.prop(settings, slider)
        speed = slots.own_speed(settings)
        if speed is not None and abs(speed - settings.speed) > 0.005:
            layout.operator("neurarig.style_speed", text=f"Learned at {speed:.2f} m/s", icon="TIME")


STYLE_PANELS = (NEURARIG_PT_style_library, NEURARIG_PT_styles)
