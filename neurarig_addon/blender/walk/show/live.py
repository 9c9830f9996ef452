"""The walk while it plays: handlers that pose every walking character of the scene.

Time comes through `frame_change_pre` (also in renders and for motion-blur subframes), edits through
`depsgraph_update_post` and the
settings' own `update=`. A frame's pose depends on the frame alone, never on the one shown before: a walk that
needs what Blender has
yet to evaluate (a driven slider, an animated turn) is posed in `frame_change_post`.
"""

import bpy
from bpy.app.handlers import persistent
from bpy.types import Depsgraph, Object, Scene

from ....core.errors import NeuraRigError
from ....core.posing.posing import Travel
from ...animation.scratch import is_passing
from ...character import holding, record
from ...character.record import WALK
from ...follow.settings import changes as follow_changes
from ...live.handlers import Place
from ...live.memory import Memory
from ...live.mode import LiveMode
from ...over import taker, wishes
from ..changes import changes
from ..footprints import handles
from ..source import keys, memory
from ..source import source as walk_source
from ..source.memory import Known
from ..walk import Row
from ..way import deck, ground, lead, scenery
from . import carrying, edits, travel
from .edits import pose_edited
from .frame import ShownMoment, holds_on, show, show_untouched

# session_uids of objects to pose after evaluation, by the scene's session_uid
_late: dict[int, set[int]] = {}
# what carries each object whose own animation has been set aside for its walk
_driving: Memory[tuple] = Memory()


def _adopt(obj: Object) -> None:
    """Adopt an object from a file, undo or a copy: its own animation is already set aside."""
    _driving[obj] = travel.carrier_key(obj)
    handles.take_own(obj)


# What drops where characters, prints and things were put: of one object, or of all.
_PUT = (travel.forget, carrying.forget, handles.forget, scenery.forget, _driving.forget)
_READ = (memory.forget, taker.forget, lead.forget_deleted)  # and what was read of them

_mode = LiveMode(WALK, "The walk", _adopt, (_late.clear, keys.forget, *_PUT, *_READ))
is_walking = _mode.poses


def walking(scene: Scene) -> list[Object]:
    """Return the objects of a scene that walk now."""
    return _mode.objects(scene)


def pause(obj: Object) -> None:
    """Leave a character to another mode, which poses it until `go_on`."""
    _mode.paused.add(obj.session_uid)
    _mode.roster.clear()


def go_on(uid: int) -> None:
    """Take a character, which may be gone, back from another mode; `refresh` shows its walk again."""
    _mode.paused.discard(uid)
    _mode.roster.clear()


def _settings_changed(obj: Object) -> None:
    """Show a changed setting; every setting's `update=` calls this."""
    keys.count_edit()
    _mode.roster.clear()
    if not is_walking(obj):
        _driving.forget(obj)
        return
    walk_source.check_rig(obj)
    if _driving.get(obj) != travel.carrier_key(obj):
        _make_way(obj)
    refresh(obj)


def invalidate(obj: Object | None = None) -> None:
    """Have the rig of `obj` (None: all) read again: its bones, roles or attachment changed."""
    _mode.roster.clear()
    memory.rig_changed(obj)


def refresh(obj: Object) -> None:
    """Pose a walking character for the current frame."""
    scene = _scene_of(obj)
    if scene is not None and is_walking(obj) and obj.mode != "EDIT":
        _pose([obj], ShownMoment.of_edit(scene))


def travelling_bone(obj: Object) -> str:
    """Return the bone that moves a walking character forward, '' if the object travels, nothing does, or
    there is no such bone."""
    source = walk_source.posed_source(obj, bpy.context.scene)
    return source.rig.root_bone if source.travel is Travel.ROOT_BONE else ""


def _attachment_changed(obj: Object) -> None:
    """Have a character read again after it was attached or detached."""
    for forget in (*_READ, *_PUT):
        forget(obj)
    _mode.roster.clear()


def _make_way(obj: Object) -> None:
    """Set aside animation that would play over the walk: when it goes live, and when it begins to move the
    object."""
    try:
        holding.make_way(obj, travel.moved_properties(obj))
        _driving[obj] = travel.carrier_key(obj)
    except NeuraRigError as error:
        _mode.turn_off(obj, error)


def _scene_of(obj: Object) -> Scene | None:
    scene = getattr(bpy.context, "scene", None)
    return scene if scene is not None and obj.name in scene.objects else next(iter(obj.users_scene), None)


def _pose(objects: list[Object], moment: ShownMoment) -> None:
    """Compute every character, then write every character: one that fails is turned off, the others
    continue."""
    _show_all([(obj, _mode.guarded(_row, obj, moment)) for obj in objects], moment)


def _show_all(rows: list[tuple[Object, Row | None]], moment: ShownMoment) -> None:
    for obj, row in rows:
        if row is not None:
            _mode.guarded(_show, obj, row, moment)


def _row(obj: Object, moment: ShownMoment) -> Row:
    travel.take_moved(obj, moment.frame)
    row = walk_source.row_at(obj, moment.scene, moment.frame, not moment.edited, moment.shown(obj))
    _mode.tell(obj, memory.refusal(obj))
    return row


