"""What the panels of Retarget and Neural Pose, and the word in the FBX exporter, show in each state."""

from types import SimpleNamespace

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.interface import exporters
from tests.blender.drawing import drawn, of_kind, texts
from tests.blender.panel_shown import shown
from tests.blender.posing import drag
from tests.blender.retargeting import actor
from tests.blender.walking import walker
from tests.rigs import biped, build, make_active


@pytest.fixture
def hero() -> bpy.types.Object:
    """Return a character that nothing moves."""
    obj = build(biped(), "Hero")
    make_active(obj)
    return obj


def values_of(widgets, name: str) -> list[dict]:
    return [widget.values for widget in widgets if (widget.kind, widget.name) == ("operator", name)]


def test_a_retarget_asks_for_a_file_or_another_armature(hero):
    settings = hero.neurarig.retarget
    settings.source_kind = "FILE"
    widgets = drawn("NEURARIG_PT_retarget")
    assert "file" in of_kind(widgets, "prop") and not {"source", "action"} & set(of_kind(widgets, "prop"))
    assert "neurarig.retarget_actions" not in of_kind(widgets, "operator")
    settings.source_kind = "ARMATURE"
    widgets = drawn("NEURARIG_PT_retarget")
    assert {"source", "action"} <= set(of_kind(widgets, "prop")) and "file" not in of_kind(widgets, "prop")
    assert "neurarig.retarget_actions" in of_kind(widgets, "operator")
    assert texts(widgets) == "Target Bones Found automatically" and not drawn("NEURARIG_PT_source_bones")
    settings.source, _ = actor()
    make_active(hero)
    widgets = drawn("NEURARIG_PT_retarget")
    assert f"Source Bones {len(settings.source.neurarig.roles)} found Target Bones" in texts(widgets)
    assert drawn("NEURARIG_PT_source_bones")[0].values == {"armature": "Actor"}
    settings.source_kind = "FILE"
    assert not drawn("NEURARIG_PT_source_bones")


def test_what_a_choice_makes_meaningless_is_grey(hero):
    settings = hero.neurarig.retarget
    settings.contacts, settings.use_frame_start, settings.root = False, False, "PELVIS"
    props = shown("NEURARIG_PT_retarget_options", "prop")
    assert (
        not props["hands"].active
        and not props["frame_start"].active
        and "root_smoothing" not in props
        and props["controls"].active
    )
    settings.contacts, settings.use_frame_start = True, True
    for root, smoothed in (("OBJECT", True), ("BONE", True), ("IN_PLACE", False)):
        settings.root = root
        props = shown("NEURARIG_PT_retarget_options", "prop")
        assert (
            props["hands"].active and props["frame_start"].active and ("root_smoothing" in props) == smoothed
        )


def test_a_linked_clip_can_be_paused_applied_and_removed(hero):
    settings = hero.neurarig.retarget
    settings.source, _ = actor()
    make_active(hero)
    widgets = drawn("NEURARIG_PT_retarget")
    assert (
        "live" not in of_kind(widgets, "prop")
        and of_kind(widgets, "operator")["neurarig.link_retarget"].text == "Live Link"
    )
    assert not values_of(widgets, "neurarig.remove_retarget")
    api.link_retarget(hero)
    widgets = drawn("NEURARIG_PT_retarget")
    assert (
        of_kind(widgets, "prop")["live"].icon == "PLAY"
        and not shown("NEURARIG_PT_retarget_options", "prop")["controls"].active
    )
    assert values_of(widgets, "neurarig.remove_retarget") == [{"keep_clip": True}, {}]
    settings.live = False
    assert shown("NEURARIG_PT_retarget", "prop")["live"].icon == "PAUSE"
    assert shown("NEURARIG_PT_retarget_options", "prop")["controls"].active
    settings.error = "Its source is gone; choose another."
    assert texts(widget for widget in drawn("NEURARIG_PT_retarget") if widget.alert) == settings.error
    assert drawn("NEURARIG_PT_retarget", header=True)[0].icon == "ERROR"
    settings.error = ""
    assert not drawn("NEURARIG_PT_retarget", header=True)


