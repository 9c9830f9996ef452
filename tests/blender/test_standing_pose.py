"""Rest poses that do not stand: the character stands up, or stands as in a pose of its own, and walks as if
it had always stood."""

import json
from collections.abc import Callable
from dataclasses import replace

import bpy
import numpy as np
import pytest
from mathutils import Vector
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.character import record
from neurarig_addon.blender.character.roles import role_map
from tests.blender.resting import BONES, broken, gaps, lying, posed_as, sitting, turned
from tests.blender.retargeting import FIRST, LAST, actor
from tests.blender.walking import played, state_of
from tests.refusals import refuses
from tests.rigs import Bone, biped, build, fbx_matrix, make_active, renamed

FRAMES = (1, 9, 17, 24)


def expected(**settings: object) -> np.ndarray:
    """Return what is seen of the human that stands at rest, its bones turned as those of one that does
    not."""
    obj = build(biped(), "Upright")
    api.generate_walk(obj, controls="FK", **settings)
    return played(obj, FRAMES, BONES)


LYING: dict[str, Callable[[], bpy.types.Object]] = {
    "on its back": lambda: build(lying("X", 90.0), "Hero"),
    "on its face": lambda: build(lying("X", -90.0), "Hero"),
    "on its side": lambda: build(lying("Y", 90.0), "Hero"),
    "upside down": lambda: build(lying("X", 180.0), "Hero"),
    "askew": lambda: build(lying("X", 70.0), "Hero"),
    "in centimetres": lambda: build(lying("X", 90.0), "Hero", fbx_matrix()),
}


@pytest.mark.few(2)
@pytest.mark.parametrize("case", LYING)
def test_who_lies_gets_up_and_walks_like_who_stands(case: str) -> None:
    upright = expected()
    obj = LYING[case]()
    report = api.generate_walk(obj)
    seen = played(obj, FRAMES, BONES)
    assert_allclose(gaps(seen), gaps(upright), atol=2e-4)
    heights = seen[:, :, 0, 2] - upright[:, :, 0, 2]
    assert np.ptp(heights) < 3e-4, "it stands as upright, on level ground"
    assert report["past_limits"] == [] and max(side["max"] for side in report["slip_mm"].values()) < 0.05


@pytest.mark.parametrize("table", [sitting, broken], ids=["sitting", "broken"])
def test_who_is_posed_standing_walks_so_and_is_posed_so_afterwards(table: Callable[[], list[Bone]]) -> None:
    upright = expected()
    obj = build(table(), "Hero")
    posed_as(obj, biped())
    before = [bone.matrix_basis.copy() for bone in obj.pose.bones]
    api.generate_walk(obj)
    assert_allclose(gaps(played(obj, FRAMES, BONES)), gaps(upright), atol=1e-3)
    api.generate_walk(obj)
    assert_allclose(gaps(played(obj, FRAMES, BONES)), gaps(upright), atol=1e-3)
    api.remove_walk(obj)
    assert [bone.matrix_basis for bone in obj.pose.bones] == before


@pytest.mark.parametrize("degrees", [-25.0, 40.0])
def test_bones_between_pelvis_and_thighs_turned_at_rest_are_no_obstacle(degrees: float) -> None:
    """They have no role, so they rest in a walk, while the pose in which the character stands turns them."""
    joints = ("LeftHipJoint", "RightHipJoint")
    table = []
    for bone in biped():
        if bone.name in ("LeftUpLeg", "RightUpLeg"):
            joint = joints[bone.name == "RightUpLeg"]
            table.append(Bone(joint, "Hips", (0.0, 0.0, 0.95), bone.head))
            bone = replace(bone, parent=joint)
        table.append(bone)
    obj = build(
        turned(turned(table, joints, "X", degrees), ("LeftUpLeg", "RightUpLeg"), "X", 2.0 * degrees), "Hero"
    )
    posed_as(obj, table)
    report = api.generate_walk(obj)
    assert record.attachment(obj)["stands"] and report["past_limits"] == []
    assert max(side["max"] for side in report["slip_mm"].values()) < 0.05 and report["penetration_mm"] < 0.05


def test_who_sits_is_refused_until_its_legs_are_assigned_and_then_stands_up() -> None:
    upright = expected()
    roles = role_map(bpy.data.objects["Upright"])
    obj = build(sitting(), "Hero")
    before = state_of(obj)
    with refuses("Rig > Bones"):
        api.generate_walk(obj)
    assert state_of(obj) == before
    assert bpy.ops.neurarig.list_roles() == {"FINISHED"}
    assert role_map(obj) == roles, "its bones have telling names"
    api.generate_walk(obj)
    assert_allclose(gaps(played(obj, FRAMES, BONES)), gaps(upright), atol=0.02)


def test_without_telling_names_all_roles_are_listed_to_be_chosen_and_what_is_set_stays() -> None:
    obj = build(renamed(sitting()), "Hero")
    assert api.list_roles(obj).bones == {}
    row = next(item for item in obj.neurarig.roles if item.role == "thigh.L")
    row.bone = "b07"
    assert api.list_roles(obj).bones == {"thigh.L": "b07"}
    assert len(obj.neurarig.roles) > 20


