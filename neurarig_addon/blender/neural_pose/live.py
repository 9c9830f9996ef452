"""The live pose: the body follows its targets as they are dragged, tracked or played.

Edits arrive through `depsgraph_update_post`, frames through `frame_change_post`, when the frame's targets are
known (in renders too).
A pose depends on where the targets are and on nothing else. While they stand still, the character's own keys
play and the empties
made for it go along, so that the next drag starts from what is seen.
"""

import bpy
from bpy.app.handlers import persistent
from bpy.types import Depsgraph, Object, Scene

from ..character import record
from ..character.record import POSE
from ..live.memory import Memory
from ..live.mode import LiveMode
from . import follower, settings, targets
from .follower import Follower
from .rig import PosedRig

_followers: Memory[Follower] = Memory()
# a copy refers to the original's empties
_mode = LiveMode(POSE, "Neural Pose", targets.take_own, [_followers.forget])


def follower_of(obj: Object) -> Follower:
    """Return a character's follower, a new one if it has none."""
    found = _followers.get(obj)
    if found is None:
        found = _followers[obj] = Follower()
    return found


def rig_of(obj: Object) -> PosedRig:
    """Return a character as it is posed in the present scene; raises NeuraRigError if it cannot be posed."""
    return follower_of(obj).rig(obj, bpy.context.scene)


def followed_in(scene: Scene) -> list[tuple[Object, Follower]]:
    """Return the characters of a scene that follow targets now, with their followers, if they have one."""
    found = [(obj, _followers.get(obj)) for obj in _mode.objects(scene)]
    return [(obj, follower) for obj, follower in found if follower is not None]


def missed(obj: Object) -> dict[str, float]:
    """Return the locked or dragged points that miss their targets in a character's last pose, and by how many
    metres."""
    found = _followers.get(obj)
    return found.missed() if found else {}


def forget(obj: Object) -> None:
    """Forget an object."""
    _followers.forget(obj)
    _mode.roster.clear()


def _settings_changed(obj: Object) -> None:
    """Show a changed setting; every setting's `update=` calls this."""
    targets.let_go(obj)
    _mode.roster.clear()
    follower_of(obj).settings_changed()
    scene = getattr(bpy.context, "scene", None)
    if scene is not None and _mode.poses(obj):
        _mode.guarded(follower_of(obj).show, obj, scene)


@persistent
def _on_edit(scene: Scene, depsgraph: Depsgraph) -> None:
    """Follow dragged targets; never called by a change of frame."""
    objects = _mode.edited(scene, depsgraph)
    if not objects:
        return
    edited = (
        [update.id.original for update in depsgraph.updates] if depsgraph.id_type_updated("ARMATURE") else ()
    )
    came_or_went = depsgraph.id_type_updated("SCENE")
    for obj in objects:
        if came_or_went:
            follower_of(obj).settings_changed()
        if obj.data in edited:
            follower_of(obj).rig_changed()
        _mode.guarded(follower_of(obj).update, obj, scene, None)


def _on_frame(scene: Scene, depsgraph: Depsgraph) -> None:
    _mode.each(scene, _on_frame_of, scene, depsgraph)


def _on_frame_of(obj: Object, scene: Scene, depsgraph: Depsgraph) -> None:
    moved = follower_of(obj).update(obj, scene, depsgraph)
    if not moved and depsgraph.mode == "VIEWPORT" and follower.plays_keys(obj):
        follower_of(obj).snap_targets(obj, scene, depsgraph)


@persistent
def _on_load(_path=None, _=None) -> None:
    _mode.forget()
    live = _mode.objects(bpy.context.scene)
    if live:
        bpy.context.view_layer.update()
        for obj in live:
            _mode.guarded(follower_of(obj).adopt, obj, bpy.context.scene)


@persistent
def _on_undo(scene: Scene, _=None) -> None:
    """Undo restores targets and pose together; only what is remembered of them is out of date."""
    _mode.forget()
    for obj in _mode.objects(scene):
        _mode.guarded(follower_of(obj).adopt, obj, scene)


def register() -> None:
    """Start following targets."""
    _mode.begin(
        {settings.changes: _settings_changed, record.changes: forget},
        after=_on_frame, depsgraph_update_post=_on_edit, load_post=_on_load, undo_post=_on_undo,
        redo_post=_on_undo,
    )  # fmt: skip


def unregister() -> None:
    """Stop, and forget everything."""
    _mode.end()
