"""The sidebar that the panels live in."""

import bpy


def redraw() -> None:
    """Have the panels of every 3D view drawn again; timers, which Blender does not draw after, call this."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()
