"""NeuraRig in Blender's menus, where Menu Search (F3) finds the operators."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import bpy

# Under each heading the operators, with another text than their name where that says more, and settings.
# Those that are for one entry
# of a list stand beside it.
SECTIONS: dict[str, tuple[tuple[Any, ...], ...]] = {
    "Walk": (
        ("generate_walk",),
        ("resume_walk",),
        ("bake_walk", "Bake Walk…", {"check": True}),
        ("rebake_walk",),
        ("reduce_keys", "Reduce Keys…"),
        ("mark_timeline",),
        ("check_contacts",),
        ("save_report", "Save Report…"),
        ("use_as_layer",),
        ("pose_hands", "Pose Hands…"),
        ("remove_walk", "Apply Bake", {"keep_bake": True}),
        ("remove_walk",),
    ),
    "Way": (
        ("add_path",),
        ("add_marker",),
        ("edit_footprints", "Edit Footprints"),
        ("add_footprint",),
        ("neighbour_footprints",),
        ("pick_footprint", "Pick Footprint"),
        ("lay_footprints", "Snap Footprints to Ground"),
        ("mirror_footprints",),
        ("copy_footprints", "Copy Footprints to Selected"),
        ("save_footprints", "Save Footprints…"),
        ("load_footprints", "Load Footprints…"),
        ("reset_footprints",),
        ("put_away_footprints", "Put Footprints Away"),
        ("remove_marker",),
    ),
    "Styles and Acts": (
        ("learn_style", "Learn Style…"),
        ("learn_style_file", "Learn Style from File…"),
        ("style_speed",),
        ("make_parametric", "Turn Clip into Walk…"),
        ("make_parametric_file", "Turn Clip File into Walk…"),
        ("remove_take",),
        ("learn_act", "Learn Act…"),
        ("learn_act_file", "Learn Act from File…"),
        ("load_act", "Load Act…"),
        ("save_act", "Save Act…"),
        ("place_act",),
        ("remove_act",),
        ("free_thing",),
        ("open_profile", "Open Profile…"),
        ("save_profile", "Save Profile As…"),
        ("check_profile",),
        ("train_profile",),
        ("reset_constants",),
        ("use_human_gait", "Use Human Gait"),
    ),
    "Retarget": (
        ("retarget",),
        ("retarget_actions", "Retarget Actions…"),
        ("retarget_folder", "Retarget Folder…"),
        ("link_retarget",),
        ("continue_motion", "Continue Motion"),
        ("fill_motion", "Fill Gap in Motion"),
        ("encode_action", "Export Motion…"),
        ("remove_retarget", "Apply Retarget", {"keep_clip": True}),
        ("remove_retarget",),
    ),
    "Neural Pose": (
        ("pose_targets",),
        ("add_target",),
        ("snap_targets",),
        ("solve_pose",),
        ("solve_pose", "Key Pose", {"key": True}),
        ("flip_pose",),
        ("mirror_pose", "Mirror Pose Left to Right", {"side": "L"}),
        ("mirror_pose", "Mirror Pose Right to Left", {"side": "R"}),
        ("copy_pose",),
        ("in_between",),
        ("pose_asset", "Create Pose Asset…"),
        ("solve_range", "Solve Range…"),
        ("solve_clip",),
        ("export_pose", "Export Pose Parameters…"),
        ("remove_targets", "Apply Targets", {"keep_pose": True}),
        ("remove_targets",),
    ),
    "Several, Games, Rig": (
        ("copy_walk", "Copy Walk to Selected…"),
        ("remove_copies", "Remove Walk from Selected"),
        ("load_trajectories", "Load Trajectories…"),
        ("clear_crossings",),
        ("far_as_loops",),
        ("near_again",),
        ("export_set", "Export Set…"),
        ("start_link", "Start Engine Link…"),
        ("stop_link", "Stop Engine Link"),
        ("pin_character",),
        ("detect_rig",),
        ("find_controls",),
        ("list_roles", "Assign Bones by Hand"),
        ("use_current_pose",),
        ("use_rest_pose",),
        ("apply_scale",),
    ),
}


class NEURARIG_MT_character(bpy.types.Menu):
    """Walk, retarget and pose this character"""

    bl_label = "NeuraRig"

    def draw(self, context):
        row = self.layout.row()
        for heading, entries in SECTIONS.items():
            column = row.column()
            column.label(text=heading)
            column.separator()
            for entry in entries:
                _draw_button(column, *entry)
        column.menu("NEURARIG_MT_add_act")


def _draw_button(
    column: bpy.types.UILayout, name: str, text: str = "", settings: Mapping[str, Any] = MappingProxyType({})
) -> None:
    button = column.operator(f"neurarig.{name}", **({"text": text} if text else {}))
    for setting, value in settings.items():
        setattr(button, setting, value)


_register_menu, _unregister_menu = bpy.utils.register_classes_factory((NEURARIG_MT_character,))


def _draw(self: bpy.types.Menu, _context: bpy.types.Context) -> None:
    self.layout.separator()
    self.layout.menu("NEURARIG_MT_character", icon="ARMATURE_DATA")


def register() -> None:
    """Add the menu to Object > Animation, which is also Pose > Animation."""
    _register_menu()
    bpy.types.VIEW3D_MT_object_animation.append(_draw)


def unregister() -> None:
    """Remove the menu."""
    bpy.types.VIEW3D_MT_object_animation.remove(_draw)
    _unregister_menu()
