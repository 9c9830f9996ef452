"""What the panels of walk, rig, profile and link show in each state: what is there, greyed, red, and said."""

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.changes import changes
from neurarig_addon.blender.walk.manner import presets
from tests.blender.drawing import Drawn, drawn, of_kind, texts
from tests.blender.panel_shown import shown
from tests.blender.walking import walker
from tests.rigs import biped, build, make_active

ALWAYS = {"speed", "energy", "weight"}
# a slider of each
CLOSED = {
    "timing": "stride",
    "feet": "step_height",
    "body": "lean",
    "arms": "arm_swing",
    "advanced": "use_network",
}


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


def without_a_character() -> None:
    bpy.context.view_layer.objects.active.select_set(False)
    bpy.context.view_layer.objects.active = None


def test_without_a_character_the_tab_says_what_to_select(hero):
    without_a_character()
    own = [
        name
        for name in dir(bpy.types)
        if name.startswith("NEURARIG_PT_") and name != "NEURARIG_PT_export_fbx"
    ]
    assert len(own) > 15
    assert [name for name in own if drawn(name)] == ["NEURARIG_PT_walk"]
    assert (
        texts(drawn("NEURARIG_PT_walk"))
        == "Select a character Its armature, or a mesh that an armature deforms."
    )
    for name in ("NEURARIG_PT_contacts", "NEURARIG_PT_retarget"):
        assert drawn(name, header=True) == []


def test_before_the_first_click_there_is_one_button(hero):
    widgets = drawn("NEURARIG_PT_walk")
    buttons = [widget.name for widget in widgets if widget.kind == "operator"]
    assert buttons == [
        "neurarig.generate_walk",
        "neurarig.add_preset",
        "neurarig.bake_walk",
        "neurarig.bake_walk",
    ]
    props = of_kind(widgets, "prop")
    assert "live" not in props and "path" not in props and {"mode", "gait", *ALWAYS} <= set(props)
    assert all(widget.active and not widget.alert for widget in widgets) and texts(widgets) == ""
    assert of_kind(widgets, "popover")["NEURARIG_PT_manners"].text == "Choose a Walk…"
    assert "Not detected" in texts(drawn("NEURARIG_PT_rig")) and "Hero" in texts(drawn("NEURARIG_PT_rig"))
    assert "Click Detect Rig to fill this list" in texts(drawn("NEURARIG_PT_roles"))
    assert texts(drawn("NEURARIG_PT_controls")) == "Generate Walk finds and drives the rig's controls."
    assert not drawn("NEURARIG_PT_contacts", header=True) and texts(drawn("NEURARIG_PT_contacts")) == ""


def test_a_live_walk_can_be_paused_and_removed_and_tells_its_pace(walking):
    widgets = drawn("NEURARIG_PT_walk")
    assert of_kind(widgets, "prop")["live"].icon == "PLAY"
    assert "neurarig.remove_walk" in of_kind(widgets, "operator") and "neurarig.resume_walk" not in of_kind(
        widgets, "operator"
    )
    assert texts(widgets) == "" and texts(drawn("NEURARIG_PT_timing")) == " 1.437 m in 28 frames"
    assert all(widget.active for widget in widgets)
    for panel, slider in CLOSED.items():
        assert shown(f"NEURARIG_PT_{panel}", "prop")[slider].active


def test_sliders_of_a_paused_or_baked_walk_are_grey_and_the_panel_says_why(walking):
    for pause, word in (
        (lambda: setattr(walking.neurarig.walk, "live", False), "Paused"),
        (lambda: api.bake_walk(walking), "Baked"),
    ):
        pause()
        widgets = drawn("NEURARIG_PT_walk")
        props = of_kind(widgets, "prop")
        assert props["live"].icon == "PAUSE" and props["live"].active
        assert f"{word}. Turn on Live to edit." in texts(widgets)
        assert not any(props[slider].active for slider in ALWAYS)
        for panel, slider in CLOSED.items():
            assert not shown(f"NEURARIG_PT_{panel}", "prop")[slider].active
        walking.neurarig.walk.live = True
        assert "Turn on Live" not in texts(drawn("NEURARIG_PT_walk"))


