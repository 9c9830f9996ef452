"""The walk while it plays: handlers that pose every walking character of the scene.

Time comes through `frame_change_pre` (also in renders and for motion-blur subframes), edits through `depsgraph_update_post` and the
settings' own `update=`.  A frame's pose depends on the frame alone, never on the one shown before: a walk that needs what Blender has yet
to evaluate (a slider with a driver, a turn that is animated) is posed in `frame_change_post`.
"""

from dataclasses import dataclass

import bpy
from bpy.app.handlers import persistent

from ...core.errors import NeuraRigError
from ..animation.write_pose import apply_row
from ..character import controls
from ..character import stash as action
from ..character.controls import attachment
from ..live.mode import LiveMode
from . import source as walk_source
from . import travel
from .changes import changes
from .source import Row


@dataclass(frozen=True)
class _Moment:
    """When characters are posed: the frame, who has evaluated it (None: nobody yet), and whether it was an edit that asked."""

    scene: bpy.types.Scene
    frame: float
    depsgraph: bpy.types.Depsgraph | None = None
    edited: bool = False

    @classmethod
    def of_edit(cls, scene: bpy.types.Scene) -> "_Moment":
        return cls(scene, scene.frame_current_final, edited=True)

    def shown(self, obj: bpy.types.Object) -> bpy.types.Object:
        """Return the object with its animated properties as they are at this moment."""
        return obj if self.depsgraph is None else obj.evaluated_get(self.depsgraph)


_shown: dict[int, float] = {}  # frame last posed, by the scene's session_uid
_driving: dict[int, str] = {}  # what carries each object whose own animation has made way for its walk, by session_uid


def _adopt(objects: list[bpy.types.Object]) -> None:
    """Take objects as file, undo or copying brought them: their own animation has made way, and those in place stand where they stand."""
    for obj in objects:
        if obj.session_uid in _driving:
            continue
        controls.keep_to_itself(obj)
        _driving[obj.session_uid] = walk_source.travels_with(obj)
        if walk_source.travels_with(obj) != "OBJECT":
            travel.stands(obj)


_mode = LiveMode("The walk", lambda obj: obj.neurarig.walk, lambda obj: obj.neurarig.attachment, _adopt)
is_walking = _mode.poses


def pause(obj: bpy.types.Object) -> None:
    """Leave a character to somebody else, who poses it until `go_on`."""
    _mode.paused.add(obj.session_uid)
    _mode.roster.clear()


def go_on(uid: int) -> None:
    """Take a character, which may be gone, back from somebody else; `refresh` shows its walk again."""
    _mode.paused.discard(uid)
    _mode.roster.clear()


def _settings_changed(obj: bpy.types.Object) -> None:
    """Show a changed setting; every setting's `update=` calls this."""
    _mode.roster.clear()
    if not is_walking(obj):
        _driving.pop(obj.session_uid, None)
        return
    walk_source.check_rig(obj)
    if _driving.get(obj.session_uid) != walk_source.travels_with(obj):
        _make_way(obj)
    refresh(obj)


def invalidate(obj: bpy.types.Object | None = None) -> None:
    """Have the rig of `obj` (None: every rig) read again: its bones, roles or attachment changed."""
    _mode.roster.clear()
    walk_source.rig_changed(obj)


def refresh(obj: bpy.types.Object) -> None:
    """Pose a walking character for the current frame."""
    scene = _scene_of(obj)
    if scene is not None and is_walking(obj):
        _pose([obj], _Moment.of_edit(scene))


def begin(obj: bpy.types.Object) -> None:
    """Note where a character stands as its walk begins, and set its own animation aside; call it once the rig is attached."""
    travel.set_origin(obj, obj.location)
    travel.stands(obj)
    invalidate(obj)
    _make_way(obj)


def end(obj: bpy.types.Object) -> None:
    """Put a character back where it stood, give back its own animation and forget its walk; call it before the rig is detached."""
    scene = _scene_of(obj)
    try:
        source = walk_source.source_of(obj, scene) if scene else None
    except NeuraRigError:  # a rig that can no longer walk can still be put back
        source = None
    if source is not None and not travel.is_known(obj):
        travel.is_found(obj, source, _own_travel(obj, scene, scene.frame_current_final))
    travel.put_back(obj, source)
    action.restore_action(obj)
    walk_source.forget(obj)
    _driving.pop(obj.session_uid, None)
    _mode.roster.clear()


def _make_way(obj: bpy.types.Object) -> None:
    """Set aside animation that would play over the walk: when it goes live, and when it begins to move the object too."""
    scene = _scene_of(obj)
    if scene is None:
        return
    try:
        walk_source.source_of(obj, scene)
        moved = action.Moved(attachment.read(obj.neurarig.attachment), ("location",) if walk_source.travels_with(obj) == "OBJECT" else ())
        action.stash_action(obj, moved)
        action.give_way(obj)
        _driving[obj.session_uid] = walk_source.travels_with(obj)
    except NeuraRigError as error:
        _mode.turn_off(obj, error)


