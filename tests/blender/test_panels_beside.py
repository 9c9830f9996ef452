"""Panels of profiles, curves, the link, footprints, layers and targets: what they show, and when they are
grey."""

from types import SimpleNamespace

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.character import selection
from neurarig_addon.blender.walk.api import prints
from neurarig_addon.blender.walk.ui import pictures
from tests.blender.drawing import drawn, of_kind, texts
from tests.blender.panel_shown import shown
from tests.blender.walking import walker
from tests.rigs import biped, build, make_active


@pytest.fixture
def hero() -> bpy.types.Object:
    """Return a character that does not walk yet."""
    obj = build(biped(), "Hero")
    make_active(obj)
    return obj


@pytest.fixture
def walking() -> bpy.types.Object:
    """Return a character that walks live."""
    obj = walker()
    make_active(obj)
    return obj


def test_a_profile_shows_its_constants_curves_and_training(walking, monkeypatch):
    assert shown("NEURARIG_PT_advanced", "menu")["NEURARIG_MT_gait_sources"].text == "Human Gait"
    offered = [
        (widget.text, widget.values.get("profile"))
        for widget in drawn("NEURARIG_MT_gait_sources")
        if widget.kind == "operator"
    ]
    assert (
        offered[0] == ("Human Gait", None)
        and offered[1] == ("Plain Biped", "Plain Biped")
        and offered[-1][0] == "Open Profile…"
    )
    assert all(text == profile for text, profile in offered[1:-1])
    assert "neurarig.check_profile" not in shown("NEURARIG_PT_advanced", "operator")
    assert not any(drawn(f"NEURARIG_PT_{part}") for part in ("constants", "curves", "training"))
    bpy.ops.neurarig.use_profile(profile="Plain Biped")
    settings = walking.neurarig.walk
    settings.profile_report = "One thing.\nAnother thing."
    widgets = drawn("NEURARIG_PT_advanced")
    assert of_kind(widgets, "menu")["NEURARIG_MT_gait_sources"].text == "Plain Biped"
    assert texts(widgets) == "Gait Source One thing. Another thing."
    assert "keep_planted" in of_kind(widgets, "prop") and "neurarig.save_profile" in of_kind(
        widgets, "operator"
    )
    widgets = drawn("NEURARIG_PT_constants")
    values = [widget for widget in widgets if (widget.kind, widget.name) == ("prop", "value")]
    assert len(values) == len(settings.profile_constants) > 3
    active = settings.profile_constants[settings.active_constant]
    assert f"({active.low:.3g} to {active.high:.3g})" in texts(widgets)
    for icon, error in ((7, ""), (0, "A sentence.")):
        seen = SimpleNamespace(icon=icon, error=error, places="x, y, z", turns="pitch")
        monkeypatch.setattr(pictures, "curves_of", lambda obj, seen=seen: seen)
        widgets = drawn("NEURARIG_PT_curves")
        assert (
            ("picture" in {widget.kind for widget in widgets})
            == ("One cycle; stance is shaded" in texts(widgets))
            == bool(icon)
        )
        assert "profile_binding" in of_kind(widgets, "prop") and error in texts(widgets)
    widgets = drawn("NEURARIG_PT_training")
    assert "neurarig.train_profile" in of_kind(widgets, "operator") and "use_trained" not in of_kind(
        widgets, "prop"
    )
    settings.profile_weights_for = "of other constants"
    widgets = drawn("NEURARIG_PT_training")
    assert not of_kind(widgets, "prop")["use_trained"].active and "Trained with other constants" in texts(
        widgets
    )


def test_the_link_offers_both_directions_and_then_its_end(walking):
    modes = [widget.values["mode"] for widget in drawn("NEURARIG_PT_link") if "mode" in widget.values]
    assert modes == ["DRIVE", "STREAM"]
    bpy.ops.neurarig.start_link(mode="STREAM", port=0, debug_port=0)
    try:
        assert list(shown("NEURARIG_PT_link", "operator")) == ["neurarig.export_set", "neurarig.stop_link"]
    finally:
        bpy.ops.neurarig.stop_link()
    assert "neurarig.stop_link" not in shown("NEURARIG_PT_link", "operator")


