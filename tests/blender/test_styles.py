"""Styles in Blender: learned from what moves an armature, walked in by another, blended, keyed, kept, given back."""

import json
from pathlib import Path

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.sliders import presets
from neurarig_addon.blender.walk.sliders.presets import STYLE, WALK
from neurarig_addon.blender.walk.styles import library, slots
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.gait.sliders.style import STYLE_WEIGHTS
from tests.blender.command_line import run
from tests.blender.drawing import drawn, of_kind
from tests.blender.walking import played, walker
from tests.rigs import biped, build, make_active
from tests.shared_data import shared_path

pytestmark = pytest.mark.usefixtures("addon")
HANDS = ["LeftHand", "RightHand"]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the user's real styles out of the tests."""
    monkeypatch.setattr(presets, "_user_folder", lambda kind: tmp_path / kind)
    return tmp_path


def actor(**manner: float) -> bpy.types.Object:
    """Return an armature that an action moves, which walks in a manner of its own."""
    obj = walker("Actor", use_network=True, mode="TRAVEL", speed=1.0, **manner)
    api.bake_walk(obj, frame_start=1, frame_end=120)
    return obj


def gone(obj: bpy.types.Object) -> None:
    """Remove an actor; the view layer hears of it with the next update only."""
    bpy.data.objects.remove(obj)
    bpy.context.view_layer.update()


def learned(name: str = "Low", **manner: float):
    """Return a style, kept under its name, of an actor who is gone."""
    obj = actor(**(manner or {"crouch": 0.15, "elbow_bend": 60.0, "lean": 15.0}))
    style = api.learn_style(obj, name)
    gone(obj)
    return style


def test_a_character_walks_in_what_was_learned_from_another():
    style = learned()
    assert "very close" in style.description and "Low" in [name for name, _ in library.names()]
    obj = build(biped(), "Hero")
    plain = api.generate_walk(obj, mode="TRAVEL", speed=1.0)
    before = played(obj, range(1, 30, 4))
    report = api.generate_walk(obj, styles={"Low": 1.0}, speed=1.0)
    assert not report["past_limits"] and max(side["max"] for side in report["slip_mm"].values()) < 0.01
    hips = obj.pose.bones["Hips"].name
    low = [played(obj, range(1, 30, 4), [hips])[:, 0, 0, 2].mean(), before[:, obj.data.bones.find(hips), 0, 2].mean()]
    assert low[0] < low[1] - 0.1 * plain["leg_length_m"]


def test_a_style_brings_its_speed_along_unless_one_is_given():
    learned()
    obj = build(biped(), "Hero")
    api.generate_walk(obj, styles={"Low": 1.0})
    assert obj.neurarig.walk.speed == pytest.approx(1.0, abs=0.03)
    api.generate_walk(obj, styles={"Low": 0.5}, speed=1.4)
    assert obj.neurarig.walk.speed == pytest.approx(1.4)
    assert obj.neurarig.walk.style_1 == pytest.approx(0.5)
    api.generate_walk(obj, styles={})
    assert not any(slots.contents(obj.neurarig.walk))


def test_a_run_takes_its_own_speed_after_a_style_s_and_the_walk_the_style_s_again():
    obj = walker()
    api.generate_walk(obj, styles={"Sad": 1.0})
    settings = obj.neurarig.walk
    walks = settings.speed
    settings.gait = "RUN"
    assert settings.speed > 2.0
    settings.gait = "WALK"
    assert settings.speed == pytest.approx(walks) and walks < settings.natural_speed
    settings.speed = 1.9
    settings.gait = "RUN"
    assert settings.speed == pytest.approx(1.9)  # somebody's choice


def test_keyed_weights_play_the_same_in_any_order_and_keep_feet_planted():
    learned()
    obj = walker(use_network=True, mode="TRAVEL", styles={"Low": 1.0})
    settings = obj.neurarig.walk
    for frame, weight in ((1, 0.0), (40, 1.5)):
        settings.style_1 = weight
        settings.keyframe_insert("style_1", frame=frame)
    report = api.contact_report(obj, (1, 60))
    assert max(side["max"] for side in report["slip_mm"].values()) < 0.01
    forward = played(obj, range(1, 41, 3), HANDS)
    backward = played(obj, range(40, 0, -3), HANDS)[::-1]
    np.testing.assert_allclose(forward, backward, atol=1e-6)
    heights = forward[:, :, 0, 2].mean(axis=1)
    assert heights[-1] != pytest.approx(heights[0], abs=0.03)


