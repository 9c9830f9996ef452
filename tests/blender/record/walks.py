"""Walks on every rig: made, looked at, paused, resumed, checked, removed; modes, gaits and controls."""

from functools import partial
from typing import Any

import bpy

from neurarig_addon.blender import api
from tests.blender.record.characters import RIGS, hero, walker
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen

GAITS: dict[str, dict[str, Any]] = {
    "natural": {"use_network": True, "mode": "TRAVEL"},
    "in place": {"mode": "IN_PLACE", "speed": 0.8},
    "run": {"gait": "RUN", "mode": "TRAVEL"},
    "by speed": {"gait": "BY_SPEED", "mode": "TRAVEL", "speed": 2.1},
    "skip": {"gait": "SKIP", "mode": "TRAVEL"},
    "gallop": {"gait": "GALLOP", "lead": "LEFT", "mode": "TRAVEL"},
    "hop": {"gait": "HOP", "hop_on": "RIGHT", "mode": "TRAVEL"},
    "hop on both": {"gait": "HOP", "hop_on": "BOTH", "mode": "TRAVEL"},
    "root bone": {"mode": "TRAVEL", "travel_with": "BONE"},
    "backward": {"mode": "TRAVEL", "facing": 180.0},
    "odd frames": {"mode": "TRAVEL", "whole_frames": False, "start_frame": 3.5, "phase": 0.3},
    "fk": {"controls": "FK", "mode": "TRAVEL"},
    "stands": {"mode": "TRAVEL", "speed": 0.0, "idle": 1.0},
    "preset": {"preset": "Heavy", "mode": "TRAVEL"},
    "profile": {"profile": "Plain Biped", "mode": "TRAVEL"},
    "another take": {"variation": 1.0, "variation_seed": 5, "individual": 1.0, "person_seed": 7, "mode": "TRAVEL"},
}


def whole(make: str, seen: Seen, **settings: Any) -> None:
    """Make a character walk, look at it, and take the walk off."""
    obj = RIGS[make]()
    seen.ask(api.generate_walk, obj, **{"use_network": False, "mode": "TRAVEL", **settings})
    seen.look(1, 4, 9.5, 17, 40)
    seen.ask(api.remove_walk, obj)
    seen.look(1, 9)


def one(seen: Seen, **settings: Any) -> None:
    """Make bones walk and look at them."""
    obj = hero()
    report = seen.ask(api.generate_walk, obj, **{"use_network": False, **settings})
    seen.note("summary", seen.ask(api.summary, obj, report) if report else "")
    seen.look(-20, 1, 5, 12.25, 30, 77)


def paused(seen: Seen) -> None:
    """Turn a walk off and on, over a moved pose."""
    obj = walker("animated")
    obj.neurarig.walk.live = False
    bpy.context.scene.frame_set(9)
    obj.pose.bones["Hips"].location.x = 0.2
    seen.look()
    seen.ask(api.resume_walk, obj)
    seen.look()
    obj.neurarig.walk.live = False
    seen.ask(api.generate_walk, obj, speed=0.9)
    seen.look()
    seen.press("check_contacts", frame_start=3, frame_end=20)
    obj.neurarig.walk.speed = 1.0
    seen.look()
    seen.ask(api.save_report, obj, seen.folder / "report.json")
    seen.note("report", (seen.folder / "report.json").read_text())
    seen.press("remove_walk")
    seen.look()


def stopped(seen: Seen) -> None:
    """Delete a bone of a walking character, try all that can be tried, and bring it back."""
    obj = walker("animated")
    bpy.ops.object.mode_set(mode="EDIT")
    bone = obj.data.edit_bones["LeftLeg"]
    head, tail, roll, parent = bone.head.copy(), bone.tail.copy(), bone.roll, bone.parent.name
    children = [child.name for child in bone.children]
    obj.data.edit_bones.remove(bone)
    seen.look()
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.scene.frame_set(3)
    seen.look()
    seen.ask(api.resume_walk, obj)
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=5)
    seen.ask(api.contact_report, obj)
    bpy.ops.object.mode_set(mode="EDIT")
    bone = obj.data.edit_bones.new("LeftLeg")
    bone.head, bone.tail, bone.roll, bone.parent = head, tail, roll, obj.data.edit_bones[parent]
    for child in children:
        obj.data.edit_bones[child].parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    seen.ask(api.resume_walk, obj)
    seen.look()
    seen.ask(api.remove_walk, obj)
    seen.look()


def renamed(seen: Seen) -> None:
    """Rename bones of a walking character, in Object Mode and in Edit Mode, add some and move the armature."""
    obj = walker("animated")
    obj.data.bones["LeftUpLeg"].name = "Thigh on the left"
    obj.data.bones["Head"].name = "Top"
    seen.look()
    bpy.ops.object.mode_set(mode="EDIT")
    obj.data.edit_bones["RightFoot"].name = "Other foot"
    extra = obj.data.edit_bones.new("Tail")
    extra.head, extra.tail = (0.0, 0.1, 1.0), (0.0, 0.4, 1.0)
    extra.parent = obj.data.edit_bones["Hips"]
    bpy.ops.object.mode_set(mode="OBJECT")
    obj.location.x += 0.5
    obj.rotation_euler.z = 0.4
    seen.look()
    seen.ask(api.remove_walk, obj)
    seen.look()


