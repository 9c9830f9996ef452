"""Entries in Blender's own menus, by which its search (F3) finds the buttons."""

import bpy


def _draw(self: bpy.types.Menu, _context: bpy.types.Context) -> None:
    layout = self.layout
    layout.separator()
    layout.operator("neurarig.generate_walk", icon="ARMATURE_DATA")
    layout.operator("neurarig.bake_walk", text="Bake Walk...").check = True
    layout.operator("neurarig.remove_walk")


def register() -> None:
    """Add the entries to Object > Animation, which is also Pose > Animation."""
    bpy.types.VIEW3D_MT_object_animation.append(_draw)


def unregister() -> None:
    """Remove the entries."""
    bpy.types.VIEW3D_MT_object_animation.remove(_draw)
