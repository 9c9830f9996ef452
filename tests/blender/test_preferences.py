"""What the preferences hold is what a new walk, a bake and the viewport begin with."""

from collections.abc import Iterator
from pathlib import Path

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.interface.addon import ADDON_ID
from neurarig_addon.blender.walk.bake.bake_options import OPTIONS
from neurarig_addon.blender.walk.manner import presets
from tests.blender.drawing import Layout, stand_in
from tests.rigs import biped, build, make_active


@pytest.fixture
def preferred() -> Iterator[bpy.types.AddonPreferences]:
    addon = bpy.context.preferences.addons.new()
    addon.module = ADDON_ID
    yield addon.preferences
    bpy.context.preferences.addons.remove(addon)


def test_a_new_walk_begins_with_the_preset_and_an_old_one_stays(
    preferred: bpy.types.AddonPreferences,
) -> None:
    preferred.new_walk = "Heavy"
    hero = build(biped(), "Hero")
    bpy.ops.neurarig.generate_walk()
    assert hero.neurarig.walk.preset == "Heavy"
    api.apply_preset(hero, "Brisk")
    bpy.ops.neurarig.generate_walk()
    assert hero.neurarig.walk.preset == "Brisk"
    set_by_hand = build(biped(), "Other")
    set_by_hand.neurarig.walk.energy = 0.5
    make_active(set_by_hand)
    bpy.ops.neurarig.generate_walk()
    assert set_by_hand.neurarig.walk.preset == "" and set_by_hand.neurarig.walk.energy == 0.5


def test_the_dialog_of_a_bake_begins_as_preferred(preferred: bpy.types.AddonPreferences) -> None:
    hero = build(biped(), "Hero")
    api.generate_walk(hero, use_network=False, styles={"Sad": 1.0})
    preferred.keys, preferred.push_nla = "DENSE", True
    preferred.bake_name = "{gait}_{style}_{character}"
    dialog = stand_in(bpy.types.NEURARIG_OT_bake_walk, None)
    assert _begun(dialog) == {
        "keys": "DENSE", "push_nla": True, "target": "CONTROLS", "action_name": "Walk_Sad_Hero"
    }  # fmt: skip


def _begun(dialog: object) -> dict[str, object]:
    """Return what the dialog asks for at first; it cannot be opened without a window."""
    names = ("keys", "push_nla", "target", "action_name")
    vars(dialog).update({option.name: option.default for option in OPTIONS}, frame_start=1, frame_end=250)
    dialog.begin(bpy.context)
    return {name: getattr(dialog, name) for name in names}


def test_the_preferences_list_what_is_saved_and_open_its_folder(
    preferred: bpy.types.AddonPreferences, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presets, "_user_folder", lambda kind: tmp_path / kind)
    presets.own_file(presets.STYLE, "Mine").write_text("{}", "utf-8")
    widgets: list = []
    names = (prop.identifier for prop in preferred.bl_rna.properties)
    values = {name: getattr(preferred, name) for name in names if name != "rna_type"}
    own = stand_in(type(preferred), Layout(widgets), **values)
    own.draw(bpy.context)
    assert [widget.text for widget in widgets if widget.kind == "label"][-2:] == ["Saved Styles", "Mine"]
    folders = [widget.values["filepath"] for widget in widgets if widget.name == "wm.path_open"]
    assert folders == [str(tmp_path / presets.STYLE)]
