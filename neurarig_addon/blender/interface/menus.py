"""NeuraRig in Blender's menus, where Menu Search (F3) finds the operators: a menu of its own in the 3D view,
and entries of the menus under the right mouse button."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import bpy
from bpy.types import Action, Context, Menu, UILayout

from ..animation.properties import OURS
from ..character.selection import armature_of

MENU = "NEURARIG_MT_"
# In each menu the operators, some with another text than their name, which says more, and with settings; and
# menus of what there is to choose.
SECTIONS: dict[str, tuple[Any, ...]] = {
    "Walk": (
        "generate_walk",
        "NEURARIG_MT_walks",
        "NEURARIG_MT_styles",
        "resume_walk",
        "",
        ("bake_walk", "Bake Walk…", {"check": True}),
        "rebake_walk",
        ("reduce_keys", "Reduce Keys…"),
        "mark_timeline",
        "",
        "check_contacts",
        ("save_report", "Save Report…"),
        "",
        "use_as_layer",
        ("pose_hands", "Pose Hands…"),
        "follow_through",
        "",
        ("add_preset", "Save Walk as Preset…", {"kind": "WALK"}),
        ("remove_walk", "Apply Bake", {"keep_bake": True}),
        "remove_walk",
    ),
    "Path & Ground": (
        "add_path",
        "walk_along",
        "walk_on",
        "",
        "add_marker",
        "remove_marker",
    ),
    "Footprints": (
        "edit_footprints",
        "pick_footprint",
        "add_footprint",
        "neighbour_footprints",
        "",
        "lay_footprints",
        "mirror_footprints",
        "copy_footprints",
        "",
        ("save_footprints", "Save Footprints…"),
        ("load_footprints", "Load Footprints…"),
        "",
        "reset_footprints",
        ("put_away_footprints", "Put Footprints Away"),
    ),
    "Acts": (
        "add_act",
        "NEURARIG_MT_add_act",
        "place_act",
        ("retime", "Retime Act or Waypoint…"),
        "remove_act",
        ("free_thing", "Free Held Thing"),
        "",
        ("save_act", "Save Act…"),
    ),
    "Styles & Recorded Walks": (
        ("learn_style", "Learn Style…"),
        ("learn_style_file", "Learn Style from File…"),
        "style_speed",
        "NEURARIG_MT_styles_in_use",
        "NEURARIG_MT_own_manners",
        "",
        ("make_parametric", "Turn Clip into Walk…"),
        ("make_parametric_file", "Turn Clip File into Walk…"),
        "remove_take",
    ),
    "Gait Profiles": (
        "NEURARIG_MT_gait_sources",
        ("save_profile", "Save Profile As…"),
        "check_profile",
        "train_profile",
        "reset_constants",
    ),
    "Retarget": (
        "retarget",
        ("retarget_actions", "Retarget Actions…"),
        ("retarget_folder", "Retarget Folder…"),
        "link_retarget",
        "",
        ("continue_motion", "Continue Motion"),
        ("fill_motion", "Fill Gap in Motion"),
        "",
        ("encode_action", "Export Motion…"),
        ("remove_retarget", "Apply Retarget", {"keep_clip": True}),
        "remove_retarget",
    ),
    "Neural Pose": (
        "pose_targets",
        "NEURARIG_MT_add_target",
        ("choose_target", "Choose Target…"),
        "select_target",
        "remove_target",
        "snap_targets",
        "",
        "solve_pose",
        ("solve_pose", "Key Pose", {"key": True}),
        "flip_pose",
        ("mirror_pose", "Mirror Pose Left to Right", {"side": "L"}),
        ("mirror_pose", "Mirror Pose Right to Left", {"side": "R"}),
        "copy_pose",
        "in_between",
        ("pose_asset", "Create Pose Asset…"),
        "",
        ("solve_range", "Solve Range…"),
        "solve_clip",
        ("export_pose", "Export Pose Parameters…"),
        "",
        ("remove_targets", "Apply Targets", {"keep_pose": True}),
        "remove_targets",
    ),
    "Several & Games": (
        ("copy_walk", "Copy Walk to Selected…"),
        ("remove_copies", "Remove Walk from Selected"),
        ("load_trajectories", "Load Trajectories…"),
        "clear_crossings",
        "far_as_loops",
        "near_again",
        "",
        ("export_set", "Export Set…"),
        ("start_link", "Start Engine Link…"),
        ("stop_link", "Stop Engine Link"),
    ),
    "Rig & Characters": (
        "NEURARIG_MT_characters",
        "pin_character",
        "",
        "detect_rig",
        "find_controls",
        ("list_roles", "Assign Bones by Hand"),
        "NEURARIG_MT_role_presets",
        "NEURARIG_MT_control_presets",
        "",
        "use_current_pose",
        "use_rest_pose",
        "apply_scale",
    ),
}


class _Section(Menu):
    """A menu of operators."""

    bl_label = "NeuraRig"
    bl_translation_context = OURS

    def draw(self, context):
        for entry in SECTIONS[self.bl_label]:
            name, *told = entry if isinstance(entry, tuple) else (entry,)
            if not name:
                self.layout.separator()
            elif name.startswith(MENU):
                self.layout.menu(name)
            else:
                _draw_button(self.layout, name, *told)


SUBMENUS = [
    type(MENU + "".join(filter(str.isalpha, label)).lower(), (_Section,), {"bl_label": label})
    for label in SECTIONS
]


class NEURARIG_MT_character(Menu):
    """Walk, retarget and pose this character"""

    bl_label = "NeuraRig"

    def draw(self, _context):
        for menu in SUBMENUS:
            self.layout.menu(menu.__name__)


def _draw_button(
    column: UILayout, name: str, text: str = "", settings: Mapping[str, Any] = MappingProxyType({})
) -> None:
    button = column.operator(f"neurarig.{name}", **({"text": text} if text else {}))
    for setting, value in settings.items():
        setattr(button, setting, value)


_register_menus, _unregister_menus = bpy.utils.register_classes_factory(SUBMENUS)


def _draw_in_header(self: Menu, context: Context) -> None:
    if context.mode in ("OBJECT", "POSE"):
        self.layout.menu("NEURARIG_MT_character")


def _draw_of_object(self: Menu, _context: Context) -> None:
    """Draw what a character can do with the object under the mouse."""
    for name in ("walk_along", "walk_on"):
        if getattr(bpy.ops.neurarig, name).poll():
            self.layout.separator()
            self.layout.operator(f"neurarig.{name}", icon="ARMATURE_DATA")


def _draw_of_action(self: Menu, context: Context) -> None:
    """Draw what a character can do with the action under the mouse, where there is a character."""
    if (action := _action_here(context)) is None or armature_of(context) is None:
        return
    self.layout.separator()
    for name in ("use_as_layer", "make_parametric"):
        self.layout.operator(f"neurarig.{name}", icon="ARMATURE_DATA").action = action.name


def _action_here(context: Context) -> Action | None:
    """Return the action that an editor shows, the one of the chosen strip, or the chosen asset of this
    file."""
    space = context.space_data
    if space.type == "NLA_EDITOR":
        return context.active_nla_strip.action if context.active_nla_strip else None
    if space.type == "DOPESHEET_EDITOR":
        return space.action or context.active_action
    found = context.asset.local_id if context.asset else None
    return found if isinstance(found, Action) else None


# Blender's menus, with what draws ours in them: of the 3D view, and those under the right mouse button, of
# objects and of actions
_PLACES = {
    "VIEW3D_MT_editor_menus": _draw_in_header,
    "VIEW3D_MT_object_context_menu": _draw_of_object,
    "OUTLINER_MT_object": _draw_of_object,
    "DOPESHEET_MT_context_menu": _draw_of_action,
    "NLA_MT_context_menu": _draw_of_action,
    "ASSETBROWSER_MT_context_menu": _draw_of_action,
}


def register() -> None:
    """Add the menu to the 3D view, and the entries to Blender's menus."""
    _register_menus()
    for name, draw in _PLACES.items():
        getattr(bpy.types, name).append(draw)


def unregister() -> None:
    """Remove all of them."""
    for name, draw in _PLACES.items():
        getattr(bpy.types, name).remove(draw)
    _unregister_menus()
