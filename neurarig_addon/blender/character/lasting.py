"""Actions that last when their holder goes: they key nothing of ours, and what comes back does not play
against them."""

from collections.abc import Iterable, Mapping
from typing import Any

import bpy
import numpy as np
from bpy.types import Action, Bone, FCurve, Object
from mathutils import Matrix

from ...core.errors import NeuraRigError
from ...core.posing.channels import rotation_path
from ...core.posing.rig_table import ROOT_ROLE
from ..animation import compat
from ..animation.curve_pose import split_path
from ..animation.keyframes import (
    LINEAR,
    REST,
    Channel,
    bone_path,
    closed,
    continuous_rotation,
    write_channels,
)
from . import bakes, ledger, record
from .controls import ours, snapshot
from .controls.probing.bench import bench

READ_NOISE = 2e-6  # evaluated matrices are float32: smaller variation counts as none
UNSCALED = 1e-5  # a parent whose axes are this near to orthonormal has no scale to inherit


def own_matrix(bone: Bone, posed: np.ndarray, holder: np.ndarray | None) -> np.ndarray:
    """Return a bone's own matrices `(n, 4, 4)`, given it and its parent, None for a bone without one, as seen
    in armature space."""
    rest = np.array(bone.matrix_local, dtype=float)
    if holder is None:
        if bone.use_local_location:
            return np.linalg.solve(rest, posed)
    elif (
        bone.use_inherit_rotation
        and bone.use_local_location
        and (bone.inherit_scale == "FULL" or _is_unscaled(holder))
    ):
        return np.linalg.solve(
            holder @ np.linalg.solve(np.array(bone.parent.matrix_local, dtype=float), rest), posed
        )
    return np.array(
        [_by_blender(bone, posed[row], None if holder is None else holder[row]) for row in range(len(posed))]
    )


def _is_unscaled(matrices: np.ndarray) -> bool:
    axes = matrices[:, :3, :3]
    return bool(np.abs(axes.transpose(0, 2, 1) @ axes - np.eye(3)).max() < UNSCALED)


def _by_blender(bone: Bone, posed: np.ndarray, holder: np.ndarray | None) -> Matrix:
    """Return one frame's own matrix under Blender's rarer rules of inheritance."""
    parents = (
        {}
        if holder is None
        else {"parent_matrix": Matrix(holder), "parent_matrix_local": bone.parent.matrix_local}
    )
    return bone.convert_local_to_pose(Matrix(posed), bone.matrix_local, **parents, invert=True)


def own_matrix_channels(obj: Object, basis: Mapping[str, np.ndarray], elsewhere: bool) -> list[Channel]:
    """Return the channels of bones' own matrices; `elsewhere`: a bone without keys rests, else it stays as it
    is posed now."""
    found = []
    for name, matrices in basis.items():
        bone = obj.pose.bones[name]
        scale = np.linalg.norm(matrices[:, :3, :3], axis=1)
        path, turns = continuous_rotation(matrices[:, :3, :3] / scale[:, None], bone.rotation_mode)
        values = {"location": matrices[:, :3, 3], path: turns, "scale": scale}
        for prop, rows in values.items():
            now = np.array(REST[prop] if elsewhere else getattr(bone, prop))
            found.append(
                Channel(bone_path(name, prop), rows, now, name, together=rows.shape[1] == 4, still=READ_NOISE)
            )
    return found


# of actions on our controls: onto bones, the controls stay, nothing moves any more
MOVE, KEEP, LEAVE = FATES = ("MOVE", "KEEP", "LEAVE")
ADVANCE = 1e-3  # of the longest bone: in a loop, a place that goes on by more advances
AWAY = 1e-4  # of a bone's length: a place further off is not on its parent's tail


