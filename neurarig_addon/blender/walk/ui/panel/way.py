"""Where a walk leads: path, waypoints, ground, footprints."""

import bpy
from bpy.types import Object, PropertyGroup, UILayout

from ....character.record import WALK, holds
from ....interface.language import said
from ....interface.panel import (
    CharacterPanel,
    ClosedPanel,
    GroupPanel,
    ItemList,
    draw_sentence,
    draw_settings,
    draw_switched,
    draw_where,
    length_text,
)
from ...source import memory
from ...way import path
from .. import ground_words as words


class NEURARIG_UL_markers(ItemList):
    """The waypoints of a path: where, when, and for how long."""

    def draw_row(self, layout, item):
        # One label: four side by side are too narrow for their words.
        said = (
            item.place.name if item.place else length_text(item.distance),
            f"frame {item.frame:g}" if item.is_timed else "",
            f"{item.pause:g} s" if item.pause else "",
            f"{item.turn:g}°" if item.turn else "",
        )
        layout.label(text=", ".join(filter(None, said)), icon="EMPTY_AXIS" if item.place else "MARKER")


def draw_path(layout: UILayout, settings: PropertyGroup) -> None:
    """Draw what the walk follows, when it arrives, and where it waits on the way."""
    column = layout.column()
    row = column.row(align=True)
    row.use_property_split = row.use_property_decorate = False  # the path's name needs the width
    row.prop(settings, "path", text="")
    row.operator("neurarig.add_path", text="", icon="ADD")
    if settings.path is None:
        draw_sentence(layout, "Walks in place until it has a path. Choose or add one.")
    draw_switched(column, settings, "Arrive", "is_due", "arrive")
    if not len(settings.markers):
        layout.operator("neurarig.add_marker", icon="ADD")
        return
    row = layout.row()
    row.template_list("NEURARIG_UL_markers", "", settings, "markers", settings, "active_marker", rows=2)
    buttons = row.column(align=True)
    buttons.operator("neurarig.add_marker", text="", icon="ADD")
    buttons.operator("neurarig.remove_marker", text="", icon="REMOVE")
    if 0 <= settings.active_marker < len(settings.markers):
        _draw_marker(layout.column(), settings.markers[settings.active_marker])


def _draw_marker(column: UILayout, marker: PropertyGroup) -> None:
    column.prop(marker, "place")
    draw_where(marker.place is None, column, marker, "distance")
    draw_switched(column, marker, "At Frame", "is_timed", "frame")
    draw_settings(column, marker, "pause", "turn")


class NEURARIG_PT_way(GroupPanel):
    bl_label = "Path & Ground"
    bl_parent_id = "NEURARIG_PT_walk"


class NEURARIG_PT_path(CharacterPanel):
    bl_label = "Path"
    bl_parent_id = "NEURARIG_PT_way"

    def draw_character(self, layout, obj):
        settings = obj.neurarig.walk
        column = layout.column()
        draw_where(settings.mode != "IN_PLACE", column, settings, "travel_with")
        if settings.mode == "PATH":
            draw_settings(column, settings, "slow_in_bends", "start_standing")
            draw_where(settings.start_standing, column, settings, "start_turn")
            draw_settings(column, settings, "end_turn")


class NEURARIG_PT_ground(CharacterPanel):
    bl_label = "Ground"
    bl_parent_id = "NEURARIG_PT_way"

    def draw_character(self, layout, obj):
        settings = obj.neurarig.walk
        layout.prop(settings, "ground")
        layout.prop(settings, "ground_collection", text="Collection")
        layout.prop(settings, "stand_on")
        for sentence in words.ground_words(obj):
            draw_sentence(layout, sentence)


class NEURARIG_PT_footprints(ClosedPanel):
    bl_label = "Footprints"
    bl_parent_id = "NEURARIG_PT_way"

    def draw_character(self, layout, obj):
        settings = obj.neurarig.walk
        if not holds(obj, WALK):
            layout.label(text="Generate Walk first", icon="INFO")
            return
        if not path.travels_with(obj):
            draw_sentence(
                layout,
                "In place, the ground moves under the character. Choose Travel or Path above to see and edit"
                " footprints.",
            )
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

    def draw_print(self, layout: UILayout, obj: Object) -> None:
        """Draw the settings of the print whose object is active."""
        active = bpy.context.view_layer.objects.active
        item = next(
            (item for item in obj.neurarig.walk.prints if active is not None and item.object == active), None
        )
        if item is None:
            return
        box = layout.box()
        box.use_property_decorate = False
        box.label(
            text=said(f"{item.side.title()} Print {item.number}{' (added)' if item.added else ''}"),
            icon="OUTLINER_OB_EMPTY",
        )
        box.column().prop(item, "held")
        column = box.column()
        column.active = not item.held
        draw_settings(column, item, "touch", "lift", "ball_pivot", "on_ground")
        column = box.column(align=True)
        row = column.row(align=True)
        row.operator("neurarig.neighbour_footprints", text="Neighbours")
        row.operator("neurarig.mirror_footprints", text="Mirror")
        row = column.row(align=True)
        row.operator("neurarig.lay_footprints", text="Snap to Ground")
        row.operator("neurarig.reset_footprints", text="Reset").every = False

    def draw_edits(self, layout: UILayout, obj: Object) -> None:
        """Draw the buttons for all edited prints."""
        prints = obj.neurarig.walk.prints
        if not prints:
            return
        source = memory.known(obj)
        for sentence in () if source is None else source.lacks_room:
            draw_sentence(layout, sentence)
        held = sum(item.object is not None for item in prints)
        layout.label(text=said(f"{held} in hand" if held else f"{len(prints)} edited"))
        row = layout.row(align=True)
        row.operator("neurarig.put_away_footprints", icon="CHECKMARK")
        row.operator("neurarig.copy_footprints", text="Copy")
        row.operator("neurarig.reset_footprints", text="Reset All", icon="LOOP_BACK").every = True