def test_targets_are_listed_with_what_they_miss(hero):
    widgets = drawn("NEURARIG_PT_neural_pose")
    assert of_kind(widgets, "prop")["controls"].active and not of_kind(widgets, "list")
    assert set(of_kind(widgets, "operator")) == {"neurarig.pose_targets"}
    api.pose_targets(hero, ["wrist.L", "pelvis"])
    own = hero.neurarig.neural_pose
    widgets = drawn("NEURARIG_PT_neural_pose")
    props = of_kind(widgets, "prop")
    assert not props["controls"].active and props["live"].icon == "PLAY"
    assert values_of(widgets, "neurarig.remove_targets") == [{"keep_pose": True}, {}]
    assert values_of(widgets, "neurarig.solve_pose") == [{}, {"key": True}]
    assert [values["point"] for values in values_of(widgets, "neurarig.select_target")] == [
        item.point for item in own.targets
    ]
    assert [w.icon for w in widgets if w.name == "use"] == ["HIDE_OFF"] * 2 and not any(
        widget.alert for widget in widgets
    )
    hand = next(item for item in own.targets if item.point == "wrist.L")
    for item in own.targets:
        item.lock = True
    drag(hero, {"wrist.L": (5.0, 0.0, 0.0)})
    bpy.context.view_layer.update()
    red = [widget for widget in drawn("NEURARIG_PT_neural_pose") if widget.alert]
    assert len(red) == 1 and red[0].text.endswith("m")
    hand.use = False
    widgets = drawn("NEURARIG_PT_neural_pose")
    assert (
        not any(widget.alert for widget in widgets)
        and not next(w for w in widgets if w.text == "Left Hand").active
    )
    assert sorted(w.icon for w in widgets if w.name == "use") == ["HIDE_OFF", "HIDE_ON"]
    own.live = False
    assert of_kind(drawn("NEURARIG_PT_neural_pose"), "prop")["live"].icon == "PAUSE"


def test_a_target_of_another_armature_has_a_bone_and_one_that_is_gone_says_so(hero):
    api.pose_targets(hero, ["wrist.L"])
    own = hero.neurarig.neural_pose
    item = own.targets[0]
    item.lock = False
    props = of_kind(drawn("NEURARIG_PT_neural_pose"), "prop")
    assert "bone" not in props and props["weight"].active
    item.lock = True
    assert not of_kind(drawn("NEURARIG_PT_neural_pose"), "prop")["weight"].active
    other = build(biped(), "Other")
    make_active(hero)
    api.choose_target(hero, "wrist.L", other, "LeftHand")
    widgets = drawn("NEURARIG_PT_neural_pose")
    assert (
        "bone" in of_kind(widgets, "prop")
        and "LeftHand" in texts(widgets)
        and "No object" not in texts(widgets)
    )
    own.active_target = len(own.targets)
    assert "weight" not in of_kind(drawn("NEURARIG_PT_neural_pose"), "prop")
    item.object = None
    assert "No object" in texts(drawn("NEURARIG_PT_neural_pose"))


def test_a_recording_is_a_file_an_object_or_a_collection(hero):
    own = hero.neurarig.neural_pose
    for kind, asked in (("FILE", "file"), ("OBJECT", "source"), ("COLLECTION", "collection")):
        own.source_kind = kind
        props = set(of_kind(drawn("NEURARIG_PT_solve_mocap"), "prop"))
        assert (
            props & {"file", "source", "collection"} == {asked}
            and {"mapping", "contacts", "resize", "mend", "clip_noise"} <= props
        )


def test_the_fbx_exporter_says_whether_live_characters_stand_still():
    obj = walker()
    exporter = bpy.ops.export_scene.fbx.get_rna_type()
    values = {name: exporter.properties[name].default for name in (*exporters.ACTIONS_ONLY, "bake_anim")}

    class Exporter(SimpleNamespace):
        bl_rna = exporter

    def said(**changes: object) -> list:
        context = SimpleNamespace(scene=bpy.context.scene, space_data=SimpleNamespace())
        context.space_data.active_operator = Exporter(
            **({"bl_idname": exporters.EXPORTER} | values | changes)
        )
        return drawn("NEURARIG_PT_export_fbx", context=context)

    stands = said(bake_anim=True, **dict.fromkeys(exporters.ACTIONS_ONLY, True))
    assert "would stand still" in texts(stands) and [w.icon for w in stands if w.kind == "label"][:2] == [
        "ERROR",
        "BLANK1",
    ]
    assert set(of_kind(stands, "prop")) == set(exporters.ACTIONS_ONLY)
    for moves in (
        said(bake_anim=True, **dict.fromkeys(exporters.ACTIONS_ONLY, False)),
        said(bake_anim=False),
    ):
        assert texts(moves) == "Live characters are exported as they are seen." and moves[0].icon == "INFO"
    one = dict.fromkeys(exporters.ACTIONS_ONLY, False) | {exporters.ACTIONS_ONLY[-1]: True}
    assert "would stand still" in texts(said(bake_anim=True, **one))
    assert said(bl_idname="EXPORT_SCENE_OT_other") == []
    api.remove_walk(obj)
    assert said() == []