def test_styles_are_added_and_taken_out_and_keep_their_sliders():
    for name, manner in (("Low", {"crouch": 0.15}), ("Wide", {"stance_width": 2.5}), ("Bent", {"lean": 20.0})):
        learned(name, **manner)
    obj = walker(use_network=True)
    settings = obj.neurarig.walk
    for name in ("Low", "Wide", "Bent"):
        assert bpy.ops.neurarig.use_style(style=name) == {"FINISHED"}
    settings.style_3 = 0.7
    assert bpy.ops.neurarig.take_style_out(place=1) == {"FINISHED"}
    assert [slot.name for slot in settings.styles] == ["Low", "", "Bent"] and settings.style_3 == pytest.approx(0.7)
    assert not settings.error
    bpy.ops.neurarig.use_style(style="Wide")
    assert [slot.name for slot in settings.styles] == ["Low", "Wide", "Bent"]
    bpy.ops.neurarig.take_style_out(place=2)
    assert [slot.name for slot in settings.styles] == ["Low", "Wide"]


@pytest.mark.parametrize(
    ("styles", "says"),
    [
        ({"Nobody's": 1.0}, "There is no style named"),
        ({"Low": 2.0}, "from 0 to 1.5"),
        ({"Low": "much"}, "needs a number"),
        (["Low"], "names of styles with their weights"),
    ],
)
def test_what_cannot_be_walked_in_is_refused_before_anything_changes(styles, says):
    learned()
    obj = build(biped(), "Hero")
    with pytest.raises(NeuraRigError, match=says):
        api.generate_walk(obj, styles=styles)
    assert not obj.neurarig.walk.live and not len(obj.neurarig.walk.styles)


def test_a_damaged_style_in_a_file_turns_the_walk_off_with_a_sentence():
    learned()
    obj = walker(use_network=True, styles={"Low": 1.0})
    obj.neurarig.walk.styles[0].content = obj.neurarig.walk.styles[0].content[:500]
    bpy.context.scene.frame_set(5)
    assert "A style in this file cannot be used" in obj.neurarig.walk.error


def test_a_preset_keeps_styles_with_their_weights():
    learned()
    obj = walker(use_network=True, styles={"Low": 0.8})
    api.save_preset(obj, "Mine")
    assert presets.load(WALK, "Mine").styles == {"Low": pytest.approx(0.8)}
    other = build(biped(), "Other")
    api.generate_walk(other, preset="Mine")
    assert [slot.name for slot in other.neurarig.walk.styles] == ["Low"] and other.neurarig.walk.style_1 == pytest.approx(0.8)
    api.apply_preset(other, "Natural")
    assert not any(slots.contents(other.neurarig.walk))


def test_learning_from_an_action_asks_whose_it_is_only_where_that_is_unclear():
    obj = actor()
    action = obj.animation_data.action
    assert api.learn_style(action, "One").vhat == pytest.approx(api.learn_style(obj, "Two").vhat)
    obj.animation_data.action = None
    build(biped(), "Other")
    with pytest.raises(NeuraRigError, match="not clear whose"):
        api.learn_style(action, "Three")
    assert api.learn_style(action, "Three", armature=obj).name == "Three"


def test_what_is_no_walk_is_refused_and_nothing_is_kept(own_folder):
    obj = build(biped(), "Still")
    with pytest.raises(NeuraRigError, match="does not walk"):
        api.learn_style(obj, "Statue")
    with pytest.raises(NeuraRigError, match="at least one letter"):
        api.learn_style(obj, " ")
    broken = own_folder / "broken.bvh"
    broken.write_text("HIERARCHY\nROOT", encoding="utf-8")
    with pytest.raises(NeuraRigError, match="broken"):
        api.learn_style(broken, "Broken")
    with pytest.raises(NeuraRigError, match="cannot be learned from"):
        api.learn_style(own_folder / "clip.mp4", "Film")
    assert not any((own_folder / STYLE).glob("*"))


