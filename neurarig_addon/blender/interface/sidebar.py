"""The sidebar that holds the panels."""

import bpy


def redraw() -> None:
    """Redraw the panels of every 3D view; for timers, after which Blender does not redraw."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()