def test_the_panel_of_footprints_offers_what_can_be_done_with_them(hero):
    assert texts(drawn("NEURARIG_PT_footprints")) == "Generate Walk first"
    api.generate_walk(hero, use_network=False)
    assert "Choose Travel or Path" in texts(drawn("NEURARIG_PT_footprints"))
    assert "neurarig.edit_footprints" not in shown("NEURARIG_PT_footprints", "operator")
    api.generate_walk(hero, use_network=False, mode="TRAVEL")
    widgets = drawn("NEURARIG_PT_footprints")
    buttons = [
        (widget.text, widget.values) for widget in widgets if widget.name == "neurarig.edit_footprints"
    ]
    assert buttons == [("Edit at Playhead", {"which": "FRAME"}), ("All in Range", {"which": "RANGE"})]
    assert {"neurarig.pick_footprint", "neurarig.load_footprints", "neurarig.save_footprints"} <= set(
        of_kind(widgets, "operator")
    )
    assert "neurarig.reset_footprints" not in of_kind(widgets, "operator") and "in hand" not in texts(widgets)
    (handle,) = prints.take_prints(hero, [("LEFT", 2)])
    assert texts(drawn("NEURARIG_PT_footprints")).endswith("1 in hand")
    make_active(handle)
    handle.select_set(True)
    widgets = drawn("NEURARIG_PT_footprints")
    assert "Left Print 2" in texts(widgets) and {"held", "touch", "lift", "on_ground"} <= set(
        of_kind(widgets, "prop")
    )
    every = [
        (widget.text, widget.values["every"])
        for widget in widgets
        if widget.name == "neurarig.reset_footprints"
    ]
    assert every == [("Reset", False), ("Reset All", True)]
    handle.location.x += 0.1
    bpy.context.view_layer.update()
    bpy.ops.neurarig.put_away_footprints()
    assert "1 edited" in texts(drawn("NEURARIG_PT_footprints"))


def test_over_a_walk_the_pose_panel_offers_hands_chest_and_head(walking):
    buttons = [widget for widget in drawn("NEURARIG_PT_neural_pose") if widget.kind == "operator"]
    assert [widget.name for widget in buttons] == ["neurarig.add_target"] * 4
    api.pose_targets(walking, ["wrist.L", "head"])
    own = walking.neurarig.neural_pose
    own.active_target = next(row for row, item in enumerate(own.targets) if item.point == "wrist.L")
    props = shown("NEURARIG_PT_neural_pose", "prop")
    assert {"live", "object", "weight", "turn", "use_range"} <= props.keys() and not {
        "frame_start",
        "lock",
        "noise",
    } & props.keys()
    own.targets[own.active_target].use_range = True
    assert {"frame_start", "frame_end", "ease"} <= shown("NEURARIG_PT_neural_pose", "prop").keys()
    own.active_target = next(row for row, item in enumerate(own.targets) if item.point == "head")
    assert "turn" not in shown("NEURARIG_PT_neural_pose", "prop")


def test_a_character_stays_at_hand_by_his_things_or_pinned(walking):
    other = walker("Other")
    things = [bpy.data.objects.new(name, None) for name in ("Chair", "Stone")]
    for thing in things:
        bpy.context.scene.collection.objects.link(thing)
    things[0].location = (0.0, -3.0, 0.45)
    walking.neurarig.walk.mode = "TRAVEL"
    api.add_act(walking, "SIT", thing=things[0])

    def meant(*active: bpy.types.Object) -> bpy.types.Object | None:
        make_active(*active)
        return selection.armature_of(bpy.context)

    assert [meant(obj) for obj in (other, things[1], things[0], things[1], other)] == [
        *(other, other, walking, walking, other)
    ]
    names = [widget for widget in drawn("NEURARIG_PT_walk") if widget.name == "neurarig.choose_character"]
    assert [(widget.text, "depress=True" in widget.how) for widget in names] == [
        (obj.name, obj == other) for obj in selection.characters(bpy.context)
    ]
    bpy.ops.neurarig.pin_character()
    other.name = "Renamed"
    assert [meant(obj) for obj in (walking, things[0])] == [other, other]
    bpy.ops.neurarig.choose_character(name=walking.name)
    assert meant(other) == walking
    bpy.ops.neurarig.pin_character()
    assert meant(other) == other
    bpy.ops.neurarig.choose_character(name=walking.name)
    assert bpy.context.view_layer.objects.active == walking
