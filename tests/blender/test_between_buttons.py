"""What an animator does between our buttons is theirs, and is there when ours is gone."""

from collections.abc import Callable
from pathlib import Path

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.core.errors import NeuraRigError
from tests import rigs
from tests.blender.retargeting import actor
from tests.blender.situations.characters import FINGER
from tests.blender.situations.edit import edit_bones, pick
from tests.blender.situations.record import differences, recorded, report
from tests.blender.walking import seen, walker

pytestmark = pytest.mark.usefixtures("addon")

OWN = "hours of work"


def animated(name: str = "Hero") -> bpy.types.Object:
    """Return a character with an action of the animator's, as the key `I` makes it: no fake user."""
    obj = rigs.build([*rigs.biped(), FINGER], name)
    for frame in (1, 20):
        obj.pose.bones["Hips"].location.y = 0.01 * frame
        obj.pose.bones["Hips"].keyframe_insert("location", frame=frame)
    obj.animation_data.action.name = OWN
    return obj


def key_finger(obj: bpy.types.Object) -> None:
    """Key what no walk moves."""
    obj.pose.bones[FINGER.name].keyframe_insert("rotation_quaternion", frame=1)


def reopened(tmp_path: Path) -> None:
    """Save the file and open it again: what nobody uses is gone then."""
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "scene.blend"))


def walk(obj: bpy.types.Object) -> Callable[[], list[str]]:
    api.generate_walk(obj, use_network=False)
    return lambda: api.remove_walk(obj)


def link(obj: bpy.types.Object) -> Callable[[], list[str]]:
    source, _ = actor()
    rigs.make_active(obj)
    api.link_retarget(obj, source=source)
    return lambda: api.remove_retarget(obj)


def clip(obj: bpy.types.Object) -> Callable[[], list[str]]:
    source, _ = actor()
    rigs.make_active(obj)
    api.retarget(obj, source=source)
    return lambda: api.remove_retarget(obj)


def pose(obj: bpy.types.Object) -> Callable[[], list[str]]:
    api.pose_targets(obj)
    return lambda: api.remove_targets(obj)


attached_by = pytest.mark.parametrize("attach", [walk, link, clip, pose])


@attached_by
def test_an_action_outlives_a_finger_keyed_meanwhile(attach, tmp_path: Path):
    obj = animated()
    remove = attach(obj)
    key_finger(obj)
    remove()
    reopened(tmp_path)
    assert OWN in bpy.data.actions
    keyed = [curve for action in bpy.data.actions for slot in _slots(action) for curve in compat.find_channels(action, slot)]
    assert any(FINGER.name in curve.data_path for curve in keyed)


def test_an_action_outlives_generate_pressed_again_after_a_finger_was_keyed(tmp_path: Path):
    obj = animated()
    walk(obj)
    key_finger(obj)
    api.generate_walk(obj)
    reopened(tmp_path)
    assert OWN in bpy.data.actions
    api.remove_walk(bpy.data.objects["Hero"])
    reopened(tmp_path)
    assert OWN in bpy.data.actions


def test_an_action_outlives_another_one_chosen_after_a_bake(tmp_path: Path):
    obj = animated()
    remove = walk(obj)
    api.bake_walk(obj, frame_start=1, frame_end=9)
    obj.animation_data.action = bpy.data.actions.new("second")
    obj.pose.bones["Head"].keyframe_insert("location", frame=1)
    remove()
    reopened(tmp_path)
    assert {OWN, "second"} <= set(bpy.data.actions.keys())


@attached_by
def test_an_action_comes_back_though_its_track_was_renamed(attach):
    obj = animated()
    remove = attach(obj)
    own = bpy.data.actions[OWN]
    track = next(track for track in obj.animation_data.nla_tracks if any(strip.action == own for strip in track.strips))
    track.lock = False
    track.name = "Blocking"
    remove()
    assert obj.animation_data.action == own
    assert not len(obj.animation_data.nla_tracks)


