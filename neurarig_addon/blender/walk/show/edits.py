"""Edits: which walks a depsgraph update may have changed, and rounds of posing, as reading a ground makes
Blender tell of them again."""

from collections.abc import Callable

from bpy.types import Action, Armature, Depsgraph, Object

from ..footprints import handles
from ..source import source as walk_source
from ..way import acts, lead, world

MOST_ROUNDS = 3
_found: list[list[Object]] = []  # objects found to be edited meanwhile, for each edit being handled


def changed_walks(objects: list[Object], depsgraph: Depsgraph) -> list[Object]:
    """Return the walking objects whose walk a depsgraph update may have changed."""
    by_uid = {obj.session_uid: obj for obj in objects}
    with_things = [obj for obj in objects if acts.has_things(obj)]
    found: dict[int, Object] = {
        obj.session_uid: obj for obj in [*with_things, *lead.edited(objects, depsgraph)]
    }
    for update in depsgraph.updates:
        edited = update.id.original
        if isinstance(edited, Object):
            if handles.is_ours(edited):
                found.update((obj.session_uid, obj) for obj in objects if handles.was_moved(obj, edited))
            obj = by_uid.get(edited.session_uid)
            if obj is not None and (update.is_updated_transform or walk_source.ancestors_moved(obj)):
                found[edited.session_uid] = obj
        elif isinstance(edited, Armature):
            for obj in objects:
                if obj.data == edited and walk_source.bones_changed(obj):
                    found[obj.session_uid] = obj
        elif isinstance(edited, Action):
            over = [
                obj
                for obj in objects
                if edited in (obj.neurarig.walk.layer_action, obj.neurarig.walk.blend_action)
            ]
            if over:
                world.edited(edited)
            with_keys = [
                obj for obj in objects if handles.keys_changed(obj) or obj.animation_data is not None
            ]
            found.update((obj.session_uid, obj) for obj in over + with_keys)
    return list(found.values())


def pose_edited(
    edited: list[Object],
    pose: Callable[[list[Object]], None],
    needs_pose: Callable[[Object], bool],
) -> None:
    """Pose edited objects, then those found to be edited meanwhile that need it; within a round, leave them
    to the next one."""
    if _found:
        _found[-1] += edited
        return
    for _ in range(MOST_ROUNDS):
        if not edited:
            break
        _found.append([])
        try:
            pose(edited)
        finally:
            meanwhile = _found.pop()
        edited = [obj for obj in meanwhile if needs_pose(obj)]
