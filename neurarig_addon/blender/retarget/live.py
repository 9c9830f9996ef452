"""The live link: on every frame a character takes its pose from a clip that was solved in full beforehand.

A new frame arrives through `frame_change_pre` (in renders too), a new setting through the settings' own
`update=`, an edited source
through `depsgraph_update_post`. A frame's pose depends on the frame alone, and is the one that a bake would
key.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import bpy
import numpy as np
from bpy.app.handlers import persistent
from bpy.types import Depsgraph, Object, Scene

from ...core.errors import NeuraRigError
from ...core.ikrig.encoding import Encoding
from ...core.posing.posing import Travel
from ..animation import compat
from ..animation.keyframes import Channel
from ..animation.steps import finish, finish_within
from ..animation.write_pose import apply, apply_row
from ..character import carry, holding, ledger, record, standing
from ..character.record import CLIP
from ..follow.settings import changes as follow_changes
from ..live.handlers import Place
from ..live.memory import Memory
from ..live.mode import LiveMode
from ..over import taker, wishes
from . import lead, read_source, settings
from . import source as clip_source
from .choices import Choices
from .clip import OBJECT_CHANNELS, TargetClip, between, read_target, solve_clip, target_key
from .settings import FILLING

OPENING_S, LONGEST_AT_OPENING = 0.8, 3000  # seconds, and frames, that are read of a clip while a file opens
RENDERS = frozenset(("-a", "--render-anim", "-f", "--render-frame"))


@dataclass
class _Follower:
    """The cache of one linked character: numbers only, no Blender data."""

    read_from: tuple = ()  # key of the source that the encoding was read from
    encoding: Encoding | None = None
    solved_from: tuple = ()  # key of all that the clip was solved from
    clip: TargetClip | None = None
    path: list[Channel] | None = None  # the object's channels, see `carry.channels`


_followers: Memory[_Follower] = Memory()
_mode = LiveMode(CLIP, "The link", forgets=[_followers.forget])
is_linked = _mode.poses


def clip_of(obj: Object, scene: Scene, may_step: bool = True, opens: bool = False) -> TargetClip | None:
    """Return the clip of an attached character by its current settings; cheap if nothing changed.

    Without `may_step` a source that has to be played frame by frame is not read again; if it never was, there
    is no clip. `opens`: for a
    file that is being opened, which nobody waits for long.
    Raises NeuraRigError if the clip cannot be read or taken.
    """
    follower = _follower_of(obj)
    choices = Choices.of(obj)
    source = choices.source
    clip_source.check(source, obj)
    read_from = clip_source.key(scene, source)
    if read_from != follower.read_from and (may_step or not clip_source.needs_steps(scene, source)):
        follower.encoding, follower.read_from = _read(obj, scene, source, opens), read_from
    if follower.encoding is None:
        return None
    # on its present carrier: measured with the carrier as on this frame, it would differ on the next
    standing.remember(obj)
    when = read_source.first_frame(scene, choices), scene.render.fps, scene.render.fps_base
    solved_from = (
        follower.read_from,
        choices.options,
        choices["mirror"],
        choices["start_here"],
        *(choices[name] for name in FILLING),
        lead.drive_key(obj, scene, choices),
        *when,
        *target_key(obj, scene),
    )
    if solved_from != follower.solved_from:
        target = read_target(obj, scene)
        follower.clip = solve_clip(
            read_source.placed(follower.encoding, obj, scene, choices, target), target, choices.options
        )
        follower.solved_from, follower.path = solved_from, None
    return follower.clip


def _read(obj: Object, scene: Scene, source: clip_source.ClipSource, opens: bool) -> Encoding:
    steps = read_source.read_steps(bpy.context, source)
    if not opens or _renders_from_command_line():
        return finish(steps)[0]
    refusal = (
        f"The clip of '{obj.name}' takes long to read, and the file was opened without it. Press Live Link to"
        " read it."
    )
    if clip_source.length(scene, source) > LONGEST_AT_OPENING:
        raise NeuraRigError(refusal)
    return finish_within(OPENING_S, steps, refusal)[0]


def _renders_from_command_line() -> bool:
    """Return whether pictures are made without anybody who could press a button."""
    return bpy.app.background and not RENDERS.isdisjoint(sys.argv)


def forget(obj: Object) -> None:
    """Drop the cache of an object."""
    _followers.forget(obj)
    taker.forget(obj)
    _mode.roster.clear()


def _follower_of(obj: Object) -> _Follower:
    found = _followers.get(obj)
    if found is None:
        found = _followers[obj] = _Follower()
    return found


def _settings_changed(obj: Object) -> None:
    """Apply a changed setting; every setting's `update=` calls this."""
    _mode.roster.clear()
    scene = getattr(bpy.context, "scene", None)
    if scene is not None and is_linked(obj):
        _mode.guarded(_show, obj, scene, scene.frame_current_final)


