"""The panel of footprints."""

import bpy

from ...character.record import WALK, holds
from ...interface.panel import CharacterPanel, draw_sentence
from .. import remembered
from ..way.path import travels_with


class NEURARIG_PT_footprints(CharacterPanel, bpy.types.Panel):
    bl_label = "Footprints"
    bl_parent_id = "NEURARIG_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        settings = obj.neurarig.walk
        if not holds(obj, WALK):
            layout.label(text="Generate Walk first", icon="INFO")
            return
        if not travels_with(obj):
            draw_sentence(layout, "In place, the ground moves under the character. Choose Travel or Path above to see and edit footprints.")
            return
        layout.prop(settings, "show_footprints")
        column = layout.column(align=True)
        row = column.row(align=True)
        row.operator("neurarig.edit_footprints", text="Edit at Playhead", icon="EMPTY_ARROWS").which = "FRAME"
        row.operator("neurarig.edit_footprints", text="All in Range").which = "RANGE"
        row = column.row(align=True)
        row.operator("neurarig.pick_footprint", text="Pick", icon="EYEDROPPER")
        row.operator("neurarig.add_footprint", icon="ADD")
        self.draw_print(layout, obj)
        self.draw_edits(layout, obj)
        row = layout.row(align=True)
        row.operator("neurarig.load_footprints", text="Load…", icon="IMPORT")
        row.operator("neurarig.save_footprints", text="Save…", icon="EXPORT")

    def draw_print(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        """Draw the settings of the print whose object is active."""
        active = bpy.context.view_layer.objects.active
        item = next((item for item in obj.neurarig.walk.prints if active is not None and item.object == active), None)
        if item is None:
            return
        box = layout.box()
        box.use_property_decorate = False
        box.label(text=f"{item.side.title()} Print {item.number}{' (added)' if item.added else ''}", icon="OUTLINER_OB_EMPTY")
        column = box.column()
        column.prop(item, "held")
        column = box.column()
        column.active = not item.held
        for name in ("touch", "lift", "ball_pivot", "on_ground"):
            column.prop(item, name)
        column = box.column(align=True)
        row = column.row(align=True)
        row.operator("neurarig.neighbour_footprints", text="Neighbours")
        row.operator("neurarig.mirror_footprints", text="Mirror")
        row = column.row(align=True)
        row.operator("neurarig.lay_footprints", text="Snap to Ground")
        row.operator("neurarig.reset_footprints", text="Reset").every = False

    def draw_edits(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        """Draw the buttons for all edited prints."""
        prints = obj.neurarig.walk.prints
        if not prints:
            return
        source = remembered.known(obj)
        for sentence in () if source is None else source.lacks_room:
            draw_sentence(layout, sentence)
        held = sum(item.object is not None for item in prints)
        layout.label(text=f"{held} in hand" if held else f"{len(prints)} edited")
        row = layout.row(align=True)
        row.operator("neurarig.put_away_footprints", icon="CHECKMARK")
        row.operator("neurarig.copy_footprints", text="Copy")
        row.operator("neurarig.reset_footprints", text="Reset All", icon="LOOP_BACK").every = True


FOOTPRINT_PANELS = (NEURARIG_PT_footprints,)
