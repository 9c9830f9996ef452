"""What is odd: bones that inherit in part, armatures that hang on others or are shared, poses at rest, bakes that fail half-way."""

from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import patch

import bpy
from mathutils import Matrix

from neurarig_addon.blender import api
from neurarig_addon.blender.character import bakes, standing_pose
from neurarig_addon.blender.character.read_armature import read_skeleton
from neurarig_addon.core.errors import NeuraRigError
from tests.blender.keeping import tweak, with_track
from tests.blender.record.characters import APART, RIGS, hero
from tests.blender.record.clips import short
from tests.blender.record.poses import move
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.rigs import make_active

FRAMES = (1, 9, 20)


def inheriting(seen: Seen) -> None:
    """Bake deforming bones that inherit scale and rotation in part, and one that hangs on no other, as Blender turns them back."""
    obj = hero()
    kinds = ("NONE", "NONE_LEGACY", "ALIGNED", "AVERAGE", "FIX_SHEAR")
    for number, bone in enumerate(obj.data.bones):
        if number % 3 == 1:
            bone.inherit_scale = kinds[number // 3 % len(kinds)]
        if number % 4 == 2:
            bone.use_inherit_rotation = False
        if number % 5 == 3:
            bone.use_local_location = False
        if number % 6 == 4:
            bone.use_deform = False
    obj.data.bones["Hips"].use_local_location = True
    seen.ask(api.generate_walk, obj, use_network=False, mode="TRAVEL", speed=1.2)
    for target in ("DEFORM", "BOTH"):
        seen.ask(api.bake_walk, obj, frame_start=1, frame_end=6, target=target)
        seen.look(1, 4.5)
        obj.neurarig.walk.live = True
    for bone in obj.data.bones:
        bone.use_deform = False
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=6, target="DEFORM")
    seen.ask(api.remove_walk, obj)
    seen.look(1, 4)