def refresh(obj: Object) -> None:
    """Pose a linked character for the current frame."""
    scene = getattr(bpy.context, "scene", None)
    if scene is not None and is_linked(obj):
        _mode.guarded(_show, obj, scene, scene.frame_current_final, False)


def travelling_bone(obj: Object) -> str:
    """Return the bone that carries a linked character's travel, '' if the object travels, nothing does, or
    there is no such bone."""
    clip = clip_of(obj, bpy.context.scene)
    return clip.target.rig.root_bone if clip is not None and clip.travel is Travel.ROOT_BONE else ""


def _show(obj: Object, scene: Scene, frame: float, may_step: bool = True, opens: bool = False) -> None:
    """Pose a linked character for a frame, after setting aside the animation that would play over the
    clip."""
    clip = _led_clip_of(obj, scene, may_step, opens)
    if clip is not None:
        holding.make_way(obj, OBJECT_CHANNELS if clip.steps is not None else ())
        _pose(obj, clip, frame)
        led = _led_clip_of(obj, scene, may_step, opens) if lead.led_by(obj) is not None else clip
        if led is not None and led is not clip:  # the object was moved by the user, and has another way to go
            clip = led
            _pose(obj, clip, frame)
        _reach(obj, clip, frame, None)


def _led_clip_of(obj: Object, scene: Scene, may_step: bool, opens: bool) -> TargetClip | None:
    """Return the clip of a character; where what leads it has become impossible, as while a curve is drawn,
    its last one, and say why."""
    follower = _follower_of(obj)
    try:
        clip = clip_of(obj, scene, may_step, opens)
    except NeuraRigError as error:
        if lead.led_by(obj) is None or follower.clip is None:
            raise
        _mode.tell(obj, str(error))
        return follower.clip
    _mode.tell(obj, "")
    return clip


def _pose(obj: Object, clip: TargetClip, frame: float) -> None:
    apply(obj, clip.channels, clip.values(frame))
    if clip.steps is None:
        carry.put_back(obj)
    else:
        _carry(obj, clip, clip.steps, frame)


def _reach(obj: Object, clip: TargetClip, frame: float, depsgraph: Depsgraph | None) -> None:
    """Bring hands, chest and head to their targets."""
    if wishes.is_on(obj):
        apply_row(
            obj, clip.shown(obj, frame, wishes.at(obj, frame, depsgraph), is_below=depsgraph is not None), 0
        )


def _carry(obj: Object, clip: TargetClip, steps: np.ndarray, frame: float) -> None:
    """Move the object as the clip does; if it was moved by the user, its path starts from there."""
    follower = _follower_of(obj)
    if not obj.neurarig.is_carried:
        carry.stand(obj)
        follower.path = None
    elif carry.is_elsewhere(obj):
        carry.stand(obj, carry.step(obj))
        follower.path = None
    if follower.path is None:
        follower.path = carry.channels(obj, steps)
    row, share = clip.place(frame)
    for channel in follower.path:
        value = between(channel.values, row, share)
        if tuple(getattr(obj, channel.path)) != value:
            setattr(obj, channel.path, value)
    carry.left_where_it_is(obj)


