"""The motion of an armature object as a Clip: from its F-curves if they alone move it, otherwise by stepping
through the timeline."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
from bpy.types import Action, Context, FCurve, Object, Scene

from ...core.character.character import Character
from ...core.errors import NeuraRigError
from ...core.geometry.rotation import frame, rotated
from ...core.skeleton.clip import Clip, without_gaps
from ...core.skeleton.skeleton import Skeleton
from ..animation import compat
from ..animation.curve_pose import PROPERTIES, curve_pose, follows_curves, split_path
from ..animation.frame_range import played_range
from ..animation.keyframes import REST
from ..animation.scratch import same_frame_after, seen_poses
from ..animation.steps import Steps, finish
from . import record
from .read_armature import read_skeleton
from .requirements import require_numbers, require_pose_seen

LONGEST = 200_000  # frames of a clip: more than two hours at 24


def read_clip(
    context: Context,
    obj: Object,
    action: Action | None = None,
    frames: np.ndarray | None = None,
    character: Character | None = None,
    slot: str = "",
) -> Clip:
    """Return the motion of an armature object and its bones; scene, object and actions are restored.

    The clip's skeleton is placed as the object is on the first frame, whatever frame the scene shows.

    Args:
        action: an action of the object's (one that it plays without a slot counts as given),
            read as if it alone played: no NLA, and channels without keys at rest.  Without one, what
            the object shows: action, NLA, drivers, constraints, our walk (other add-ons' handlers are seen
            only if one of
            these makes the timeline step).
        frames: frames of keys `(f,)`, which Time Stretching plays elsewhere; by default the action's range,
        or the scene's without one.
        slot: the slot of the action, or of the one that the object plays, by its name; by default the one
        that it plays, or that suits it.
        character: the object's character; then only its roles' bones, and those above, need to be right,
        which is faster on rigs that
            constrain their fingers or faces.

    Raises NeuraRigError, naming object and action, if there is nothing to read, and naming a bone whose pose
    is not made of numbers.
    """
    return finish(read_clip_steps(context, obj, action, frames, character, slot))


def read_clip_steps(
    context: Context,
    obj: Object,
    action: Action | None = None,
    frames: np.ndarray | None = None,
    character: Character | None = None,
    slot: str = "",
) -> Steps[Clip]:
    """As `read_clip`, step by step: yields the share done, returns the clip; if closed early, everything is
    restored."""
    _require_readable(obj, action)
    scene = context.scene
    skeleton = read_skeleton(obj, scene)
    playing = _Playing(obj, action, slot)
    wanted = _with_parents(obj, character.roles.bones.values() if character else skeleton.names)
    at = playing.frames(scene) if frames is None else np.asarray(frames, dtype=float)
    seen = None
    if _is_told_by_curves(scene, obj, wanted, playing):
        if frames is None:
            playing.require_keys()
        seen = curve_pose(obj, skeleton, wanted, playing.curves, at, playing.is_new)
    if seen is None:
        seen = yield from _stepped(context, obj, skeleton, playing, at)
    require_numbers(skeleton.names, np.concatenate([seen[0], seen[1][..., None]], axis=-1))
    fps = scene.render.fps / scene.render.fps_base
    return _clip(playing.name, skeleton, fps, at, *seen, scene.unit_settings.scale_length)


def is_told_by_curves(
    obj: Object,
    scene: Scene,
    action: Action | None = None,
    character: Character | None = None,
    slot: str = "",
) -> bool:
    """Return whether `read_clip` does not step through the timeline, and so may be called from a handler."""
    names = character.roles.bones.values() if character else obj.data.bones.keys()
    return _is_told_by_curves(scene, obj, _with_parents(obj, names), _Playing(obj, action, slot))


def frames_of(scene: Scene, obj: Object, action: Action | None = None, slot: str = "") -> int:
    """Return the number of frames that `read_clip` reads."""
    first, last = _Playing(obj, action, slot).span(scene)
    return int(last - first) + 1


def _is_told_by_curves(scene: Scene, obj: Object, wanted: set[str], playing: "_Playing") -> bool:
    return not _walks(obj) and follows_curves(obj, wanted, playing.curves, not playing.alone)


class _Playing:
    """What plays on the object: only the given action, or everything assigned.

    `slot`: the name of the action's slot, '' for the one that plays, or that suits.
    """

    def __init__(self, obj: Object, action: Action | None, slot: str) -> None:
        data = obj.animation_data
        current, assigned = compat.assigned(data) if data else (None, None)
        self._obj = obj
        if action is None and slot:
            action = current
        elif action is None and compat.lacks_slot(data) and not _walks(obj):
            fitting = compat.find_channels(current, compat.suitable_slot(current, obj))
            action = current if any(_concerns(curve, obj) for curve in fitting) else None
        self.alone = action is not None
        self.action = action or current
        self.name = self.action.name if self.action else obj.name
        if slot:
            self.slot = compat.slot_named(action, slot)
            self.is_new = action != current or self.slot != assigned
        else:
            self.is_new = action is not None and (
                action != current or (compat.HAS_SLOTS and assigned is None)
            )
            self.slot = compat.suitable_slot(action, obj) if self.is_new else assigned
        self.curves = list(compat.find_channels(self.action, self.slot))
        if slot and not self._moves():
            raise NeuraRigError(
                f"'{self.name}' has no keys for '{obj.name}' in a slot '{slot}'. Choose another slot, or"
                " leave it empty."
            )
        if self.alone and not self._moves():
            raise NeuraRigError(
                f"The action '{self.name}' moves no bone of '{obj.name}'; choose one that was made for it."
            )

    def require_keys(self) -> None:
        """Refuse an action, of an object that nothing else moves, that holds no keys for the object: all
        would stand still."""
        if self.action is not None and not self._moves():
            raise NeuraRigError(
                f"Nothing moves '{self._obj.name}': its action '{self.name}' holds no keys for it. Choose"
                " another action."
            )

    def _moves(self) -> bool:
        return any(_concerns(curve, self._obj) for curve in self.curves)

    def span(self, scene: Scene) -> tuple[float, float]:
        """Return the first and last whole frame of the action, of its slot if it has others, or of what the
        scene plays in its range."""
        if self.action is None:
            first, last = played_range(scene)
        elif (
            not self.curves
            or self.action.use_frame_range
            or not compat.HAS_SLOTS
            or len(self.action.slots) < 2
        ):
            first, last = self.action.frame_range
        else:
            starts, ends = zip(*(curve.range() for curve in self.curves), strict=True)
            first, last = min(starts), max(ends)
        return float(np.floor(first)), float(np.ceil(last))

    def frames(self, scene: Scene) -> np.ndarray:
        """Return the whole frames of `span`; raises NeuraRigError if they are more than anybody records."""
        first, last = self.span(scene)
        if last - first > LONGEST:
            what = f"The action '{self.name}' has keys" if self.action else "The scene goes"
            raise NeuraRigError(
                f"{what} from frame {first:.0f} to {last:.0f}. Delete a key that lies far away, or shorten"
                " the range."
            )
        return np.arange(first, last + 1.0)


def _require_readable(obj: Object, action: Action | None) -> None:
    if obj is None or obj.type != "ARMATURE":
        raise NeuraRigError(
            f"'{obj.name if obj else None}' is not an armature. Choose the character's armature object."
        )
    require_pose_seen(obj)
    if action is not None and _walks(obj):
        raise NeuraRigError(
            f"'{obj.name}' walks now instead of playing '{action.name}'; turn its walk off first."
        )


def _walks(obj: Object) -> bool:
    """Return whether a walk poses an armature on every frame, regardless of its curves."""
    return record.is_live(obj, record.WALK)


def _with_parents(obj: Object, names: Any) -> set[str]:
    bones = obj.data.bones
    return {
        bone.name for name in names if name in bones for bone in (bones[name], *bones[name].parent_recursive)
    }


def _concerns(curve: FCurve, obj: Object) -> bool:
    bone, prop = split_path(curve.data_path)
    return bone in obj.pose.bones if bone else prop in PROPERTIES


def _stepped(
    context: Context,
    obj: Object,
    skeleton: Skeleton,
    playing: _Playing,
    frames: np.ndarray,
) -> Steps[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Return axes, heads and worlds like `curve_pose`, as evaluated by Blender."""
    with _same_channels_after(obj), same_frame_after(context.scene), _shown(obj, playing):
        poses, worlds = yield from seen_poses(context.scene, obj, frames)
    rows = {bone.name: row for row, bone in enumerate(obj.pose.bones)}
    poses = poses[:, [rows[name] for name in skeleton.names]].astype(float)
    return poses[..., :3, :3], poses[..., :3, 3], worlds