def on_layer(obj: Object) -> "list[bakes.Acting]":
    """Return a character's actions with keys on the controls that we added: played, on tracks, or only in the
    file; with their slots."""
    bones = ours.found(obj, record.attachment(obj)).bones if record.is_attached(obj) else ()
    paths = tuple(bone_path(bone, "") for bone in bones)
    every = (
        (action, slot)
        for action in bpy.data.actions
        for slot in (action.slots if compat.HAS_SLOTS else (None,))
    )
    keying = [
        each
        for each in every
        if paths and any(curve.data_path.startswith(paths) for curve in compat.find_channels(*each))
    ]
    return [each for each in keying if _is_of(obj, *each)]


def _is_of(obj: Object, action: Action, slot: Any) -> bool:
    """Return whether an action is a character's: by who uses it, else by the name of its slot or its own,
    else by its bones."""
    if users := _users(action):
        return obj in users
    armatures = sorted(
        (other for other in bpy.data.objects if other.type == "ARMATURE"), key=lambda other: len(other.name)
    )
    named = [other for other in armatures if slot is not None and slot.name_display == other.name]
    named = named or [other for other in armatures if action.name.startswith(other.name)][-1:]
    bones = {split_path(curve.data_path)[0] for curve in compat.find_channels(action, slot)} - {""}
    return obj in named if named else bones <= set(obj.pose.bones.keys())


def _users(action: Action) -> list[Object]:
    """Return the objects that play an action or had it baked."""
    return [
        other
        for other in bpy.data.objects
        if any(action == one for one, _ in compat.all_actions(other))
        or any(action == item.action for item in other.neurarig.kept)
    ]


def settle(obj: Object, fate: str) -> tuple[list[str], list[str]]:
    """Make a held character's actions last without its holder; return what became of those on our controls, a
    sentence each, and which of the bones that we disconnected must stay so, for a bake moves them from their
    parents' tails.

    Raises NeuraRigError, with nothing changed, for an action that cannot be moved, or an unknown fate.
    """
    if fate not in FATES:
        raise NeuraRigError(
            f"'{fate}' is not something to do with actions on NeuraRig's controls; choose one of"
            f" {', '.join(FATES)}."
        )
    made, notes = record.attachment(obj), ledger.catch_up(obj)
    dying = on_layer(obj) if fate != KEEP else []
    names = ", ".join(f"'{action.name}'" for action, _ in dying)
    moved = dying if fate == MOVE and made["held"] else []
    if moved:
        _move(obj, made, moved)
        notes.append(
            f"Moved {names} from NeuraRig's controls onto the bones of '{obj.name}', with a key on every"
            " frame."
        )
    elif dying:
        notes.append(
            f"{names} stays in the file, but NeuraRig's controls, which it moves, are gone from '{obj.name}'."
        )
    loose = set()
    for action, slot in dict.fromkeys([*bakes.of(obj), *moved]):
        if len(curves := compat.find_channels(action, slot)):
            loose |= {bone for bone in made["loosened"] if _moves_away(obj, bone, curves)}
            _complete(made, action, slot)
    return notes, sorted(loose)


def _moves_away(obj: Object, bone: str, curves: Iterable[FCurve]) -> bool:
    """Return whether curves move a bone from its parent's tail."""
    places = [curve for curve in curves if curve.data_path == bone_path(bone, "location")]
    off = max((abs(point.co.y) for curve in places for point in curve.keyframe_points), default=0.0)
    return bone in obj.data.bones and off > AWAY * obj.data.bones[bone].length


def _move(obj: Object, made: Mapping[str, Any], actions: "list[bakes.Acting]") -> None:
    """Have actions move the character's own bones in place of our controls."""
    for action, _ in actions:
        if not action.is_editable:
            raise NeuraRigError(
                f"'{action.name}' moves NeuraRig's controls, but is linked from another file. Make it local,"
                " or keep them."
            )
    controls = ours.found(obj, made).bones
    # before any is changed: they may play over one another
    seen = [_seen(obj, made, controls, *each) for each in actions]
    for into, (frames, poses) in zip(actions, seen, strict=True):
        _rewrite(obj, made, controls, into, frames, poses)