def _show(obj: Object, row: Row, moment: ShownMoment) -> None:
    show(obj, row, moment)
    if moment.edited and not is_passing(moment.scene):
        carrying.follow(obj, row.source)
    if handles.follow(obj, row.source):
        _pose([obj], moment)
    if moment.depsgraph is not None:
        # Evaluate again, bones too, which Blender would only copy: a render would otherwise show the object's
        # animation of another frame.
        obj.update_tag(refresh={"DATA", "TIME"})


def _on_frame(scene: Scene, here: Place) -> bool:
    """Pose all characters before Blender evaluates the frame; return whether somebody has to be posed
    afterwards."""
    frame, untouched_rows, others = scene.frame_current_final, [], []
    if not is_passing(scene) and carrying.look():
        for obj in _mode.roster.of(scene, here):
            if source := memory.known(obj):
                _mode.guarded(carrying.follow, obj, source)
    for obj in _mode.roster.of(scene, here):
        found = walk_source.untouched_row(obj, scene, frame)
        if found is None or found[0].reaches:
            others.append((obj, found))
        else:
            untouched_rows.append((obj, found))
    rows = _rows(others, ShownMoment(scene, frame)) if others else []
    for obj, found in untouched_rows:  # without edited prints, which would have to be followed
        try:
            show_untouched(obj, found, scene)
        except Exception as error:  # as `guarded`, without a call more on every frame
            _mode.turn_off(obj, error)
    if not others:
        return False
    _show_all(rows, ShownMoment(scene, frame))
    return bool(_late[here[0]])


def _rows(objects: list[tuple[Object, Known | None]], moment: ShownMoment) -> list[tuple[Object, Row | None]]:
    """Return the rows of characters to pose before Blender evaluates the frame, each found or not; note who
    has to be posed afterwards."""
    waiting, rows = set(), []
    for obj, found in objects:
        # Blender 4.2 crashes if a scene is made for it while it copies this one
        is_new = memory.known(obj) is None
        is_late, reaches = found is None and keys.is_late(obj), wishes.is_on(obj)
        if is_new or is_late or reaches:
            waiting.add(obj.session_uid)
        if not is_new and (reaches or not is_late):  # children of a bone have to find it on this frame
            rows.append((obj, _mode.guarded(_row, obj, moment) if found is None else Row(*found[1:])))
    _late[moment.scene.session_uid] = waiting
    return rows


def _on_frame_evaluated(scene: Scene, depsgraph: Depsgraph) -> None:
    waiting = _late.get(scene.session_uid, ())
    objects = [obj for obj in _mode.objects(scene) if obj.session_uid in waiting]
    objects.sort(key=lambda obj: len(deck.decks_under(obj)))  # who carries, first
    _pose(objects, ShownMoment(scene, scene.frame_current_final, depsgraph))


@persistent
def _on_edit(scene: Scene, depsgraph: Depsgraph) -> None:
    """Follow edits of walking objects, their armatures and their keyed sliders; never called by a change of
    frame."""
    keys.count_edit()
    ground.note_edits(depsgraph)
    scenery.note_edits(depsgraph)
    keys.look_again(update.id.original for update in depsgraph.updates)
    objects = _mode.edited(scene, depsgraph)
    if not is_passing(scene):
        memory.unwatch_all_but(objects)
    edited = edits.changed_walks(objects, depsgraph) if objects else []
    edited += [obj for obj in objects if obj not in edited and not holds_on(obj, scene)]
    if depsgraph.id_type_updated("SCENE"):  # frame rate and units
        edited = objects
    if not is_passing(scene):  # removes objects, of which the updates may tell: these are read before
        carrying.look()
    for obj in edited:
        _mode.guarded(_take_prints, obj, scene)
    edited = [obj for obj in edited if _needs_pose(obj, scene)]
    pose_edited(
        edited,
        lambda objects: _pose(objects, ShownMoment.of_edit(scene)),
        lambda obj: _needs_pose(obj, scene),
    )


def _take_prints(obj: Object, scene: Scene) -> None:
    """Move prints to where their objects were dragged."""
    handles.take_moved(obj, lambda: walk_source.posed_source(obj, scene))


def _needs_pose(obj: Object, scene: Scene) -> bool:
    """Return whether an update, perhaps one of our own making, has changed what the walk depends on."""
    return not (walk_source.is_fresh(obj, scene) and travel.is_undisturbed(obj) and holds_on(obj, scene))


@persistent
def _on_load(_path=None, _=None) -> None:
    for scene, objects in _mode.opened():
        _pose(objects, ShownMoment.of_edit(scene))


@persistent
def _on_undo(scene: Scene, _=None) -> None:
    """Undo restores frame and pose together; only our caches are out of date."""
    for forget in (*_PUT, memory.rig_changed, keys.forget):
        forget()
    _mode.look_again()
    _mode.objects(scene)  # finds and adopts the objects again


def register() -> None:
    """Start following frames and edits."""
    _mode.begin(
        {
            changes: _settings_changed,
            follow_changes: _settings_changed,
            record.changes: _attachment_changed,
        },
        before=_on_frame, after=_on_frame_evaluated, depsgraph_update_post=_on_edit,
        load_post=_on_load, undo_post=_on_undo, redo_post=_on_undo,
    )  # fmt: skip


def unregister() -> None:
    """Stop, and forget everything."""
    _mode.end()
