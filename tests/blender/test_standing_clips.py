"""Clips and targets for rest poses that do not stand: what is seen is what a character that stands at rest
would show."""

from collections.abc import Callable

import bpy
import pytest
from mathutils import Vector
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from tests.blender.resting import BONES, broken, gaps, lying, posed_as, sitting
from tests.blender.retargeting import FIRST, LAST, actor
from tests.blender.walking import played, state_of
from tests.rigs import Bone, biped, build, make_active

FRAMES = range(FIRST, LAST, 9)
CLOSE = 1.5e-3  # metres: what bends at rest and is straightened is known so well


def posed(table: list[Bone]) -> bpy.types.Object:
    """Return a human of another rest pose, posed as one that stands."""
    obj = build(table, "Hero")
    posed_as(obj, biped())
    return obj


RESTS: dict[str, Callable[[], bpy.types.Object]] = {
    "on its face": lambda: build(lying("X", -90.0), "Hero"),
    "on its side": lambda: build(lying("Y", 90.0), "Hero"),
    "sitting, posed standing": lambda: posed(sitting()),
    "broken, posed standing": lambda: posed(broken()),
}


@pytest.mark.parametrize("rest", RESTS)
@pytest.mark.parametrize("controls", ["FK", "IK"])
def test_a_clip_is_seen_as_on_who_stands(rest: str, controls: str) -> None:
    source, _ = actor()
    upright = build(biped(), "Upright")
    make_active(upright)
    api.link_retarget(upright, source=source, controls=controls)
    wanted = gaps(played(upright, FRAMES, BONES))
    obj = RESTS[rest]()
    make_active(obj)
    before = state_of(obj)
    api.link_retarget(obj, source=source, controls=controls)
    assert_allclose(gaps(played(obj, FRAMES, BONES)), wanted, atol=CLOSE)
    api.remove_retarget(obj)
    after = state_of(obj)
    assert {key: after[key] for key in KEPT} == {key: before[key] for key in KEPT}


@pytest.mark.few(2)
@pytest.mark.parametrize("rest", RESTS)
@pytest.mark.parametrize("controls", ["FK", "IK"])
def test_a_target_is_reached_and_the_rest_stays(rest: str, controls: str) -> None:
    obj = RESTS[rest]()
    make_active(obj)
    bpy.context.view_layer.update()
    before, shown = state_of(obj), played(obj, (1,), BONES)
    api.pose_targets(obj, controls=controls)
    assert_allclose(played(obj, (1,), BONES), shown, atol=CLOSE)
    wrist = next(item.object for item in obj.neurarig.neural_pose.targets if item.point == "wrist.L")
    wrist.location = wrist.location + Vector((-0.1, 0.05, 0.05))
    bpy.context.view_layer.update()
    assert_allclose(played(obj, (1,), ["LeftHand"])[0, 0, 0], wrist.matrix_world.translation, atol=1e-3)
    api.remove_targets(obj)
    after = state_of(obj)
    assert {key: after[key] for key in KEPT} == {key: before[key] for key in KEPT}


@pytest.mark.parametrize("table", [sitting, broken], ids=["sitting", "broken"])
def test_a_clip_of_who_stands_in_its_frames_alone_is_the_clip_of_who_stands(
    table: Callable[[], list[Bone]],
) -> None:
    """Its rest pose sits; a T is on the first frame of its clip, and a walk on those after it."""
    seen = []
    for rest in (biped(), table()):
        source = build(rest, "Source")
        posed_as(source, biped())
        api.generate_walk(source, controls="FK", use_network=False)
        action = api.bake_walk(source, frame_start=FIRST, frame_end=LAST, target="DEFORM")
        api.remove_walk(source)
        data = source.animation_data or source.animation_data_create()
        compat.assign(data, action, compat.suitable_slot(action, source))
        key_standing(source, FIRST - 4)
        bpy.context.scene.frame_set(FIRST - 4)
        obj = build(biped(), "Target")
        make_active(obj)
        api.retarget(obj, source=source, controls="FK")
        seen.append(gaps(played(obj, FRAMES, BONES)))
    assert_allclose(seen[1], seen[0], atol=2e-3)


def key_standing(obj: bpy.types.Object, frame: int) -> None:
    """Key a T on a frame."""
    posed_as(obj, biped())
    for bone in obj.pose.bones:
        for path in ("location", "rotation_quaternion"):
            bone.keyframe_insert(path, frame=frame)


KEPT = ("bones", "constraints", "pose", "place", "collections", "attachment", "data", "mode")