@attached_by
def test_a_track_that_made_way_plays_again_though_it_was_renamed(attach):
    obj = animated()
    own, slot = compat.assigned(obj.animation_data)
    track = obj.animation_data.nla_tracks.new()
    compat.assign(track.strips.new("Wave", 1, own), own, slot)
    obj.animation_data.action = None
    remove = attach(obj)
    obj.animation_data.nla_tracks[0].name = "Waving"
    remove()
    assert [(track.name, track.mute) for track in obj.animation_data.nla_tracks] == [("Waving", False)]


def test_a_bake_that_was_chosen_before_generate_is_given_back():
    obj = rigs.build(rigs.biped(), "Hero")
    api.generate_walk(obj, use_network=False, controls="FK")
    baked = api.bake_walk(obj, frame_start=1, frame_end=20)
    api.remove_walk(obj)
    data = obj.animation_data_create()
    compat.assign(data, baked, compat.suitable_slot(baked, obj))
    api.generate_walk(obj, use_network=False, controls="FK")
    api.remove_walk(obj)
    assert obj.animation_data.action == baked


def test_a_track_that_is_called_like_ours_stays():
    obj = rigs.build(rigs.biped(), "Hero")
    api.generate_walk(obj, use_network=False, controls="FK")
    baked = api.bake_walk(obj, frame_start=1, frame_end=20)
    api.remove_walk(obj)
    track = obj.animation_data_create().nla_tracks.new()
    track.name = "NeuraRig Walk, take 3"
    compat.assign(track.strips.new("take", 1, baked), baked, compat.suitable_slot(baked, obj))
    api.generate_walk(obj, use_network=False, controls="FK")
    api.remove_walk(obj)
    assert [(track.name, track.mute) for track in obj.animation_data.nla_tracks] == [("NeuraRig Walk, take 3", False)]


def test_an_empty_track_is_not_muted_by_a_bake():
    obj = rigs.build(rigs.biped(), "Hero")
    obj.animation_data_create().nla_tracks.new().name = "for later"
    remove = walk(obj)
    api.bake_walk(obj, frame_start=1, frame_end=9)
    assert not obj.animation_data.nla_tracks["for later"].mute
    remove()
    assert not obj.animation_data.nla_tracks["for later"].mute


def constrained_like_ours(obj: bpy.types.Object, target: bpy.types.Object) -> None:
    """Give a character constraints of the animator's whose names begin like ours: aimed, with a list of targets, with none."""
    held = obj.pose.bones["LeftHand"].constraints.new("CHILD_OF")
    held.name, held.target, held.subtarget = "NeuraRig prop", target, "Hips"
    several = obj.pose.bones["Neck"].constraints.new("ARMATURE")
    several.name, several.influence = "NeuraRig arm", 0.1
    aimed = several.targets.new()
    aimed.target, aimed.subtarget = target, "Head"
    obj.pose.bones["Head"].constraints.new("LIMIT_ROTATION").name = "NeuraRig limit"
    obj.pose.bones["RightHand"].constraints.new("COPY_LOCATION").name = "NeuraRig Copy"


@pytest.mark.parametrize("controls", ["AUTO", "FK"])
def test_constraints_that_are_called_like_ours_stay(controls: str):
    other = rigs.build(rigs.biped(), "Other")
    obj = rigs.build(rigs.biped(), "Hero")
    constrained_like_ours(obj, other)
    before = recorded()
    api.generate_walk(obj, use_network=False, controls=controls)
    bpy.context.scene.frame_set(9)
    api.remove_walk(obj)
    bpy.context.scene.frame_set(1)
    changed = differences(before, recorded())
    assert not changed, report(changed)