def _scene_of(obj: bpy.types.Object) -> bpy.types.Scene | None:
    scene = getattr(bpy.context, "scene", None)
    if scene is not None and obj.name in scene.objects:
        return scene
    return next(iter(obj.users_scene), None)


def _pose(objects: list[bpy.types.Object], moment: _Moment) -> None:
    """Compute every character, then write every character: one that fails is turned off and the others go on."""
    rows = [(obj, row) for obj in objects if (row := _mode.guarded(_row, obj, moment)) is not None]
    for obj, row in rows:
        _mode.guarded(_show, obj, row, moment)


def _show(obj: bpy.types.Object, row: Row, moment: _Moment) -> None:
    apply_row(obj, row.channels, row.index)
    travel.carry(obj, row.source, row.travel, moment.edited, moment.shown(obj).matrix_basis)
    if moment.depsgraph is not None:
        obj.update_tag(refresh={"TIME"})  # evaluated anew, a render would else have the object's own animation of another frame


def _row(obj: bpy.types.Object, moment: _Moment) -> Row:
    row = walk_source.row_at(obj, moment.scene, moment.frame, not moment.edited, moment.shown(obj))
    if not travel.is_known(obj):
        shown = moment.frame if moment.edited else _shown.get(moment.scene.session_uid)
        travel.is_found(obj, row.source, row.travel if shown is None else _own_travel(obj, moment.scene, shown))
    return row


def _own_travel(obj: bpy.types.Object, scene: bpy.types.Scene, frame: float) -> float:
    return walk_source.row_at(obj, scene, frame, ahead=False).travel


@persistent
def _on_frame(scene: bpy.types.Scene, _depsgraph=None) -> None:
    objects = _mode.roster.of(scene)
    if objects:
        _pose([obj for obj in objects if not walk_source.is_late(obj)], _Moment(scene, scene.frame_current_final))


@persistent
def _on_frame_evaluated(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    objects = _mode.roster.of(scene)
    if objects:
        frame = scene.frame_current_final
        late = [obj for obj in objects if walk_source.is_late(obj)]
        if late:
            _pose(late, _Moment(scene, frame, depsgraph))
        _shown[scene.session_uid] = frame


@persistent
def _on_edit(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Follow edits of walking objects, their armatures and their keyed sliders; never called by a change of frame."""
    objects = _mode.edited(scene, depsgraph)
    edited = [obj for obj in _edited(objects, depsgraph) if _needs_pose(obj, scene)] if objects else []
    if edited:
        _pose(edited, _Moment.of_edit(scene))


def _needs_pose(obj: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """Say whether an update, perhaps one of our own making, has changed what the walk depends on."""
    return not (walk_source.is_fresh(obj, scene) and travel.is_undisturbed(obj))


def _edited(objects: list[bpy.types.Object], depsgraph: bpy.types.Depsgraph) -> list[bpy.types.Object]:
    """Return the walking objects that an update of Blender's may have changed the walk of."""
    by_uid = {obj.session_uid: obj for obj in objects}
    found: dict[int, bpy.types.Object] = {}
    for update in depsgraph.updates:
        changed = update.id.original
        if isinstance(changed, bpy.types.Object):
            obj = by_uid.get(changed.session_uid)
            if obj is not None and (update.is_updated_transform or walk_source.ancestors_moved(obj)):
                found[changed.session_uid] = obj
        elif isinstance(changed, bpy.types.Armature):
            for obj in objects:
                if obj.data == changed and obj.mode != "EDIT" and walk_source.bones_changed(obj):
                    found[obj.session_uid] = obj
        elif isinstance(changed, bpy.types.Action):
            found.update((obj.session_uid, obj) for obj in objects if obj.animation_data is not None)
        elif isinstance(changed, bpy.types.Scene):  # frame rate and units
            return objects
    return list(found.values())


@persistent
def _on_load(_path=None, _=None) -> None:
    _forget_everything()
    for scene in bpy.data.scenes:
        _pose(_mode.roster.of(scene), _Moment.of_edit(scene))


@persistent
def _on_undo(scene: bpy.types.Scene, _=None) -> None:
    """Undo brings back frame and pose together; only what we remember of the objects is out of date."""
    _mode.roster.clear()
    travel.forget()
    walk_source.rig_changed()
    _driving.clear()
    _mode.roster.of(scene)  # finds and adopts them anew
    _shown[scene.session_uid] = scene.frame_current_final


def _forget_everything() -> None:
    _mode.forget()
    _driving.clear()
    _shown.clear()
    travel.forget()
    walk_source.forget()


def register() -> None:
    """Begin to follow frames and edits."""
    _mode.begin(
        changes, _settings_changed,
        frame_change_pre=_on_frame, frame_change_post=_on_frame_evaluated, depsgraph_update_post=_on_edit,
        load_post=_on_load, undo_post=_on_undo, redo_post=_on_undo,
    )  # fmt: skip


def unregister() -> None:
    """Stop, and remember nothing."""
    _mode.end()
    _forget_everything()