def _on_frame(scene: Scene, _here: Place) -> bool:
    _mode.each(scene, _on_frame_of, scene, scene.frame_current_final)
    return True


def _on_frame_of(obj: Object, scene: Scene, frame: float) -> None:
    """Pose one character; only whether its clip is known is checked, so that playback is fast."""
    follower = _followers.get(obj)
    clip = follower.clip if follower else None
    if clip is None or standing.has_new_carrier(obj):
        clip = clip_of(obj, scene, may_step=False)
    if clip is not None:
        _pose(obj, clip, frame)


def _on_frame_evaluated(scene: Scene, depsgraph: Depsgraph) -> None:
    """Bring hands to their targets, which Blender has evaluated by now."""
    _mode.each(scene, _on_frame_evaluated_of, scene.frame_current_final, depsgraph)


def _on_frame_evaluated_of(obj: Object, frame: float, depsgraph: Depsgraph) -> None:
    follower = _followers.get(obj)
    if follower is not None and follower.clip is not None and wishes.is_on(obj):
        _reach(obj, follower.clip, frame, depsgraph)
        obj.update_tag(refresh={"DATA", "TIME"})


@persistent
def _on_edit(scene: Scene, depsgraph: Depsgraph) -> None:
    """Follow edits of sources and targets; not called on a change of frame."""
    objects = _mode.edited(scene, depsgraph)
    if not objects:
        return
    edited = {update.id.original.session_uid for update in depsgraph.updates}
    for obj in objects:
        is_led_elsewhere = lead.edited(obj, depsgraph)
        # The scene for its frame rate, range and units.
        if is_led_elsewhere or scene.session_uid in edited or not edited.isdisjoint(_watched(obj)):
            _mode.guarded(_show, obj, scene, scene.frame_current_final, False)
        elif wishes.is_on(obj):
            _mode.guarded(_follow_targets, obj, scene.frame_current_final)


def _follow_targets(obj: Object, frame: float) -> None:
    """Bring hands to targets that were moved."""
    follower = _followers.get(obj)
    if (
        follower is not None
        and follower.clip is not None
        and not taker.is_fresh(obj, wishes.at(obj, frame, None))
    ):
        _reach(obj, follower.clip, frame, None)


def _watched(obj: Object) -> Iterator[int]:
    """Yield the session_uids of all that a linked character depends on."""
    own = obj.neurarig.retarget
    yield obj.session_uid
    yield obj.data.session_uid
    source = obj if own.source_kind == settings.OWN else own.source
    if source is not None:
        yield source.session_uid
        yield source.data.session_uid
        action = own.action or compat.playing(source)[0]
        if action:
            yield action.session_uid
    if own.continue_for or own.continue_until_end:  # speed and turn may be keyed
        yield from (action.session_uid for action, _ in ledger.all_actions(obj))


@persistent
def _on_load(_path=None, _=None) -> None:
    for scene, _ in _mode.opened():
        _mode.each(scene, _show, scene, scene.frame_current_final, True, True)


@persistent
def _on_undo(scene: Scene, _=None) -> None:
    """Undo restores frame, pose and settings together; solved clips are kept if they still fit."""
    _mode.look_again()
    _mode.each(scene, _show, scene, scene.frame_current_final, False)


def register() -> None:
    """Start following frames and edits."""
    _mode.begin(
        {settings.changes: _settings_changed, follow_changes: _settings_changed, record.changes: forget},
        before=_on_frame, after=_on_frame_evaluated, depsgraph_update_post=_on_edit,
        load_post=_on_load, undo_post=_on_undo, redo_post=_on_undo,
    )  # fmt: skip


def unregister() -> None:
    """Stop, and forget everything."""
    _mode.end()
