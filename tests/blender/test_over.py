"""Targets over a walk or a clip: hands on things while the legs go on, live, in bakes, and gone without a
trace."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.character import record
from neurarig_addon.blender.over import taker
from tests.blender.reaching import SITUATIONS, misses, place_of, target_of, thing
from tests.blender.retargeting import actor, hero
from tests.blender.walking import deform_bones, played, seen, state_of, walker
from tests.refusals import refuses
from tests.rigs import rigify_human

MILLIMETRE = 1e-3
LEGS = ("LeftFoot", "RightFoot", "LeftToeBase", "RightToeBase", "Hips")
CARRIERS = {
    "in place": {},
    "object": {"mode": "TRAVEL", "travel_with": "OBJECT"},
    "bone": {"mode": "TRAVEL", "travel_with": "BONE"},
}


def reach(obj: bpy.types.Object, by: tuple[float, float, float] = (-0.25, -0.35, 0.35)) -> bpy.types.Object:
    """Give a left hand a target and drag it."""
    api.pose_targets(obj, ["wrist.L"])
    empty = target_of(obj, "wrist.L")
    empty.location = np.array(empty.location) + by
    bpy.context.view_layer.update()
    return empty


@pytest.mark.parametrize("carrier", CARRIERS)
def test_a_hand_follows_its_target_and_the_legs_walk_on(carrier: str) -> None:
    obj = walker(**CARRIERS[carrier])
    before = played(obj, (1, 8, 17.5, 30), LEGS)
    bpy.context.scene.frame_set(5)
    reach(obj)
    assert max(misses(obj).values()) < 0.01 * MILLIMETRE
    assert np.array_equal(played(obj, (1, 8, 17.5, 30), LEGS), before)
    for frame in (30, 2, 17.5):
        seen(obj, frame)
        assert max(misses(obj).values()) < 0.01 * MILLIMETRE


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("build", [walker, lambda **given: _rigify(**given)], ids=["plain", "rigify"])
def test_things_are_held_over_a_walk(build, situation: str) -> None:
    obj = build(mode="TRAVEL")
    bpy.context.scene.frame_set(5)
    SITUATIONS[situation](obj)
    worst = 0.0
    for frame in range(1, 26, 3):
        bpy.context.scene.frame_set(frame)
        worst = max(worst, *misses(obj).values(), 0.0)
    assert worst < 0.1 * MILLIMETRE and not obj.neurarig.walk.error and not taker.missed(obj)
    report = api.contact_report(obj, (1, 25))
    assert max(side["max"] for side in report["slip_mm"].values()) < 0.5


def _rigify(**settings: object) -> bpy.types.Object:
    obj = rigify_human()
    api.generate_walk(obj, use_network=False, **settings)
    return obj


@pytest.mark.few(2)
@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("target", ["CONTROLS", "DEFORM"])
def test_a_bake_is_what_was_live(carrier: str, target: str) -> None:
    obj = walker(**CARRIERS[carrier])
    empty = reach(obj)
    empty.keyframe_insert("location", frame=1)
    empty.location.z += 0.2
    empty.keyframe_insert("location", frame=20)
    live = played(obj, range(1, 21, 4))
    api.bake_walk(obj, frame_start=1, frame_end=20, target=target)
    names = [bone.name for bone in obj.pose.bones if not bone.name.startswith("NR-")]
    rows = [row for row, bone in enumerate(obj.pose.bones) if bone.name in names]
    assert np.abs(played(obj, range(1, 21, 4))[:, rows] - live[:, rows]).max() < 1e-5
    with refuses(r"'Hero' is not live\. Turn on Live to bake it with its targets"):
        api.bake_walk(obj, frame_start=1, frame_end=20)
    api.resume_walk(obj)
    api.bake_walk(obj, frame_start=1, frame_end=20)
    assert np.abs(played(obj, range(1, 21, 4))[:, rows] - live[:, rows]).max() < 1e-5


def test_a_bake_made_again_has_the_targets_as_they_are_now() -> None:
    obj = walker()
    empty = reach(obj)
    action = api.bake_walk(obj, frame_start=1, frame_end=12)
    with refuses("Turn on Live"):
        api.rebake_walk(obj)
    api.resume_walk(obj)
    empty.location.z += 0.1
    live = played(obj, (1, 5, 12), deform_bones(obj))
    assert api.rebake_walk(obj) == action == obj.animation_data.action
    assert np.abs(played(obj, (1, 5, 12), deform_bones(obj)) - live).max() < 2e-4


def test_a_target_on_the_chest_is_where_the_walk_has_the_chest() -> None:
    obj = walker(mode="TRAVEL")
    box = thing("Box", place_of(obj, "spine.3") + (0.0, -0.4, -0.1), obj, "Spine2")
    api.choose_target(obj, "wrist.L", box)
    for frame in (3, 11, 20):
        bpy.context.scene.frame_set(frame)
        bpy.context.view_layer.update()
        bpy.context.view_layer.update()
        assert max(misses(obj).values()) < 0.01 * MILLIMETRE


def test_a_target_on_an_arm_that_a_target_moves_is_refused() -> None:
    obj = walker()
    before = state_of(obj)
    box = thing("Box", (0.3, -0.3, 1.0), obj, "LeftHand")
    with refuses(r"is parented to bone 'LeftHand' of 'Hero', which a target moves"):
        api.choose_target(obj, "wrist.L", box)
    assert not obj.neurarig.neural_pose.targets and obj.neurarig.walk.live
    api.choose_target(obj, "wrist.R", box)  # the other hand can hold what this one has
    bpy.data.objects.remove(box)
    api.remove_targets(obj)
    assert state_of(obj) == before


def test_influence_is_keyed() -> None:
    obj = walker()
    empty = reach(obj)
    item = obj.neurarig.neural_pose.targets[0]
    for frame, weight in ((1, 0.0), (11, 1.0)):
        item.weight = weight
        item.keyframe_insert("weight", frame=frame)
    at = {}
    for frame in (1, 6, 11):
        bpy.context.scene.frame_set(frame)
        at[frame] = float(np.linalg.norm(place_of(obj, "hand.L") - np.array(empty.matrix_world.translation)))
    assert at[1] > 0.3 and 0.05 < at[6] < 0.4 and at[11] < 1e-5
    live = played(obj, (1, 6, 11), deform_bones(obj))
    api.bake_walk(obj, frame_start=1, frame_end=11)
    assert np.abs(played(obj, (1, 6, 11), deform_bones(obj)) - live).max() < 2e-4


def test_live_off_gives_the_hand_back_and_on_takes_it() -> None:
    obj = walker()
    bpy.context.scene.frame_set(7)
    plain = place_of(obj, "hand.L")
    reach(obj)
    obj.neurarig.neural_pose.live = False
    assert np.allclose(place_of(obj, "hand.L"), plain, atol=1e-6)
    obj.neurarig.neural_pose.live = True
    assert max(misses(obj).values()) < 1e-5


def test_a_hand_out_of_reach_is_told() -> None:
    obj = walker()
    reach(obj, (0.0, -3.0, 0.0))
    assert taker.missed(obj)["wrist.L"] > 1.0


@pytest.mark.parametrize("carrier", CARRIERS)
def test_remove_walk_takes_the_targets_along(carrier: str) -> None:
    obj = hero()
    before = state_of(obj)
    objects = set(bpy.data.objects.keys()), set(bpy.data.collections.keys())
    api.generate_walk(obj, use_network=False, **CARRIERS[carrier])
    settings = state_of(obj)["settings"]
    api.pose_targets(obj, ["wrist.L", "wrist.R", "head", "spine3"])
    api.remove_walk(obj)
    assert {**state_of(obj), "settings": settings, "roles": []} == {
        **before,
        "settings": settings,
        "roles": [],
    }
    assert (set(bpy.data.objects.keys()), set(bpy.data.collections.keys())) == objects
    assert not obj.neurarig.neural_pose.targets and not obj.neurarig.neural_pose.live


def test_only_what_the_legs_do_not_need_gets_targets() -> None:
    obj = walker()
    assert sorted(api.pose_targets(obj, "MAIN")) == ["head", "spine3", "wrist.L", "wrist.R"]
    with refuses(r"Left Foot follows the walk of 'Hero'\. Only"):
        api.pose_targets(obj, ["ankle.L"])


def test_a_walk_that_is_not_live_is_refused() -> None:
    obj = walker()
    obj.neurarig.walk.live = False
    with refuses(r"'Hero' is not live\. Turn on Live in Walk first\."):
        api.pose_targets(obj, ["wrist.L"])


def test_a_cycle_whose_targets_move_is_refused() -> None:
    obj = walker()
    empty = reach(obj)
    api.bake_walk(obj, frame_start=1, frame_end=2, loop=True)
    obj.neurarig.walk.live = True
    empty.keyframe_insert("location", frame=1)
    empty.location.z += 0.2
    empty.keyframe_insert("location", frame=90)
    with refuses("Targets of 'Hero' move, so its walk does not repeat"):
        api.bake_walk(obj, frame_start=1, frame_end=2, loop=True)


def test_targets_walk_on_after_loading(tmp_path: Path) -> None:
    obj = walker(mode="TRAVEL")
    reach(obj)
    bpy.context.scene.frame_set(9)
    before = played(obj, (14, 9))[::-1]
    posed = {bone.name: np.array(bone.matrix_basis) for bone in obj.pose.bones}
    path = str(tmp_path / "a.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    for bone in bpy.data.objects["Hero"].pose.bones:  # as it was, before any frame is shown
        assert np.allclose(np.array(bone.matrix_basis), posed[bone.name], atol=1e-4)
    assert np.abs(played(bpy.data.objects["Hero"], (9, 14)) - before).max() < 2e-6


@pytest.mark.parametrize("root", ["OBJECT", "BONE", "PELVIS"])
def test_a_hand_follows_its_target_over_a_clip(root: str) -> None:
    source, _ = actor()
    obj = hero()
    api.link_retarget(obj, source=source, root=root)
    frames = (6, 20, 33.5, 50)
    legs = played(obj, frames, ("LeftFoot", "RightFoot"))
    bpy.context.scene.frame_set(20)
    reach(obj, (-0.05, -0.15, 0.15))
    assert np.abs(played(obj, frames, ("LeftFoot", "RightFoot")) - legs).max() < 1e-6
    for frame in frames if root == "OBJECT" else (20,):
        seen(obj, frame)
        assert max(misses(obj).values()) < 0.01 * MILLIMETRE
    live = played(obj, (6, 20, 50))
    api.retarget(obj, source=source, root=root, check=False)
    assert np.abs(played(obj, (6, 20, 50)) - live).max() < 2e-5
    api.remove_retarget(obj)
    assert not obj.neurarig.neural_pose.targets and not record.is_attached(obj)
