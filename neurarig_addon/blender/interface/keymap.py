"""Shortcuts of one's own: a row in the preferences for each of these buttons, without a key until the user
gives one, so that none of Blender's own is taken; and the left mouse button on bars of the timeline."""

import bpy
import rna_keymap_ui
from bpy.types import Context, KeyMap, KeyMapItem, UILayout

BUTTONS = (
    "generate_walk",
    "bake_walk",
    "rebake_walk",
    "check_contacts",
    "add_path",
    "walk_along",
    "add_marker",
    "edit_footprints",
    "pick_footprint",
    "retarget",
    "link_retarget",
    "pose_targets",
    "solve_pose",
    "flip_pose",
    "in_between",
    "pose_hands",
    "pin_character",
)
MENU = "NEURARIG_MT_character"
_EDITOR = "3D View"
_added: list[tuple[KeyMap, KeyMapItem]] = []


def draw(layout: UILayout, context: Context) -> None:
    """Draw a row for each button, in which a key is chosen."""
    keys = context.window_manager.keyconfigs.user
    keymap = keys.keymaps.get(_EDITOR)
    # Blender lists them the last first
    for item in reversed(keymap.keymap_items if keymap else ()):
        is_menu = item.idname == "wm.call_menu" and item.properties.name == MENU
        if is_menu or item.idname.startswith("neurarig."):
            layout.context_pointer_set("keymap", keymap)
            rna_keymap_ui.draw_kmi([], keys, keymap, item, layout, 0)


def register() -> None:
    """Add the rows and what drags and chooses bars; without a window Blender has no keys."""
    keys = bpy.context.window_manager.keyconfigs.addon
    if keys is None:
        return
    keymap = keys.keymaps.new(_EDITOR, space_type="VIEW_3D")
    menu = keymap.keymap_items.new("wm.call_menu", "NONE", "PRESS")
    menu.properties.name = MENU
    _added.append((keymap, menu))
    _added.extend((keymap, keymap.keymap_items.new(f"neurarig.{name}", "NONE", "PRESS")) for name in BUTTONS)
    timeline = keys.keymaps.new("Dopesheet", space_type="DOPESHEET_EDITOR")
    for value in ("PRESS", "DOUBLE_CLICK"):
        _added.append((timeline, timeline.keymap_items.new("neurarig.retime", "LEFTMOUSE", value)))


def unregister() -> None:
    """Take them away."""
    for keymap, item in _added:
        keymap.keymap_items.remove(item)
    _added.clear()
