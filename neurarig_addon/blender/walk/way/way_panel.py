"""The panels for path, timing and ground."""

import bpy

from ...interface.panel import CharacterPanel, draw_sentence
from ..ground.ground_words import ground_words


class NEURARIG_PT_path(CharacterPanel, bpy.types.Panel):
    bl_label = "Path"
    bl_parent_id = "NEURARIG_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        settings = obj.neurarig.walk
        column = layout.column()
        row = column.row()
        row.active = settings.mode != "IN_PLACE"
        row.prop(settings, "travel_with")
        if settings.mode == "PATH":
            column.prop(settings, "slow_in_bends")
            column.prop(settings, "start_standing")
            turn = column.column()
            turn.active = settings.start_standing
            turn.prop(settings, "start_turn")
            column.prop(settings, "end_turn")
        column.prop(settings, "start_frame")
        column.prop(settings, "whole_frames")


class NEURARIG_UL_markers(bpy.types.UIList):
    """The markers on a path: where, when, and for how long."""

    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0, flt_flag=0) -> None:
        # One label: four side by side are too narrow for their words.
        said = (
            item.place.name if item.place else f"{item.distance:.2f} m",
            f"frame {item.frame:g}" if item.is_timed else "",
            f"{item.pause:g} s" if item.pause else "",
            f"{item.turn:g}°" if item.turn else "",
        )
        layout.label(text=", ".join(filter(None, said)), icon="EMPTY_AXIS" if item.place else "MARKER")


class NEURARIG_PT_markers(CharacterPanel, bpy.types.Panel):
    bl_label = "Timing"
    bl_parent_id = "NEURARIG_PT_path"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        settings = obj.neurarig.walk
        if settings.mode != "PATH":
            layout.active = False
            draw_sentence(layout, "Arrival times need a path. Choose Path above.")
        row = layout.row(heading="Arrive")
        row.prop(settings, "is_due", text="")
        frame = row.row()
        frame.active = settings.is_due
        frame.prop(settings, "arrive", text="")
        row = layout.row()
        row.template_list("NEURARIG_UL_markers", "", settings, "markers", settings, "active_marker", rows=3)
        buttons = row.column(align=True)
        buttons.operator("neurarig.add_marker", text="", icon="ADD")
        buttons.operator("neurarig.remove_marker", text="", icon="REMOVE")
        if not 0 <= settings.active_marker < len(settings.markers):
            return
        marker = settings.markers[settings.active_marker]
        column = layout.column()
        column.prop(marker, "place")
        distance = column.row()
        distance.active = marker.place is None
        distance.prop(marker, "distance")
        row = column.row(heading="At Frame")
        row.prop(marker, "is_timed", text="")
        frame = row.row()
        frame.active = marker.is_timed
        frame.prop(marker, "frame", text="")
        column.prop(marker, "pause")
        column.prop(marker, "turn")


class NEURARIG_PT_ground(CharacterPanel, bpy.types.Panel):
    bl_label = "Ground"
    bl_parent_id = "NEURARIG_PT_walk"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_character(self, layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
        settings = obj.neurarig.walk
        layout.prop(settings, "ground")
        layout.prop(settings, "ground_collection", text="Collection")
        layout.prop(settings, "stand_on")
        for sentence in ground_words(obj):
            draw_sentence(layout, sentence)


WAY_PANELS = (NEURARIG_PT_path, NEURARIG_UL_markers, NEURARIG_PT_markers, NEURARIG_PT_ground)
