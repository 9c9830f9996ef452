"""Every button is found by Blender's search and says what it needs; things and actions have entries under the
right mouse button."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.interface import menus
from neurarig_addon.blender.interface.operator import NEEDS
from neurarig_addon.blender.walk.manner import presets
from tests.blender.drawing import Drawn, Layout, drawn
from tests.blender.leading import curve
from tests.blender.situated import STATES
from tests.rigs import make_active


def begin(state: str) -> bpy.types.Object:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    STATES[state]()
    return bpy.context.view_layer.objects.active


def in_menus(name: str = "NEURARIG_MT_character") -> Iterator[Drawn]:
    """Yield what Blender's search goes through: a menu, and all that open from it."""
    for widget in drawn(name):
        yield widget
        if widget.kind == "menu":
            yield from in_menus(widget.name)


def test_blenders_search_finds_every_button(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presets, "_user_folder", lambda kind: tmp_path / kind)
    for kind in (presets.WALK, presets.STYLE):
        presets.own_file(kind, "Mine").write_text("{}", "utf-8")
    begin("in styles")
    widgets = [widget for widget in in_menus() if widget.kind in ("operator", "enum")]
    assert {widget.name for widget in widgets} == {f"neurarig.{name}" for name in dir(bpy.ops.neurarig)}
    texts = [widget.text for widget in widgets if widget.text != "Mine"]
    assert sorted(set(texts)) == sorted(texts), "no name stands for two things"
    for_one_name = {"preset", "style", "profile", "name", "place"}
    given = {widget.text: widget.values for widget in widgets if not for_one_name & set(widget.values)}
    assert {text: values for text, values in given.items() if values} == {
        "Bake Walk…": {"check": True},
        "Save Walk as Preset…": {"kind": "WALK"},
        "Apply Bake": {"keep_bake": True},
        "Apply Retarget": {"keep_clip": True},
        "Key Pose": {"key": True},
        "Mirror Pose Left to Right": {"side": "L"},
        "Mirror Pose Right to Left": {"side": "R"},
        "Apply Targets": {"keep_pose": True},
    }


@pytest.mark.parametrize("state", STATES)
def test_every_button_says_what_it_does_needs_and_lacks(state: str) -> None:
    begin(state)
    for kind in bpy.types.Operator.__subclasses__():
        if not getattr(kind, "bl_idname", "").startswith("neurarig."):
            continue
        operator = getattr(bpy.ops.neurarig, kind.bl_idname.partition(".")[2])
        assert operator.get_rna_type().description, kind
        if hasattr(kind, "needs"):
            assert (kind.needs or NEEDS[kind.holder]).startswith("Needs "), kind
        if not operator.poll():
            with pytest.raises(RuntimeError) as refused:
                operator()
            assert "context is incorrect" not in str(refused.value), kind


def under_the_mouse(draw: object, context: object = None) -> dict[str, dict[str, object]]:
    """Return the buttons that we draw in a menu of Blender's, with their settings."""
    widgets: list[Drawn] = []
    draw(SimpleNamespace(layout=Layout(widgets)), context or bpy.context)
    return {widget.name: widget.values for widget in widgets if widget.kind == "operator"}


def test_a_right_click_on_a_thing_has_the_character_walk_there() -> None:
    hero = begin("free")
    path = curve([(0.0, 0.0), (0.0, -5.0)])
    bpy.ops.mesh.primitive_plane_add(size=50.0)
    plane = bpy.context.view_layer.objects.active
    for thing, name in ((path, "walk_along"), (plane, "walk_on")):
        make_active(hero)
        thing.select_set(True)
        bpy.context.view_layer.objects.active = thing
        assert list(under_the_mouse(menus._draw_of_object)) == [f"neurarig.{name}"]
        assert getattr(bpy.ops.neurarig, name)() == {"FINISHED"}
    walk = hero.neurarig.walk
    assert walk.live and walk.mode == "PATH" and (walk.path, walk.ground) == (path, plane)
    make_active(hero)
    assert under_the_mouse(menus._draw_of_object) == {}
    assert not bpy.ops.neurarig.walk_on.poll()


def test_a_right_click_on_an_action_makes_it_a_layer() -> None:
    hero = begin("walks")
    hero.pose.bones["LeftArm"].keyframe_insert("rotation_quaternion", frame=5)
    action = hero.animation_data.action
    api.remove_walk(hero)
    api.generate_walk(hero, use_network=False)
    shown = SimpleNamespace(type="DOPESHEET_EDITOR", action=action)
    context = SimpleNamespace(
        space_data=shown, view_layer=bpy.context.view_layer, selected_objects=[hero], scene=bpy.context.scene
    )
    buttons = under_the_mouse(menus._draw_of_action, context)
    chosen = {"action": action.name}
    assert buttons == {"neurarig.use_as_layer": chosen, "neurarig.make_parametric": chosen}
    bpy.ops.neurarig.use_as_layer(**buttons["neurarig.use_as_layer"])
    assert hero.neurarig.walk.layer_action == action