def test_the_command_line_learns_lists_and_walks(own_folder, capsys):
    obj = actor(crouch=0.15)
    assert run("style", "learn", "--armature", obj.name, "--name", "Low") == 0
    assert "strides at 1.0" in capsys.readouterr().out
    assert run("style", "list") == 0
    assert "Low (your own)" in capsys.readouterr().out
    gone(obj)
    build(biped(), "Hero")
    report = own_folder / "report.json"
    assert run("walk", "--style", "Low=0.9", "--bake", "--frames", "1", "40", "--report", report) == 0
    assert not json.loads(report.read_text())["past_limits"]
    assert run("walk", "--style", "Nobody") == 1
    assert run("style", "learn", own_folder / "none.bvh", "--name", "None") == 1


def test_a_recorded_manner_walks_planted():
    import gzip

    path = shared_path("data", "gaits", "style", "cmu_105_13.bvh.gz")
    clip = presets._user_folder(STYLE).parent / "sad.bvh"
    clip.write_bytes(gzip.decompress(path.read_bytes()))
    api.learn_style(clip, "My Sad")
    obj = build(biped(), "Hero")
    report = api.generate_walk(obj, styles={"My Sad": 1.0}, mode="TRAVEL")
    assert not report["past_limits"]


def test_every_weight_has_a_slider():
    obj = build(biped(), "Hero")
    for slider in STYLE_WEIGHTS:
        prop = obj.neurarig.walk.bl_rna.properties[slider]
        assert (prop.hard_min, prop.hard_max, prop.default) == (0.0, 1.5, 1.0)


def test_the_panel_shows_the_styles_in_use_and_the_library_all_there_are():
    learned()
    obj = walker(use_network=True, styles={"Low": 1.0, "Sad": 0.4}, speed=1.4)
    make_active(obj)
    shown = of_kind(drawn("NEURARIG_PT_styles"), "prop")
    assert {"style_1", "style_2", "style_legs", "style_trunk", "style_arms", "style_head"} <= shown.keys() and "style_3" not in shown
    assert shown["style_1"].text == "Low" and shown["style_2"].text == "Sad"
    buttons = of_kind(drawn("NEURARIG_PT_styles"), "operator")
    assert {"neurarig.learn_style", "neurarig.learn_style_file", "neurarig.take_style_out", "neurarig.delete_style"} <= buttons.keys()
    assert "Learned at" in buttons["neurarig.style_speed"].text
    listed = [one.text for one in drawn("NEURARIG_PT_style_library") if one.kind == "operator"]
    assert len(listed) >= 29 and {"Sad", "March", "Low"} <= set(listed)
    api.generate_walk(obj, styles={})
    assert not of_kind(drawn("NEURARIG_PT_styles"), "prop")


@pytest.mark.parametrize("preset", ["Tired", "Sneak", "March", "Proud", "Limp", "Toddler", "Heavy"])
def test_presets_of_styles_walk_planted(preset):
    obj = build(biped(), "Hero")
    report = api.generate_walk(obj, preset=preset, mode="TRAVEL")
    assert not report["past_limits"]
    assert report["cadence_steps_min"] < 100.0 or preset in ("Limp", "Toddler"), "slower than the natural walk"


def test_who_walks_live_is_not_learned_from():
    """His animation is ours then, and would teach what the sliders say."""
    obj = actor()
    obj.neurarig.walk.live = True
    with pytest.raises(NeuraRigError, match=r"'Actor' is walking live. Bake"):
        api.learn_style(obj, "Low")
    assert "Low" not in [name for name, _ in library.names()]


def test_a_preset_says_which_styles_it_takes_off(capsys):
    obj = build(biped(), "Hero")
    api.generate_walk(obj, styles={"Sad": 1.0})
    make_active(obj)
    bpy.ops.neurarig.apply_preset(kind="WALK", preset="Brisk")
    assert "Styles taken off: 'Sad'." in capsys.readouterr().out
    bpy.ops.neurarig.apply_preset(kind="WALK", preset="Heavy")
    assert "taken off" not in capsys.readouterr().out
