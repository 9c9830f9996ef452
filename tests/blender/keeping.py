"""Characters with animation of their own, and the three ways in which they can be held."""

from pathlib import Path

import bpy

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from tests.blender import walking
from tests.blender.retargeting import actor
from tests.rigs import Bone, biped, build, make_active

FINGER = Bone("LeftFinger", "LeftHand", (0.88, 0.015, 1.42), (0.95, 0.015, 1.42))


def animated(*more: Bone) -> bpy.types.Object:
    """Return a character with an action of its own, which nothing but the character keeps in the file."""
    obj = build([*biped(), *more], "Hero")
    obj.pose.bones["Hips"].keyframe_insert("location", frame=1)
    obj.animation_data.action.name = "Hours of Work"
    return obj


def with_track(action: bpy.types.Action, obj: bpy.types.Object, name: str) -> bpy.types.NlaTrack:
    """Return a new NLA track that plays an action."""
    data = obj.animation_data or obj.animation_data_create()
    track = data.nla_tracks.new()
    track.name = name
    compat.assign(track.strips.new("strip", 1, action), action, action.slots[0] if compat.HAS_SLOTS else None)
    return track


def tweak(obj: bpy.types.Object, track: bpy.types.NlaTrack) -> None:
    """Enter tweak mode on the first strip of a track."""
    track.lock = False
    obj.animation_data.nla_tracks.active = track
    track.select = track.strips[0].select = True
    obj.animation_data.use_tweak_mode = True
    assert obj.animation_data.use_tweak_mode


def reopened(tmp_path: Path) -> bpy.types.Object:
    path = str(tmp_path / "a.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    return bpy.data.objects["Hero"]


def walk(obj: bpy.types.Object) -> None:
    walking.walk(obj, use_network=False)


def link(obj: bpy.types.Object) -> None:
    source, _ = actor()
    make_active(obj)
    api.link_retarget(obj, source=source)


def pose(obj: bpy.types.Object) -> None:
    api.pose_targets(obj)


WAYS = {
    "walk": (walk, api.remove_walk),
    "clip": (link, api.remove_retarget),
    "pose": (pose, api.remove_targets),
}
