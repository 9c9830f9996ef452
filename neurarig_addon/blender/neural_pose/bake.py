"""One pose, or many, to keyframes; the user's own actions are never touched."""

from collections.abc import Iterator

import bpy
import numpy as np

from ...core.posing.channels import Channels, rotation_path
from ...core.posing.rig_table import ROOT_ROLE, RigTable
from ..animation import compat
from ..animation.evaluated_pose import same_frame_after, show
from ..animation.keyframes import Channel, bone_channels, bone_path, fresh_action, write_channels
from ..animation.steps import Steps
from ..character import bakes, controls, integrity, ledger, record
from ..character.own_animation import carry_over, own_channels
from ..character.read_character import read_character
from .follower import Follower, WantedPoints

NEVER_AT_REST = np.inf  # for a channel that is keyed even if it does not move


def key_pose(
    obj: bpy.types.Object, table: RigTable, frame: float, kind: str = "KEYFRAME"
) -> bpy.types.Action:
    """Key what a pose moves, as it is now, on a frame of the action of ours that the character plays, or of a
    new one.

    `kind`: the key type, 'KEYFRAME', 'BREAKDOWN' or another of Blender's.
    """
    action, slot = compat.playing(obj)
    if action is None or not ledger.is_ours(obj, action):
        with bakes.fresh(obj, f"{obj.name} Pose") as (action, slot):
            bakes.mark(action)
            carry_over(obj, action, slot)
            bakes.take_over(obj, action, slot)
    for bone, prop in _properties(obj, table):
        obj.pose.bones[bone].keyframe_insert(prop, frame=frame, group=bone, keytype=kind)
    for path, value in controls.switches(record.attachment(obj)):
        _key_switch(action, slot, path, frame, float(value))
    return action


def asset(obj: bpy.types.Object, table: RigTable, name: str) -> bpy.types.Action:
    """Return a new pose asset: an action of one frame that holds what a pose moves, as it is now."""
    channels = []
    for bone, prop in _properties(obj, table):
        values = np.array(getattr(obj.pose.bones[bone], prop), dtype=float)[None]
        channels.append(Channel(bone_path(bone, prop), values, np.full(values.shape[1], NEVER_AT_REST), bone))
    with fresh_action(name, obj) as (action, slot):
        write_channels(action, slot, np.array([1.0]), channels)
        action.use_frame_range = True
        action.frame_start = action.frame_end = 1.0
        action.asset_mark()
    return action


def _key_switch(action: bpy.types.Action, slot: object, path: str, frame: float, value: float) -> None:
    """Key a switch wherever it is: `keyframe_insert` refuses those on the armature's data."""
    curves, groups = compat.ensure_channels(action, slot)
    curve = curves.find(path)
    if curve is None:
        curve = curves.new(path)
        curve.group = groups.get("Switches") or groups.new("Switches")
    curve.keyframe_points.insert(frame, value)


def read_frames_steps(
    obj: bpy.types.Object, follower: Follower, frames: np.ndarray
) -> Steps[list[WantedPoints]]:
    """Return what the targets want at frames of keys `(f,)`; the scene's frame is restored."""
    scene = bpy.context.scene
    found = []
    with same_frame_after(scene):
        for row, frame in enumerate(frames):
            show(scene, frame)
            found.append(follower.wanted(obj, scene, bpy.context.evaluated_depsgraph_get()))
            yield (row + 1) / len(frames)
    return found


def write_steps(
    obj: bpy.types.Object, name: str, frames: np.ndarray, channels: Channels
) -> Steps[bpy.types.Action]:
    """Write solved frames to a new action, one key per frame, have the character play it, and return it;
    yields the share done.

    If interrupted, closed early, or if the character comes apart, no action is left, and the character plays
    what it did.
    """
    scene = bpy.context.scene
    with bakes.fresh(obj, name) as (action, slot):
        write_channels(
            action, slot, frames, bone_channels(channels) + bakes.switches(obj) + own_channels(obj, frames)
        )
        carry_over(obj, action, slot)
        bakes.mark(action, frames)
        obj.neurarig.neural_pose.live = False
        bakes.take_over(obj, action, slot)
        yield from integrity.require_steps(obj, scene, read_character(obj, scene).roles, frames)
    return action


def _properties(obj: bpy.types.Object, table: RigTable) -> Iterator[tuple[str, str]]:
    """Yield (bone, property) for all that a pose writes."""
    for drive in table.drives:
        bone = obj.pose.bones[table.bones[drive.bone].name]
        if drive.role != ROOT_ROLE:
            yield from ((bone.name, "location") for _ in range(drive.use_location))
            yield from ((bone.name, rotation_path(bone.rotation_mode)) for _ in range(drive.use_rotation))