def test_a_constraint_that_is_called_like_ours_aims_where_it_did_after_opening(tmp_path: Path):
    other = rigs.build(rigs.biped(), "Other")
    obj = walker("Hero")
    constrained_like_ours(obj, other)
    reopened(tmp_path)
    obj = bpy.data.objects["Hero"]
    assert obj.pose.bones["LeftHand"].constraints["NeuraRig prop"].target == bpy.data.objects["Other"]
    assert not obj.neurarig.walk.error
    assert abs(seen(obj, 5, ["LeftFoot"]) - seen(obj, 15, ["LeftFoot"])).max() > 0.1


def test_a_constraint_of_ours_goes_under_whatever_name():
    obj = walker("Hero")
    for bone in obj.pose.bones:
        for constraint in bone.constraints:
            constraint.name = f"Lock of {bone.name}"
    api.remove_walk(obj)
    assert not [constraint for bone in obj.pose.bones for constraint in bone.constraints]


def test_bones_made_from_ours_are_the_animators():
    obj = walker("Hero")
    with edit_bones("Hero") as bones:
        pick(bones, "NR-foot.L")
        bpy.ops.armature.duplicate()
        bones.active.name = "duplicated"
        before = {bone.name for bone in bones}
        pick(bones, "NR-foot.L", tail_only=True)
        bpy.ops.armature.extrude()
        next(bone for bone in bones if bone.name not in before).name = "extruded"
        child = bones.new("child")
        child.head, child.tail, child.parent = (0.0, 0.0, 1.0), (0.0, 0.0, 1.2), bones["NR-foot.L"]
    obj.pose.bones["duplicated"].keyframe_insert("location", frame=1)
    api.remove_walk(obj)
    assert {bone.name for bone in obj.data.bones} - {bone.name for bone in rigs.biped()} == {"duplicated", "extruded", "child"}


def test_nothing_dangles_where_our_bones_were_deleted_by_hand():
    obj = walker("Hero")
    with edit_bones("Hero") as bones:
        for bone in [bone for bone in bones if bone.name.startswith("NR")]:
            bones.remove(bone)
    bpy.context.scene.frame_set(9)
    api.remove_walk(obj)
    assert not [constraint.name for bone in obj.pose.bones for constraint in bone.constraints]


@attached_by
def test_a_removal_that_a_hidden_collection_stops_has_changed_nothing(attach):
    obj = animated()
    own = bpy.data.collections.new("Own")
    bpy.context.scene.collection.children.link(own)
    own.objects.link(obj)
    bpy.context.scene.collection.objects.unlink(obj)
    obj.neurarig.retarget.controls = "IK"
    remove = attach(obj)
    hidden = bpy.context.view_layer.layer_collection.children["Own"]
    hidden.hide_viewport = True
    bpy.context.scene.frame_set(9)
    before = recorded()
    try:
        remove()
    except NeuraRigError:
        changed = differences(before, recorded())
        assert not changed, report(changed)
        hidden.hide_viewport = False
        remove()
    assert obj.animation_data.action == bpy.data.actions[OWN]
    assert not [bone.name for bone in obj.data.bones if bone.name.startswith("NR")]


def test_weight_painting_in_a_pose_goes_on_after_generate():
    obj = rigs.build(rigs.biped(), "Hero")
    bpy.ops.mesh.primitive_cube_add()
    skin = bpy.context.object
    skin.modifiers.new("Armature", "ARMATURE").object = obj
    rigs.make_active(obj)
    bpy.ops.object.mode_set(mode="POSE")
    skin.select_set(True)
    bpy.context.view_layer.objects.active = skin
    bpy.ops.object.mode_set(mode="WEIGHT_PAINT")
    bpy.ops.neurarig.generate_walk()
    assert (obj.mode, skin.mode, bpy.context.view_layer.objects.active) == ("POSE", "WEIGHT_PAINT", skin)
    bpy.ops.neurarig.remove_walk()
    assert (obj.mode, skin.mode, bpy.context.view_layer.objects.active) == ("POSE", "WEIGHT_PAINT", skin)


def _slots(action: bpy.types.Action) -> list:
    return list(action.slots) if hasattr(action, "slots") else [None]
