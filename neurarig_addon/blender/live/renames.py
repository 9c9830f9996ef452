"""Bones renamed while a character is held: followed on each edit, so that it keeps moving and renames are identified one by one."""

import bpy
from bpy.app.handlers import persistent

from ..animation.scratch import is_passing
from ..character import names
from . import handlers


@persistent
def _on_edit(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    if not depsgraph.id_type_updated("ARMATURE"):
        return
    edited = {update.id.original.session_uid for update in depsgraph.updates if isinstance(update.id, bpy.types.Armature)}
    for obj in scene.objects if is_passing(scene) else bpy.data.objects:
        if obj.type == "ARMATURE" and obj.data.session_uid in edited:
            names.follow_bones(obj)


_HANDLERS = ((bpy.app.handlers.depsgraph_update_post, _on_edit),)


def register() -> None:
    """Start following; register before the live modes, which find bones by name."""
    handlers.add(_HANDLERS)


def unregister() -> None:
    """Stop following."""
    handlers.remove(_HANDLERS)