FOLDED = {
    "kneeling": lambda: turned(biped(), ("LeftLeg", "RightLeg"), "X", 90.0),
    "one leg up": lambda: turned(turned(biped(), ("LeftUpLeg",), "X", -60.0), ("LeftLeg",), "X", 80.0),
    "crouched": lambda: turned(
        turned(biped(), ("LeftUpLeg", "RightUpLeg"), "X", -50.0), ("LeftLeg", "RightLeg"), "X", 100.0
    ),
    "in mid-stride": lambda: turned(turned(biped(), ("LeftUpLeg",), "X", -30.0), ("RightUpLeg",), "X", 30.0),
}


@pytest.mark.parametrize("case", FOLDED)
def test_who_is_folded_at_rest_stands_up_to_walk_and_to_take_a_clip(case: str) -> None:
    """No pose of its own stands; names say which bones the legs are."""
    upright = expected()
    obj = build(FOLDED[case](), "Hero")
    before = state_of(obj)
    report = api.generate_walk(obj)
    assert_allclose(gaps(played(obj, FRAMES, BONES)), gaps(upright), atol=0.02)
    assert report["past_limits"] == [] and max(side["max"] for side in report["slip_mm"].values()) < 0.05
    assert np.abs(played(obj, FRAMES, ["LeftFoot"])[..., 2]).max() < 0.3, (
        "it stands on the ground of its origin"
    )
    assert api.remove_walk(obj) == []
    assert state_of(obj)["pose"] == before["pose"] and state_of(obj)["bones"] == before["bones"]
    source, _ = actor()
    make_active(obj)
    api.link_retarget(obj, source=source)
    bpy.context.scene.frame_set(20)
    hips, foot = (obj.pose.bones[name].head.z for name in ("Hips", "LeftFoot"))
    assert hips - foot > 0.7


def test_of_an_action_the_frame_counts_in_which_the_character_stands() -> None:
    """It sits but on one frame, which is not the one that is shown."""
    upright = expected()
    obj = build(sitting(), "Hero")
    for frame, table in ((1, sitting()), (30, biped()), (60, sitting())):
        posed_as(obj, table)
        for bone in obj.pose.bones:
            bone.keyframe_insert("rotation_quaternion", frame=frame)
            bone.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(30)
    api.detect_rig(obj)  # which needs to see it stand
    bpy.context.scene.frame_set(1)
    api.generate_walk(obj)
    assert_allclose(gaps(played(obj, FRAMES, BONES)), gaps(upright), atol=2e-4)


def test_a_clip_of_who_lies_is_the_clip_of_who_stands() -> None:
    seen = []
    for table in (biped(), lying("X", 90.0)):
        source = build(table, "Source")
        make_active(source)
        api.generate_walk(source, controls="FK", use_network=False)
        action = api.bake_walk(source, frame_start=FIRST, frame_end=LAST, target="DEFORM")
        api.remove_walk(source)
        data = source.animation_data or source.animation_data_create()
        compat.assign(data, action, compat.suitable_slot(action, source))
        obj = build(biped(), "Target")
        make_active(obj)
        api.retarget(obj, source=source, controls="FK")
        seen.append(gaps(played(obj, range(FIRST, LAST, 9), BONES)))
    assert_allclose(seen[1], seen[0], atol=1e-3)


def test_targets_leave_who_lies_as_it_is_and_a_dragged_one_is_reached() -> None:
    obj = build(lying("X", 90.0), "Hero")
    bpy.context.view_layer.update()
    before = played(obj, (1,), BONES)
    api.pose_targets(obj)
    assert_allclose(played(obj, (1,), BONES), before, atol=1e-3)
    wrist = next(item.object for item in obj.neurarig.neural_pose.targets if item.point == "wrist.L")
    wrist.location = wrist.location + Vector((-0.1, 0.05, 0.2))
    bpy.context.view_layer.update()
    hand = played(obj, (1,), ["LeftHand"])[0, 0, 0]
    assert_allclose(hand, wrist.matrix_world.translation, atol=1e-3)


def test_a_bake_shows_what_was_live_and_the_file_keeps_how_the_character_stands(tmp_path) -> None:
    obj = build(lying("X", 90.0), "Hero")
    before = state_of(obj)
    api.generate_walk(obj)
    live = played(obj, FRAMES, BONES)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "lying.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "lying.blend"))
    obj = bpy.data.objects["Hero"]
    assert_allclose(played(obj, FRAMES, BONES), live, atol=1e-5)
    api.bake_walk(obj, frame_start=1, frame_end=30)
    assert_allclose(played(obj, FRAMES, BONES), live, atol=2e-5)
    api.remove_walk(obj)
    after = state_of(obj)
    assert {key: after[key] for key in ("bones", "constraints", "pose", "place", "attachment")} == {
        key: before[key] for key in ("bones", "constraints", "pose", "place", "attachment")
    }


def test_the_panel_says_why_bones_are_turned() -> None:
    obj = build(lying("X", 90.0), "Hero")
    api.generate_walk(obj)
    assert record.attachment(obj)["why"].startswith("Its rest pose is not a standing pose")
    assert record.kind_of(obj) == "FK"


def test_a_damaged_note_of_how_it_stands_is_refused() -> None:
    obj = build(lying("X", 90.0), "Hero")
    api.generate_walk(obj)
    made = json.loads(obj.neurarig.attachment)
    made["stands"]["pelvis"] = [1.0, "x"]
    obj.neurarig.attachment = json.dumps(made)
    with refuses("damaged"):
        record.checked(obj)
