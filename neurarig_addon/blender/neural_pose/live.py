"""The live pose: the body follows its targets as they are dragged, tracked or played.

Edits come through `depsgraph_update_post`, time through `frame_change_post`, when the targets of the frame are known (in renders too).
A pose depends on where the targets are and on nothing else.  Where they stand still the character's own keys play, and the empties that
were made for it go along, so that the next drag begins at what is seen.
"""

import traceback
from collections.abc import Iterator
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ...core.errors import NeuraRigError
from .. import controls, handlers
from ..roster import Roster
from . import follower, settings
from .follower import Follower

_followers: dict[int, Follower] = {}  # by session_uid


def is_live(obj: bpy.types.Object) -> bool:
    """Say whether targets pose this object live."""
    return obj.type == "ARMATURE" and obj.neurarig.neural_pose.live and bool(obj.neurarig.neural_pose.attachment)


def _adopt(objects: list[bpy.types.Object]) -> None:
    for obj in objects:
        controls.keep_to_itself(obj)


_roster = Roster(is_live, _adopt)


def follower_of(obj: bpy.types.Object) -> Follower:
    """Return what is remembered of a character."""
    return _followers.setdefault(obj.session_uid, Follower())


def forget(obj: bpy.types.Object) -> None:
    """Drop what is remembered of an object."""
    _followers.pop(obj.session_uid, None)
    _roster.clear()


def turn_off(obj: bpy.types.Object, error: Exception) -> None:
    """End the following of a character that cannot be posed, and keep the reason for the panel."""
    if isinstance(error, NeuraRigError):
        reason = str(error)
    else:
        traceback.print_exception(error)
        reason = f"Neural Pose of '{obj.name}' stopped on an internal error, {type(error).__name__}: {error}"
    print(f"NeuraRig: {reason}")
    obj.neurarig.neural_pose.error = reason
    obj.neurarig.neural_pose.live = False


def _guarded(obj: bpy.types.Object, act: Any, *arguments: Any) -> None:
    try:
        act(obj, *arguments)
    except Exception as error:
        turn_off(obj, error)


def _settings_changed(obj: bpy.types.Object) -> None:
    """Show a changed setting; every setting's `update=` calls this."""
    _roster.clear()
    follower_of(obj).settings_changed()
    scene = getattr(bpy.context, "scene", None)
    if scene is not None and is_live(obj):
        _guarded(obj, follower_of(obj).show, scene)


@persistent
def _on_edit(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Follow dragged targets; never called by a change of frame."""
    objects = _roster.of(scene)
    if not objects:
        return
    edited = [update.id.original for update in depsgraph.updates] if depsgraph.id_type_updated("ARMATURE") else ()
    for obj in objects:
        if obj.mode != "EDIT":
            if obj.data in edited:
                follower_of(obj).rig_changed()
            _guarded(obj, follower_of(obj).update, scene, None)


@persistent
def _on_frame(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    for obj in _roster.of(scene):
        _guarded(obj, _on_frame_of, scene, depsgraph)


def _on_frame_of(obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    moved = follower_of(obj).update(obj, scene, depsgraph)
    if not moved and depsgraph.mode == "VIEWPORT" and follower.plays_keys(obj):
        follower_of(obj).snap_targets(obj, scene, depsgraph)


@persistent
def _on_load(_path=None, _=None) -> None:
    _forget_everything()
    live = [obj for obj in bpy.context.scene.objects if is_live(obj)]
    if live:
        bpy.context.view_layer.update()
        for obj in live:
            _guarded(obj, follower_of(obj).adopt, bpy.context.scene)


@persistent
def _on_undo(scene: bpy.types.Scene, _=None) -> None:
    """Undo brings back targets and pose together; only what is remembered of them is out of date."""
    _forget_everything()
    for obj in _roster.of(scene):
        _guarded(obj, follower_of(obj).adopt, scene)


def _forget_everything() -> None:
    _roster.clear()
    _followers.clear()


def _handlers() -> Iterator[tuple[list, object]]:
    lists = bpy.app.handlers
    yield lists.frame_change_post, _on_frame
    yield lists.depsgraph_update_post, _on_edit
    yield lists.load_post, _on_load
    yield lists.undo_post, _on_undo
    yield lists.redo_post, _on_undo


def register() -> None:
    """Begin to follow targets."""
    handlers.add(_handlers())
    settings.changes.listeners.append(_settings_changed)


def unregister() -> None:
    """Stop, and remember nothing."""
    handlers.remove(_handlers())
    settings.changes.listeners.remove(_settings_changed)
    _forget_everything()
