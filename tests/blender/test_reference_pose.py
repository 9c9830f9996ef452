"""Use Current Pose: a pose that the animator chose stands in for the rest pose, for walks and for clips, as
source and as target."""

import json
from pathlib import Path

import bpy
import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from neurarig_addon.blender.cli import export
from tests.blender.resting import BONES, broken, gaps, posed_as, sitting, turned
from tests.blender.retargeting import FIRST, LAST, actor
from tests.blender.walking import played, state_of
from tests.refusals import refuses
from tests.rigs import biped, build, make_active

FRAMES = (1, 9, 17, 24)
ARMS = ("LeftArm", "RightArm")


def relaxed(obj: bpy.types.Object) -> None:
    """Pose a character as it rests."""
    for bone in obj.pose.bones:
        bone.matrix_basis.identity()
    bpy.context.view_layer.update()


def test_who_was_posed_standing_once_walks_so_whatever_it_is_posed_like_since() -> None:
    upright = build(biped(), "Upright")
    api.generate_walk(upright, controls="FK")
    expected = gaps(played(upright, FRAMES, BONES))
    obj = build(sitting(), "Hero")
    posed_as(obj, biped())
    api.use_current_pose(obj)
    relaxed(obj)
    report = api.generate_walk(obj)
    assert_allclose(gaps(played(obj, FRAMES, BONES)), expected, atol=1e-3)
    assert report["past_limits"] == []
    api.remove_walk(obj)
    api.use_rest_pose(obj)
    api.generate_walk(obj)
    assert np.abs(gaps(played(obj, FRAMES, BONES)) - expected).max() > 0.05, (
        "without the reference it walks from where it sits"
    )


def passed_on(through: bpy.types.Object, last: bpy.types.Object) -> np.ndarray:
    """Return what is seen of a clip on a first character, which is target, and on a second that has it from
    the first, then source."""
    make_active(through)
    source, _ = actor(f"Actor of {through.name}")
    api.retarget(through, source=source)
    first = gaps(played(through, (FIRST, (FIRST + LAST) // 2, LAST), BONES))
    api.remove_retarget(through, keep_clip=True)
    api.retarget(last, source=through)
    return np.stack([first, gaps(played(last, (FIRST, (FIRST + LAST) // 2, LAST), BONES))])


def test_a_clip_goes_onto_a_broken_rest_pose_and_on_from_it_as_from_one_that_stands() -> None:
    obj = build(broken(), "Hero")
    posed_as(obj, biped())
    api.use_current_pose(obj)
    relaxed(obj)
    seen = passed_on(obj, build(biped(), "Last"))
    expected = passed_on(build(biped(), "Plain"), build(biped(), "Last of Plain"))
    assert_allclose(seen, expected, atol=1e-3)


def test_a_t_pose_chosen_for_an_a_pose_measures_as_the_t_pose_does() -> None:
    tee = build(biped(), "Tee")
    other = build(turned(turned(biped(), ARMS[:1], "Y", 40.0), ARMS[1:], "Y", -40.0), "Other")
    posed_as(other, biped())
    api.use_current_pose(other)
    relaxed(other)
    for obj in (tee, other):
        api.generate_walk(obj, controls="FK")
    assert_allclose(played(other, FRAMES, BONES)[:, :, 0], played(tee, FRAMES, BONES)[:, :, 0], atol=1e-4)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("{", "damaged"),
        ("[1]", "damaged"),
        (json.dumps({"Hips": [0.0] * 11}), "damaged"),
        (json.dumps({"Hips": [0.0] * 12}), "Spine"),
        (json.dumps({name: [float("nan")] * 12 for name in BONES}), "does not stand"),
        (json.dumps({name: [0.0] * 12 for name in BONES}), "does not stand"),
    ],
)
def test_a_damaged_reference_pose_is_refused_in_a_sentence(text: str, word: str) -> None:
    obj = build(biped(), "Hero")
    obj.neurarig.reference = text
    before = state_of(obj)
    with refuses(word):
        api.generate_walk(obj)
    assert state_of(obj) == before


def test_a_pose_that_does_not_stand_and_a_character_that_is_posed_are_refused() -> None:
    obj = build(biped(), "Hero")
    posed_as(obj, sitting())
    with refuses("does not stand"):
        api.use_current_pose(obj)
    assert obj.neurarig.reference == ""
    relaxed(obj)
    api.generate_walk(obj)
    with refuses("already has a walk"):
        api.use_current_pose(obj)


def test_the_buttons_choose_for_the_character_and_for_the_source() -> None:
    source, obj = build(biped(), "Actor"), build(biped(), "Hero")
    make_active(obj)
    assert (
        bpy.ops.neurarig.use_current_pose() == {"FINISHED"}
        and obj.neurarig.reference
        and not source.neurarig.reference
    )
    assert bpy.ops.neurarig.use_current_pose(armature="Actor") == {"FINISHED"} and source.neurarig.reference
    assert bpy.ops.neurarig.use_rest_pose() == {"FINISHED"} and not obj.neurarig.reference
    with pytest.raises(RuntimeError, match="no object"):
        bpy.ops.neurarig.use_rest_pose(armature="Nobody")


def test_a_file_whose_rest_pose_sits_is_read_from_the_frame_in_which_it_stands(tmp_path: Path) -> None:
    """The same walk, written from a skeleton that stands at rest and from one that sits, is the same clip."""
    seen = []
    for name, table in (("Stands", biped()), ("Sits", sitting())):
        source = build(table, name)
        posed_as(source, biped())
        api.use_current_pose(source)
        api.generate_walk(source, mode="TRAVEL", controls="FK")
        api.bake_walk(source, frame_start=FIRST, frame_end=LAST, target="DEFORM")
        api.remove_walk(source)
        bpy.context.scene.frame_set(FIRST - 1)
        posed_as(source, biped())
        for bone in source.pose.bones:
            bone.keyframe_insert("location")
            bone.keyframe_insert("rotation_quaternion")
        export.export(source, tmp_path / f"{name}.bvh", (FIRST - 1, LAST))
        hero = build(biped(), f"Hero of {name}")
        api.retarget(hero, file=tmp_path / f"{name}.bvh")
        seen.append(gaps(played(hero, (FIRST, (FIRST + LAST) // 2, LAST), BONES)))
    assert_allclose(seen[1], seen[0], atol=2e-3)
