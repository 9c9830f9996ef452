"""Turn Clip into Walk in Blender: an action, another armature or a file becomes a walk; what cannot leaves
all as it was."""

from collections.abc import Iterator
from pathlib import Path

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from tests.blender import styled
from tests.blender.command_line import run
from tests.blender.drawing import drawn, of_kind
from tests.blender.retargeting import FIRST, LAST, actor
from tests.blender.walking import played, state_of, walker
from tests.refusals import refuses
from tests.rigs import biped, build, make_active
from tests.shared_data import shared_path

BONES = [
    "Hips",
    "Head",
    "LeftHand",
    "RightHand",
    "LeftFoot",
    "RightFoot",
    "LeftToeBase",
    "RightToeBase",
    "LeftLeg",
    "RightLeg",
]


@pytest.fixture
def roughly() -> Iterator[None]:
    """Learn without refining, for tests that do not ask how alike the walk is."""
    with styled.roughly():
        yield


def apart(obj: bpy.types.Object, other: bpy.types.Object) -> float:
    """Return how far bones of two armatures are apart in the world in mm, the mean over the clip, as
    evaluated."""
    frames = range(FIRST, LAST, 3)
    return 1e3 * float(
        np.linalg.norm(played(obj, frames, BONES) - played(other, frames, BONES), axis=-1).mean()
    )


def test_another_armatures_motion_becomes_a_walk_that_can_be_changed():
    source, action = actor(use_network=True, crouch=0.08, arm_swing=1.5)
    hero = build(biped(), "Hero")
    made = api.make_parametric(hero, action, armature=source)
    settings = hero.neurarig.walk
    assert (
        settings.start_frame == FIRST
        and settings.mode == "PATH"
        and settings.path == made.path
        and made.style == action.name
    )
    assert apart(hero, source) < 15.0 and made.off_mm < 10.0
    assert (
        max(side["max"] for side in made.report["slip_mm"].values()) < 0.01 and not made.report["past_limits"]
    )
    as_it_was = played(hero, [LAST], BONES)
    settings.speed *= 1.4
    assert np.abs(played(hero, [LAST], BONES) - as_it_was).max() > 0.2
    made.path.data.splines[0].bezier_points[-1].co.y += 2.0
    report = api.contact_report(hero, (FIRST, LAST))
    assert max(side["max"] for side in report["slip_mm"].values()) < 0.5
    settings.as_recorded = 0.0
    plain = played(hero, [LAST], BONES)
    api.remove_take(hero)
    assert not settings.take and np.allclose(played(hero, [LAST], BONES), plain, atol=1e-6)
    with refuses("keeps no recorded walk"):
        api.remove_take(hero)


def test_its_own_action_becomes_a_walk_and_comes_back():
    hero, action = actor()
    make_active(hero)
    wanted = played(hero, range(FIRST, LAST, 6), BONES)
    bpy.ops.neurarig.make_parametric()
    assert hero.neurarig.walk.live and "EDIT" not in hero.mode
    assert 1e3 * np.linalg.norm(played(hero, range(FIRST, LAST, 6), BONES) - wanted, axis=-1).mean() < 15.0
    baked = api.bake_walk(hero, frame_start=FIRST, frame_end=LAST)
    assert 1e3 * np.linalg.norm(played(hero, range(FIRST, LAST, 6), BONES) - wanted, axis=-1).mean() < 15.0
    assert baked != action
    with pytest.raises(RuntimeError, match="posed by NeuraRig"):
        bpy.ops.neurarig.make_parametric(action=action.name)
    api.remove_walk(hero)
    assert hero.animation_data.action == action and np.allclose(
        played(hero, range(FIRST, LAST, 6), BONES), wanted, atol=1e-5
    )


@pytest.mark.usefixtures("roughly")
def test_it_stays_with_the_file(tmp_path: Path):
    source, action = actor()
    hero = build(biped(), "Hero")
    api.make_parametric(hero, action, armature=source)
    before = played(hero, [FIRST, 30, LAST], BONES)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "kept.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "kept.blend"))
    assert np.allclose(played(bpy.data.objects["Hero"], [FIRST, 30, LAST], BONES), before, atol=1e-5)


def test_a_file_of_a_person_who_turns(tmp_path: Path):
    hero = build(biped(), "Hero")
    made = api.make_parametric(hero, shared_path("data", "mocap", "walk", "cmu_16_20.bvh"))
    assert made.off_mm < 25.0 and made.seconds[0] == 0.0
    assert max(side["max"] for side in made.report["slip_mm"].values()) < 0.5


@pytest.mark.usefixtures("roughly")
def test_what_does_not_walk_leaves_all_as_it_was(tmp_path: Path):
    hero = walker("Hero", crouch=0.1)
    make_active(hero)
    still = build(biped(), "Still")
    still.pose.bones["Head"].rotation_quaternion = (0.9, 0.1, 0.0, 0.0)
    still.pose.bones["Head"].keyframe_insert("rotation_quaternion", frame=1)
    still.pose.bones["Head"].keyframe_insert("rotation_quaternion", frame=60)
    make_active(hero)
    before, curves = state_of(hero), len(bpy.data.curves)
    damaged = tmp_path / "damaged.bvh"
    damaged.write_text("HIERARCHY\nROOT hips {", encoding="utf-8")
    for source in (still, damaged, tmp_path / "none.bvh"):
        with refuses() as refused:
            api.make_parametric(hero, source)
        assert len(str(refused.value)) < 220
        assert state_of(hero) == before and len(bpy.data.curves) == curves
    with refuses("posed by NeuraRig"):
        api.make_parametric(hero)
    hero.neurarig.walk.keyframe_insert("speed", frame=1)
    with refuses("keys on the walk's speed"):
        api.make_parametric(hero, still)


@pytest.mark.usefixtures("roughly")
def test_a_damaged_one_in_a_file_is_told_and_the_walk_goes_on():
    source, action = actor()
    hero = build(biped(), "Hero")
    api.make_parametric(hero, action, armature=source)
    hero.neurarig.walk.take = hero.neurarig.walk.take[:1000]
    hero.neurarig.walk.take_digest = "another"
    bpy.context.scene.frame_set(20)
    with refuses("recorded walk of 'Hero' cannot be used"):
        api.contact_report(hero)
    api.remove_take(hero)
    assert api.contact_report(hero)


@pytest.mark.usefixtures("roughly")
def test_the_panel_offers_it():
    source, action = actor()
    hero = build(biped(), "Hero")
    make_active(hero)
    buttons = of_kind(drawn("NEURARIG_PT_styles"), "operator")
    assert {
        "neurarig.make_parametric",
        "neurarig.make_parametric_file",
    } <= buttons.keys() and "neurarig.remove_take" not in buttons
    bpy.ops.neurarig.make_parametric(source=source.name, action=action.name)
    widgets = drawn("NEURARIG_PT_styles")
    assert "neurarig.remove_take" in of_kind(widgets, "operator") and "as_recorded" in of_kind(
        widgets, "prop"
    )
    bpy.ops.neurarig.remove_take()
    assert not hero.neurarig.walk.take


@pytest.mark.usefixtures("roughly")
def test_the_command_line_makes_it(capsys: pytest.CaptureFixture[str]):
    source, action = actor()
    build(biped(), "Hero")
    assert (
        run(
            "parametric",
            "--armature",
            "Hero",
            "--source",
            source.name,
            "--action",
            action.name,
            "--speed",
            "1.5",
            "--bake",
        )
        == 0
    )
    assert "walks on frames 5 to" in capsys.readouterr().out
    assert run("parametric", "none.bvh", "--armature", "Hero", "--source", source.name) == 1
