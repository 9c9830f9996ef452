"""Which walks a depsgraph update may have changed: edits of characters, armatures, keys, prints, paths and grounds."""

import bpy

from . import source as walk_source
from .footprints import handles
from .ground import world
from .way import led


def changed(objects: list[bpy.types.Object], depsgraph: bpy.types.Depsgraph) -> list[bpy.types.Object]:
    """Return the walking objects whose walk a depsgraph update may have changed."""
    by_uid = {obj.session_uid: obj for obj in objects}
    found: dict[int, bpy.types.Object] = {obj.session_uid: obj for obj in led.edited(objects, depsgraph)}
    for update in depsgraph.updates:
        edited = update.id.original
        if isinstance(edited, bpy.types.Object):
            if handles.is_ours(edited):
                found.update((obj.session_uid, obj) for obj in objects if handles.was_moved(obj, edited))
            obj = by_uid.get(edited.session_uid)
            if obj is not None and (update.is_updated_transform or walk_source.ancestors_moved(obj)):
                found[edited.session_uid] = obj
        elif isinstance(edited, bpy.types.Armature):
            for obj in objects:
                if obj.data == edited and walk_source.bones_changed(obj):
                    found[obj.session_uid] = obj
        elif isinstance(edited, bpy.types.Action):
            over = [obj for obj in objects if obj.neurarig.walk.layer_action == edited]
            if over:
                world.edited(edited)
            with_keys = [obj for obj in objects if handles.keys_changed(obj) or obj.animation_data is not None]
            found.update((obj.session_uid, obj) for obj in over + with_keys)
    return list(found.values())