def reopened(seen: Seen) -> None:
    """Save, open, undo and copy a walking character."""
    walker("animated")
    path = str(seen.folder / "a.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    seen.look()
    obj = bpy.data.objects["Hero"]
    for other in bpy.context.view_layer.objects:
        other.select_set(other == obj)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.duplicate()
    copy = bpy.context.object
    copy.location.x += 1.0
    copy.neurarig.walk.speed = 0.7
    seen.look()
    seen.ask(api.remove_walk, copy)
    seen.look()
    bpy.data.libraries.write(str(seen.folder / "b.blend"), {bpy.data.objects["Hero"]})
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(seen.folder / "b.blend")) as (_, wanted):
        wanted.objects = ["Hero"]
    bpy.context.scene.collection.objects.link(wanted.objects[0])
    bpy.context.view_layer.update()
    seen.look()


def scenes(seen: Seen) -> None:
    """Change frame rates, units and the scene's own scale under a walk."""
    obj = walker()
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = 30, 1.001
    seen.look()
    scene.unit_settings.scale_length = 0.01
    seen.look()
    scene.unit_settings.scale_length = 1.0
    obj.scale = (2.0, 2.0, 2.0)
    seen.look()
    seen.note("odd", api.odd_size(obj))
    obj.scale = (20.0, 20.0, 20.0)
    seen.ask(api.generate_walk, obj)
    seen.note("odd", api.odd_size(obj))
    obj.scale = (0.02, 0.02, 0.02)
    seen.ask(api.generate_walk, obj)
    seen.note("odd", api.odd_size(obj))
    obj.scale = (1.0, 1.0, 1.5)
    seen.ask(api.generate_walk, obj)
    seen.look()
    seen.ask(api.apply_scale, obj)
    seen.look()


def carried(seen: Seen) -> None:
    """Parent a walking character, key its place and scale, and copy it by constraint."""
    obj = walker("animated")
    ship = bpy.data.objects.new("Ship", None)
    bpy.context.scene.collection.objects.link(ship)
    obj.parent = ship
    for frame, x in ((1, 0.0), (30, 2.0)):
        ship.location.x, ship.rotation_euler.z = x, 0.1 * x
        ship.keyframe_insert("location", frame=frame)
        ship.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_set(1)
    seen.look(1, 10, 25)
    for frame, size in ((1, 1.0), (30, 1.3)):
        obj.scale = (size, size, size)
        obj.keyframe_insert("scale", frame=frame)
    seen.look(1, 10, 25)
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=12)
    seen.look(1, 10)
    seen.ask(api.remove_walk, obj)
    seen.look(1, 10)


def refused(seen: Seen) -> None:
    """Ask for walks that cannot be."""
    obj = hero()
    for settings in (
        {"mode": "FLY"},
        {"speed": float("nan")},
        {"wings": 2},
        {"preset": "Nobody's"},
        {"profile": "nothing.json"},
        {"prints": "none.json"},
        {"styles": {"Nobody's": 1.0}},
        {"mode": "PATH"},
        {"controls": "HANDS"},
        {"speed": 200.0},
        {"markers": [{"distance": "far"}]},
        {"styles": {"Sad": "much"}},
        {"ground": 5},
        {"path": obj},
        {"start_frame": 1e9},
        {"gait": "SKIP", "profile": "Plain Biped"},
        {"markers": [{"place": obj}]},
        {"markers": [{}]},
        {"markers": 3},
        {"styles": {f"s{n}": 1.0 for n in range(9)}},
        {"arrive": "soon"},
    ):
        seen.ask(api.generate_walk, obj, **settings)
    seen.look()
    for call in (api.resume_walk, api.remove_walk, api.bake_walk, api.contact_report, api.rebake_walk, api.reduce_keys, api.take_prints):
        seen.ask(call, obj)
    seen.ask(api.save_report, obj, seen.folder / "r.json")
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(camera)
    seen.ask(api.generate_walk, camera)
    obj.hide_set(True)
    seen.ask(api.generate_walk, obj)
    obj.hide_set(False)
    obj.data.pose_position = "REST"
    seen.ask(api.generate_walk, obj)
    obj.data.pose_position = "POSE"
    bpy.ops.object.mode_set(mode="EDIT")
    seen.ask(api.generate_walk, obj)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.scene.collection.objects.unlink(obj)
    seen.ask(api.generate_walk, obj)
    seen.look()


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    others = {"paused": paused, "stopped": stopped, "renamed": renamed, "reopened": reopened, "scenes": scenes, "carried": carried}
    return {
        **{f"on {make}": partial(whole, make) for make in RIGS},
        **{f"fk on {make}": partial(whole, make, controls="FK") for make in ("leg ik",)},
        **{f"root bone of {make}": partial(whole, make, travel_with="BONE") for make in ("metarig",)},
        **{name: partial(one, **settings) for name, settings in GAITS.items()},
        **others,
        "refused": refused,
    }
