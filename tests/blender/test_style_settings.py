"""Styles as settings: added, removed, damaged, in presets, panels and on the command line."""

import json
from pathlib import Path

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.manner import presets
from neurarig_addon.blender.walk.manner import styles as slots
from neurarig_addon.blender.walk.manner.presets import WALK
from neurarig_addon.core.gait.sliders.style import STYLE_WEIGHTS
from tests.blender.command_line import run
from tests.blender.drawing import drawn, of_kind
from tests.blender.styled import actor, gone, learned
from tests.blender.walking import walker
from tests.refusals import refuses
from tests.rigs import biped, build, make_active


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the user's real styles out of the tests."""
    monkeypatch.setattr(presets, "_user_folder", lambda kind: tmp_path / kind)
    return tmp_path


def test_styles_are_added_and_taken_out_and_keep_their_sliders():
    for name, manner in (
        ("Low", {"crouch": 0.15}),
        ("Wide", {"stance_width": 2.5}),
        ("Bent", {"lean": 20.0}),
    ):
        learned(name, **manner)
    obj = walker(use_network=True)
    settings = obj.neurarig.walk
    for name in ("Low", "Wide", "Bent"):
        assert bpy.ops.neurarig.use_style(style=name) == {"FINISHED"}
    settings.style_3 = 0.7
    assert bpy.ops.neurarig.take_style_out(place=1) == {"FINISHED"}
    assert [slot.name for slot in settings.styles] == [
        "Low",
        "",
        "Bent",
    ] and settings.style_3 == pytest.approx(0.7)
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
    with refuses(says):
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
    assert [slot.name for slot in other.neurarig.walk.styles] == [
        "Low"
    ] and other.neurarig.walk.style_1 == pytest.approx(0.8)
    api.apply_preset(other, "Natural")
    assert not any(slots.contents(other.neurarig.walk))


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


def test_every_weight_has_a_slider():
    obj = build(biped(), "Hero")
    for slider in STYLE_WEIGHTS:
        prop = obj.neurarig.walk.bl_rna.properties[slider]
        assert (prop.hard_min, prop.hard_max, prop.default) == (0.0, 1.5, 1.0)


def test_the_panel_shows_the_styles_in_use_and_the_library_all_there_are():
    learned()
    obj = walker(use_network=True, styles={"Low": 1.0, "Sad": 0.4}, speed=1.4)
    make_active(obj)
    shown = of_kind(drawn("NEURARIG_PT_walk"), "prop")
    assert {"style_1", "style_2"} <= shown.keys() and "style_3" not in shown
    assert {"style_legs", "style_trunk", "style_arms", "style_head"} == of_kind(
        drawn("NEURARIG_PT_styles"), "prop"
    ).keys()
    assert shown["style_1"].text == "Low" and shown["style_2"].text == "Sad"
    assert {"neurarig.learn_style", "neurarig.learn_style_file"} <= of_kind(
        drawn("NEURARIG_PT_styles"), "operator"
    ).keys()
    buttons = of_kind(drawn("NEURARIG_PT_walk"), "operator")
    assert {"neurarig.take_style_out", "neurarig.delete_style"} <= buttons.keys()
    assert "Learned at" in buttons["neurarig.style_speed"].text
    named = [one for one in drawn("NEURARIG_PT_manners") if one.text]
    listed = {one.text: "depress=True" in one.how for one in named if one.name == "neurarig.use_style"}
    assert len(listed) == len(slots.names()) and {"Sad", "March", "Low"} <= listed.keys()
    assert [name for name, pressed in listed.items() if pressed] == ["Sad", "Low"]
    assert not listed.keys() & {one.text for one in named if one.name == "neurarig.apply_preset"}
    api.generate_walk(obj, styles={})
    assert not of_kind(drawn("NEURARIG_PT_styles"), "prop")


def test_a_preset_says_which_styles_it_takes_off(capsys):
    obj = build(biped(), "Hero")
    api.generate_walk(obj, styles={"Sad": 1.0})
    make_active(obj)
    bpy.ops.neurarig.apply_preset(kind="WALK", preset="Brisk")
    assert "Styles taken off: 'Sad'." in capsys.readouterr().out
    bpy.ops.neurarig.apply_preset(kind="WALK", preset="Heavy")
    assert "taken off" not in capsys.readouterr().out