def _seen(
    obj: Object,
    made: Mapping[str, Any],
    controls: tuple[str, ...],
    action: Action,
    slot: Any,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the frames of an action `(f,)` and how it poses every bone there `(f, n, 4, 4)`; the user's own
    as it plays over others."""
    at = [point.co.x for curve in compat.find_channels(action, slot) for point in curve.keyframe_points]
    frames = np.union1d(np.arange(np.ceil(min(at)), max(at)), [min(at), max(at)])
    with bench(obj, resting=controls) as copy:
        bakes.set_as_played(obj, None, copy.obj)
        if (root := made["made"]["bones"].get("root")) in controls:
            snapshot.put_motion(copy.obj, root, made["placement"])
        if not ledger.is_bake(action) and (owners := _playing(obj, action)):
            copy.obj.animation_data.use_nla = obj.animation_data.use_nla
            action, slot = compat.playing(obj)
            for owner in owners:  # it holds the whole from now on
                setattr(
                    owner, "action_blend_type" if owner == obj.animation_data else "blend_type", "REPLACE"
                )
        return frames, np.array([each.astype(np.float32) for each in copy.acted(frames, action, slot)])


def _playing(obj: Object, action: Action) -> list[Any]:
    """Return what of a character's animation plays an action: its active one, strips."""
    return [
        owner
        for owner in (obj.animation_data, *compat.strips(obj))
        if owner is not None and owner.action == action
    ]


def _rewrite(
    obj: Object,
    made: Mapping[str, Any],
    controls: tuple[str, ...],
    into: "bakes.Acting",
    frames: np.ndarray,
    poses: np.ndarray,
) -> None:
    """Key the bones that our controls move as they were seen `(f, n, 4, 4)`, in place of the controls."""
    rows = {bone.name: row for row, bone in enumerate(obj.pose.bones)}
    bones = [obj.data.bones[name] for name in made["held"] if name in rows]
    parents = [None if bone.parent is None else poses[:, rows[bone.parent.name]] for bone in bones]
    basis = {
        bone.name: own_matrix(bone, poses[:, rows[bone.name]], at)
        for bone, at in zip(bones, parents, strict=True)
    }
    channels = own_matrix_channels(obj, basis, elsewhere=True)
    curves, groups = compat.ensure_channels(*into)
    paths = tuple(bone_path(bone, "") for bone in controls)
    loop = any(
        modifier.type == "CYCLES"
        for curve in curves
        if curve.data_path.startswith(paths)
        for modifier in curve.modifiers
    )
    if loop:
        channels = [closed(channel, ADVANCE * max(bone.length for bone in bones)) for channel in channels]
    replaced = {channel.path for channel in channels}
    is_shared = _users(into[0]) not in ([], [obj])  # another character's copy of our controls obeys it
    for curve in list(curves):
        if curve.data_path in replaced or (curve.data_path.startswith(paths) and not is_shared):
            curves.remove(curve)
    for group in [group for group in groups if not len(group.channels)]:
        groups.remove(group)
    write_channels(*into, frames, channels, LINEAR, loop)


def _complete(made: Mapping[str, Any], action: Action, slot: Any) -> None:
    """Key once what is given back and would play against an action: constraints muted, and of a bake's bones
    what rests without keys."""
    keyed = {(curve.data_path, curve.array_index) for curve in compat.find_channels(action, slot)}
    channels = [each for each in bakes.muting(made["muted"]) if (each.path, 0) not in keyed]
    roots = {bone for bone, role, *_ in made["drives"] if role == ROOT_ROLE}
    before = dict(made["pose"]) | {
        bone: pose for hand in made["fingers"].values() for bone, pose in hand.items()
    }
    for bone, pose in before.items() if ledger.is_bake(action) else ():
        for prop in ("location", rotation_path(pose["rotation_mode"])) if bone not in roots else ():
            path, rest = bone_path(bone, prop), np.array(REST[prop])
            given = [rest[at] if (path, at) in keyed else value for at, value in enumerate(pose[prop])]
            channels.append(Channel(path, rest[None], np.array(given), bone))
    write_channels(action, slot, np.array([float(action.frame_range[0])]), channels)