def test_an_error_is_red_with_what_mends_it(walking):
    walking.neurarig.walk.error = "Bone 'LeftUpLeg' is gone; add it again, so that the walk can go on."
    widgets = drawn("NEURARIG_PT_walk")
    red = [widget for widget in widgets if widget.alert]
    assert texts(red) == walking.neurarig.walk.error and all(len(widget.text) <= 34 for widget in red)
    assert "neurarig.resume_walk" not in of_kind(widgets, "operator")  # it goes on as it was
    with changes.unheard():
        walking.neurarig.walk.live = False
    assert not shown("NEURARIG_PT_walk", "operator")["neurarig.resume_walk"].alert


def test_keys_that_play_over_a_walk_can_become_a_layer(walking):
    assert "Your keys hold some bones" not in texts(drawn("NEURARIG_PT_walk"))
    walking.pose.bones["LeftArm"].keyframe_insert("rotation_quaternion", frame=3)
    assert "Your keys hold some bones" in texts(drawn("NEURARIG_PT_walk"))
    assert shown("NEURARIG_PT_walk", "operator")["neurarig.use_as_layer"].text == "Use as Layer"
    bpy.ops.neurarig.use_as_layer()
    assert "neurarig.use_as_layer" not in shown("NEURARIG_PT_walk", "operator")


def test_a_walk_along_a_path_asks_for_its_curve(walking):
    settings = walking.neurarig.walk
    options = shown("NEURARIG_PT_path", "prop")
    assert not options["travel_with"].active and "slow_in_bends" not in options
    settings.mode = "TRAVEL"
    assert shown("NEURARIG_PT_path", "prop")["travel_with"].active and "path" not in shown(
        "NEURARIG_PT_walk", "prop"
    )
    settings.mode = "PATH"
    assert {"travel_with", "slow_in_bends"} <= set(shown("NEURARIG_PT_path", "prop"))
    assert {"ground", "ground_collection"} <= set(shown("NEURARIG_PT_ground", "prop"))
    widgets = drawn("NEURARIG_PT_walk")
    assert {"path", "is_due", "arrive"} <= set(of_kind(widgets, "prop")) and "until it has a path" in texts(
        widgets
    )
    assert of_kind(widgets, "operator")["neurarig.add_marker"].text == "Add Waypoint"
    settings.path = bpy.data.objects.new("Way", bpy.data.curves.new("Way", "CURVE"))
    bpy.context.scene.collection.objects.link(settings.path)
    assert "until it has a path" not in texts(drawn("NEURARIG_PT_walk"))


def test_on_a_path_the_pace_is_that_of_the_frame_and_who_stands_is_said_to():
    way = bpy.data.objects.new("Way", bpy.data.curves.new("Way", "CURVE"))
    bpy.context.scene.collection.objects.link(way)
    spline = way.data.splines.new("POLY")
    spline.points.add(1)
    spline.points[1].co = (0.0, -9.0, 0.0, 1.0)
    make_active(walker(mode="PATH", path=way, markers=[{"distance": 2.0, "frame": 90, "pause": 3.0}]))
    bpy.context.scene.frame_set(1)
    assert "Stands at this frame" in texts(drawn("NEURARIG_PT_timing"))
    bpy.context.scene.frame_set(60)
    assert " m in " in texts(drawn("NEURARIG_PT_timing")) and "Stands" not in texts(
        drawn("NEURARIG_PT_timing")
    )
    widgets = drawn("NEURARIG_PT_walk")
    assert "2 m, frame 90, 3 s" in texts(widgets) and {"pause", "frame", "turn", "distance"} <= set(
        of_kind(widgets, "prop")
    )
    assert {"neurarig.add_marker", "neurarig.remove_marker"} <= set(of_kind(widgets, "operator"))
    bpy.context.view_layer.objects.active.neurarig.walk.mode = "TRAVEL"
    assert "pause" not in shown("NEURARIG_PT_walk", "prop")


def walks() -> list[Drawn]:
    """Return the buttons of the presets."""
    return [widget for widget in drawn("NEURARIG_PT_manners") if widget.name == "neurarig.apply_preset"]