@contextmanager
def _shown(obj: Object, playing: _Playing) -> Iterator[None]:
    """Play an unassigned action alone for a while."""
    if not playing.alone:
        yield
        return
    if not obj.is_editable:
        raise NeuraRigError(f"'{obj.name}' is linked from another file. Make a library override of it first.")
    had_data = obj.animation_data is not None
    data = obj.animation_data or obj.animation_data_create()
    if data.use_tweak_mode:
        raise NeuraRigError(
            f"An NLA strip of '{obj.name}' is being tweaked; leave tweak mode (Tab in the NLA editor) first."
        )
    before, used_nla = compat.assigned(data), data.use_nla
    try:
        data.use_nla = False
        compat.assign(data, playing.action, playing.slot)
        if playing.is_new:
            for prop, values in REST.items():
                obj.pose.bones.foreach_set(
                    prop, np.tile(np.array(values, dtype=np.float32), len(obj.pose.bones))
                )
        yield
    finally:
        compat.assign(data, *before)
        data.use_nla = used_nla
        if not had_data:
            obj.animation_data_clear()


@contextmanager
def _same_channels_after(obj: Object) -> Iterator[None]:
    """Restore the current channels of object and bones afterwards, including unkeyed ones posed by hand."""
    own = {prop: getattr(obj, prop)[:] for prop in PROPERTIES}
    before = {prop: _channel(obj, prop) for prop in PROPERTIES}
    try:
        yield
    finally:
        for prop, values in before.items():
            if not np.array_equal(_channel(obj, prop), values):
                obj.pose.bones.foreach_set(prop, values)
                obj.update_tag()
            if getattr(obj, prop)[:] != own[prop]:
                setattr(obj, prop, own[prop])


def _channel(obj: Object, prop: str) -> np.ndarray:
    values = np.empty(PROPERTIES[prop] * len(obj.pose.bones), dtype=np.float32)
    obj.pose.bones.foreach_get(prop, values)
    return values


def _clip(
    name: str,
    skeleton: Skeleton,
    fps: float,
    frames: np.ndarray,
    axes: np.ndarray,
    heads: np.ndarray,
    worlds: np.ndarray,
    metres: float,
) -> Clip:
    """Return the clip of bones in armature space, with the object's world matrices `(f, 4, 4)` in Blender
    units."""
    turned = worlds[:, None, :3, :3] @ axes
    y_z_x = frame(turned[..., 1], turned[..., 2])
    places = rotated(worlds[:, None, :3, :3], heads) + worlds[:, None, :3, 3]
    to_world = worlds[0] * [[metres], [metres], [metres], [1.0]]
    sound = without_gaps(y_z_x[..., [2, 0, 1]], to_world[:3, :3] @ skeleton.rest[:, :3, :3])
    return Clip(name, replace(skeleton, to_world=to_world), fps, frames, sound, metres * places)