def held_by_others(seen: Seen) -> None:
    """Make characters walk that hang on others, on bones and constraints, shared, linked, in collections that are off, and tweaked."""
    obj = RIGS["animated"]()
    scene = bpy.context.scene
    track = with_track(bpy.data.actions["Own"], obj, "Mine")
    tweak(obj, track)
    for call in (api.generate_walk, api.pose_targets):
        seen.ask(call, obj)
    obj.animation_data.use_tweak_mode = False
    seen.ask(api.generate_walk, obj, use_network=False)
    tweak(obj, obj.animation_data.nla_tracks[0])
    for call in (api.remove_walk, partial(api.bake_walk, frame_start=1, frame_end=4), partial(api.retarget, source=obj)):
        seen.ask(getattr(call, "func", call), obj, **getattr(call, "keywords", {}))
    obj.animation_data.use_tweak_mode = False
    seen.look(1)
    seen.ask(api.remove_walk, obj)
    other = obj.copy()
    other.name = "Sharing"
    scene.collection.objects.link(other)
    bpy.context.view_layer.update()
    for call in (api.generate_walk, api.apply_scale):
        seen.ask(call, other)
    seen.look(1)
    bpy.data.objects.remove(other)
    collection = bpy.data.collections.new("Off")
    scene.collection.children.link(collection)
    scene.collection.objects.unlink(obj)
    collection.objects.link(obj)
    seen.ask(api.generate_walk, obj, use_network=False)
    bpy.context.view_layer.layer_collection.children["Off"].exclude = True
    for call in (api.remove_walk, api.generate_walk, api.pose_targets):
        seen.ask(call, obj)
    bpy.context.view_layer.layer_collection.children["Off"].exclude = False
    seen.ask(api.remove_walk, obj)
    make_active(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    for call in (api.apply_scale, api.detect_rig, api.find_controls, api.pose_targets, api.retarget, api.add_path):
        seen.ask(call, obj)
    bpy.ops.object.mode_set(mode="OBJECT")
    leader = RIGS["bones"]()
    leader.name = "Leader"
    for bone, constraint in (("Hips", "COPY_TRANSFORMS"), ("LeftUpLeg", "COPY_ROTATION"), ("RightUpLeg", "CHILD_OF")):
        made = obj.pose.bones[bone].constraints.new(constraint)
        made.target, made.subtarget = leader, bone
    bpy.context.view_layer.update()
    for each in (obj, leader):
        seen.ask(api.generate_walk, each, use_network=False)
        seen.look(1, 9)
        seen.ask(api.remove_walk, each)
    path = str(seen.folder / "linked.blend")
    bpy.data.libraries.write(path, {leader})
    with bpy.data.libraries.load(path, link=True) as (_, wanted):
        wanted.objects = ["Leader"]
    linked_in = wanted.objects[0]
    scene.collection.objects.link(linked_in)
    for call in (api.generate_walk, api.pose_targets, api.apply_scale, api.detect_rig):
        seen.ask(call, linked_in)
    seen.ask(api.retarget, linked_in, source=leader)
    seen.look(1)


def standing(seen: Seen) -> None:
    """Find how characters stand that keys, constraints or drivers pose otherwise than at rest; meshes hung on bones and bent by several."""
    for number, make in enumerate(("bones", "animated")):
        obj = RIGS[make]()
        obj.matrix_world = APART
        bpy.context.view_layer.update()
        for bone in ("LeftUpLeg", "RightUpLeg", "LeftArm"):
            obj.pose.bones[bone].rotation_quaternion = (0.95, 0.1 + 0.05 * number, 0.0, 0.1)
            obj.pose.bones[bone].keyframe_insert("rotation_quaternion", frame=3)
        if number:
            obj.pose.bones["Head"].constraints.new("LIMIT_ROTATION")
        bpy.context.view_layer.update()
        scene, skeleton = bpy.context.scene, read_skeleton(obj, bpy.context.scene)
        for one in (standing_pose._poses(obj, scene, skeleton), standing_pose._seen(obj, skeleton)):
            seen.note("stands", one)
        data = bpy.data.meshes.new("Shoe")
        data.from_pydata([(0.1, -0.2, 0.0), (0.12, 0.1, 0.0), (0.08, 0.0, 0.1)], [], [(0, 1, 2)])
        shoe = bpy.data.objects.new("Shoe", data)
        bpy.context.scene.collection.objects.link(shoe)
        shoe.parent, shoe.parent_type, shoe.parent_bone = obj, "BONE", "LeftFoot"
        shoe.matrix_parent_inverse = (
            obj.matrix_world @ obj.pose.bones["LeftFoot"].matrix @ Matrix.Translation((0.0, obj.data.bones["LeftFoot"].length, 0.0))
        ).inverted()
        bpy.context.view_layer.update()
        make_active(shoe)
        seen.press("generate_walk")
        seen.look(*FRAMES)
        make_active(obj)
        seen.press("remove_walk")
        bpy.data.objects.remove(shoe)
        bpy.data.objects.remove(obj)
        bpy.context.view_layer.update()


def half_done(make: str, seen: Seen) -> None:
    """Let bakes fail after the new action plays: all that was played, posed and muted comes back."""
    source, action = short()
    obj = RIGS[make]()
    make_active(obj)
    take_over, deletes = bakes.take_over, []

    def failing(*given: Any) -> None:
        take_over(*given)
        data = obj.animation_data
        data.nla_tracks.new().name = "Stray"
        data.use_nla = not data.use_nla
        obj.pose.bones[0].location.x += 0.3
        for bone in obj.pose.bones:
            for constraint in bone.constraints:
                constraint.mute = not constraint.mute
        if deletes:
            bpy.data.objects.remove(obj)
        raise NeuraRigError("It cannot be.")

    def fail(name: str, call: Callable[..., Any], **given: Any) -> None:
        with patch.object(bakes, "take_over", failing):
            seen.ask(call, obj, **given)
        if not deletes:
            seen.look(1, 5)
        seen.note(name, sorted(each.name for each in bpy.data.actions))

    fail("clip", api.retarget, source=source, action=action)
    seen.ask(api.generate_walk, obj, use_network=False)
    for keys in ("EDITABLE", "DENSE"):
        fail(keys, api.bake_walk, frame_start=1, frame_end=6, keys=keys)
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=6)
    fail("again", api.rebake_walk)
    fail("over a bake", api.bake_walk, frame_start=1, frame_end=6)
    seen.ask(api.remove_walk, obj)
    seen.ask(api.pose_targets, obj)
    fail("pose", api.key_pose)
    fail("range", api.solve_range, frame_start=1, frame_end=3)
    seen.ask(api.remove_targets, obj)
    seen.look(1)
    seen.ask(api.generate_walk, obj, use_network=False)
    deletes.append(True)
    fail("deleted", api.bake_walk, frame_start=1, frame_end=6)


def dragged(make: str, seen: Seen) -> None:
    """Drag targets of a trunk that bends unlike people's, pull them out of reach, and lock them."""
    obj = RIGS[make]()
    make_active(obj)
    seen.ask(api.pose_targets, obj, "MAIN")
    own = obj.neurarig.neural_pose
    for share in (0.5, -1.0, 4.0):
        move(obj, share)
        seen.look(1)
    for item in own.targets:
        item.lock = True
    move(obj, -2.0)
    seen.look(1)
    for item in own.targets:
        item.lock, item.weight = item.point == "head", 0.5
    move(obj, 1.0)
    seen.look(1)


def _fk(make: str, seen: Seen) -> None:
    obj = RIGS[make]()
    for call, given, off in (
        (api.generate_walk, {"use_network": False, "mode": "TRAVEL"}, api.remove_walk),
        (api.pose_targets, {}, api.remove_targets),
    ):
        seen.ask(call, obj, controls="FK", **given)
        seen.look(1, 9)
        seen.ask(off, obj)
        seen.look(1)


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {
        "inheriting": inheriting,
        "held by others": held_by_others,
        "standing": standing,
        **{f"half done on {make}": partial(half_done, make) for make in ("animated", "leg ik")},
        "dragged on drawn 3": partial(dragged, "drawn 3"),
        **{f"fk on {make}": partial(_fk, make) for make in ("rigify", "metarig", "drawn 8")},
    }