def test_presets_that_are_your_own_can_be_removed(walking, monkeypatch, tmp_path):
    monkeypatch.setattr(presets, "_user_folder", lambda kind: tmp_path)
    shipped = walks()
    bpy.ops.neurarig.add_preset(kind="WALK", preset="Mine")
    assert [widget.text for widget in walks()] == [*(widget.text for widget in shipped), "Mine"]
    assert walks()[-1].values == {"kind": "WALK", "preset": "Mine"} and "depress=True" in walks()[-1].how
    own = drawn("NEURARIG_PT_walk")
    assert of_kind(own, "popover")["NEURARIG_PT_manners"].text == "Mine"
    assert of_kind(own, "operator")["neurarig.remove_preset"].values == {"kind": "WALK", "preset": "Mine"}
    assert of_kind(own, "operator")["neurarig.add_preset"].values == {"kind": "WALK"}
    bpy.ops.neurarig.apply_preset(kind="WALK", preset="Brisk")
    assert "neurarig.remove_preset" not in shown("NEURARIG_PT_walk", "operator")
    monkeypatch.setattr(presets, "_user_folder", lambda kind: tmp_path / "none")
    assert texts(drawn("NEURARIG_MT_role_presets")) == "None saved yet"


def test_figures_past_their_limit_are_red_and_old_ones_grey(walking):
    widgets = drawn("NEURARIG_PT_contacts")
    assert "Foot Slip 0.00 / 0.00 mm" in texts(widgets) and not any(
        widget.alert or not widget.active for widget in widgets
    )
    for bone in ("LeftUpLeg", "LeftLeg", "LeftFoot"):
        for constraint in walking.pose.bones[bone].constraints:
            constraint.mute = True
    bpy.ops.neurarig.check_contacts()
    assert drawn("NEURARIG_PT_contacts", header=True)[0].icon == "ERROR"
    widgets = drawn("NEURARIG_PT_contacts")
    assert "Foot Slip" in {widget.text for widget in widgets if widget.alert} and "Step Rate" not in {
        w.text for w in widgets if w.alert
    }
    walking.neurarig.walk.speed *= 1.1
    widgets = drawn("NEURARIG_PT_contacts")
    assert widgets[0].text == "Out of date: settings changed" and widgets[0].active
    assert not next(widget for widget in widgets if widget.text == "Foot Slip").active
    assert of_kind(widgets, "operator")["neurarig.check_contacts"].active


def test_bones_and_controls_are_listed_in_words(walking):
    assert f"{sum(bool(item.bone) for item in walking.neurarig.roles)} bones found" in texts(
        drawn("NEURARIG_PT_rig")
    )
    roles = walking.neurarig.roles
    widgets = drawn("NEURARIG_PT_roles")
    assert "Click Detect Rig" not in texts(widgets)
    labels = [widget.text for widget in widgets if widget.kind == "label"]
    assert len([widget for widget in widgets if (widget.kind, widget.name) == ("prop", "bone")]) == len(roles)
    assert labels[-1] == f"Pelvis: {roles[0].bone}" and "Left Thigh" in labels
    walking.neurarig.active_role = len(roles)
    assert labels[-1] not in [widget.text for widget in drawn("NEURARIG_PT_roles") if widget.kind == "label"]
    walking.neurarig.active_role = 0
    roles[0].bone = ""
    assert "Pelvis: no bone" in texts(drawn("NEURARIG_PT_roles"))
    assert texts(drawn("NEURARIG_PT_controls")) == "Drives a control layer that NeuraRig added."
    line = walking.neurarig.control_bones.add()
    line.role, line.bone = "foot_ik.L", "LeftFoot"
    widgets = drawn("NEURARIG_PT_controls")
    assert "NEURARIG_UL_controls" in of_kind(widgets, "list") and "Left Foot IK: LeftFoot" in texts(widgets)


def test_a_bake_button_says_whether_it_loops(walking):
    frames, loop = (
        widget.values for widget in drawn("NEURARIG_PT_walk") if widget.name == "neurarig.bake_walk"
    )
    assert (frames, loop) == ({"loop": False, "check": True}, {"loop": True, "check": True})
