"""What follows a character's own animation: read in advance, added on each frame after Blender has evaluated
it.

Keys are read again once they have been edited and another frame is shown. A motion that only playing can
tell is read when follow-through is switched on, and when a file is opened.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import bpy
import numpy as np
from bpy.app.handlers import persistent
from bpy.types import Depsgraph, Object, Scene

from ...core.character.character import Character
from ...core.character.motion import RolePose
from ...core.errors import NeuraRigError
from ...core.follow.following import Following
from ...core.follow.rows import following_rows
from ...core.posing.channels import Channels
from ..animation import compat
from ..animation.scratch import is_passing
from ..animation.write_pose import apply_row
from ..character import hanging, record
from ..character.read_character import read_character
from ..character.read_clip import is_told_by_curves, read_clip
from ..live import handlers
from ..live.memory import Memory
from . import follower
from .settings import changes


@dataclass
class _Layer:
    """What is known of one character: the pose that is followed, and how; `is_old`: it was edited since."""

    pose: RolePose
    fps: float
    following: Following
    key: tuple
    is_old: bool = False

    def shown(self, frame: float) -> RolePose:
        """Return the pose of a frame, that of the nearest end beyond these."""
        first, last = self.pose.frames[[0, -1]]
        row, share = divmod(float(np.clip(frame, first, last) - first), 1.0)
        rows = RolePose.rows_of(self.pose, slice(int(row), int(row) + (2 if share else 1)))
        return replace(rows.at(share), frames=np.array([frame]))


_NOTHING = Channels((), np.empty((1, 0)))
_layers: Memory[_Layer] = Memory()
_reading: set[int] = set()  # session_uids of characters whose own animation is being read
_roster = handlers.Roster(lambda obj: obj.type == "ARMATURE" and hanging.is_layer(obj), lambda objects: None)


def begin(obj: Object) -> None:
    """Follow a character's own animation from now on; raises NeuraRigError if it cannot be read."""
    _roster.clear()
    record.changes.tell(obj)  # what follows characters is registered with the first one
    _layers.forget(obj)
    _show(obj, bpy.context.scene, may_play=True)


def _read(obj: Object) -> _Layer:
    scene = bpy.context.scene
    character = read_character(obj, scene)
    _reading.add(obj.session_uid)  # it may be played, which calls this room's handler
    try:
        clip = read_clip(bpy.context, obj, character=character)
    finally:
        _reading.discard(obj.session_uid)
    return _followed(obj, character, RolePose.standing(clip.frames, character.motions(clip)), clip.fps)


def _followed(obj: Object, character: Character, pose: RolePose, fps: float) -> _Layer:
    found = follower.read(obj, character)
    if found is None:
        raise NeuraRigError(f"No chain of '{obj.name}' follows. Choose one in Follow-Through.")
    action, _ = compat.playing(obj)
    repeats = action is not None and action.use_cyclic
    following = following_rows(found, pose, fps, character.body.leg_length, repeats)
    return _Layer(pose, fps, following, _key(obj))


def _key(obj: Object) -> tuple:
    return follower.key(obj), follower.chains_key(obj)


def _show(obj: Object, scene: Scene, may_play: bool = False) -> None:
    """Add what follows to a frame that Blender has evaluated."""
    layer = _layers.get(obj)
    if (layer is None or layer.is_old) and (may_play or is_told_by_curves(obj, scene)):
        layer = _layers[obj] = _read(obj)
    elif layer is None:  # nobody has played it since the file was opened
        return
    elif layer.key != _key(obj):
        layer = _layers[obj] = _followed(obj, read_character(obj, scene), layer.pose, layer.fps)
    apply_row(obj, layer.following.over(_NOTHING, layer.shown(scene.frame_current_final)), 0)


def _guarded(objects: Iterable[Object], scene: Scene, may_play: bool = False) -> None:
    for obj in objects:
        try:
            if obj.session_uid not in _reading:
                _show(obj, scene, may_play)
        except NeuraRigError as error:
            print(f"NeuraRig: {error}")
            obj.neurarig.follow.on = False


def _on_frame_evaluated(scene: Scene, _depsgraph: Depsgraph) -> None:
    _guarded(_roster.of(scene), scene)


def _changed(obj: Object) -> None:
    """Show a changed setting."""
    _roster.clear()
    if hanging.is_layer(obj) and obj.users_scene:
        _guarded([obj], bpy.context.scene)


@persistent
def _on_edit(scene: Scene, depsgraph: Depsgraph) -> None:
    if depsgraph.id_type_updated("SCENE"):
        _roster.clear()
    edited = depsgraph.id_type_updated("ACTION") or depsgraph.id_type_updated("ARMATURE")
    for obj in _roster.of(scene) if edited and not is_passing(scene) else ():
        if layer := _layers.get(obj):
            layer.is_old = True


@persistent
def _on_load(_path=None, _=None) -> None:
    _forget()
    scene = bpy.context.scene
    if objects := _roster.of(scene):
        scene.view_layers[0].update()
        _guarded(objects, scene, may_play=True)


@persistent
def _forget(_scene: Scene | None = None, _: object = None) -> None:
    _layers.forget()
    _roster.clear()


HANDLERS = (
    (bpy.app.handlers.depsgraph_update_post, _on_edit),
    (bpy.app.handlers.load_post, _on_load),
    (bpy.app.handlers.undo_post, _forget),
    (bpy.app.handlers.redo_post, _forget),
    (changes.listeners, _changed),
)


def register() -> None:
    """Start following."""
    handlers.follow(_roster, None, _on_frame_evaluated)


def unregister() -> None:
    """Stop, and forget everything."""
    handlers.forget(_roster)
    _forget()
