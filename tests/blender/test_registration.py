"""Enabling and disabling leaves nothing behind, however often."""

import json
import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np
import pytest

import neurarig_addon
from neurarig_addon.blender import cli
from neurarig_addon.blender.character import moving
from neurarig_addon.blender.character.changes import Changes
from neurarig_addon.blender.interface import menus
from neurarig_addon.core.gait.sliders.style import SLIDERS, Style
from tests.blender.walking import seen, walker

# Enabling is to cost 0.1 s of the processor's time and 10 MB (`python -m benchmarks enable_cost`), which goes
# with the modules that it reads: those that declare buttons, panels and settings, and tables of these rooms.
MOST_READ = 250
TABLES = {
    "retarget",
    "waves",
    "people",
    "controls",
    "skeleton",
    "geometry",
    "language",
    "acts",
    "keys",
    "follow",
    "files",
    "logic",
    "styles",
    "character",
    "gait",
    "report",
    "errors",
    "later",
    "steps",
    "blend",
    "detection",
    "easing",
    "memory",
    "body",
    "shipped",
    "posing",
    "hands",
    "contract",
    "path",
    "ground",
    "ikrig",
    "over",
    "neural",
    "sequence",
    "sets",
}
REPOSITORY = Path(__file__).resolve().parents[2]
ENABLED = """
import json, os, sys
import bpy
import neurarig_addon
from neurarig_addon.core.later import Later

def read():
    ours = [(name, kind) for name, kind in sys.modules.items() if name.startswith("neurarig_addon.")]
    return [name for name, kind in ours if type(kind) is not Later and not hasattr(kind, "__path__")]

neurarig_addon.register()
enabled = read()
bpy.ops.wm.read_homefile(use_empty=False)
bpy.context.scene.frame_set(7)
bpy.context.object.location.x = 1.0
bpy.context.view_layer.update()
at_work = read()
bpy.ops.wm.open_mainfile(filepath=sys.argv[1])
bpy.context.scene.frame_set(7)
hero = bpy.data.objects["Hero"].evaluated_get(bpy.context.evaluated_depsgraph_get())
posed = [list(hero.matrix_world @ bone.head) for bone in hero.pose.bones]
neurarig_addon.unregister()
print(json.dumps([enabled, at_work, posed]), flush=True)
os._exit(0)  # Blender 4.2 as a module crashes as Python ends
"""


@pytest.fixture(autouse=True)
def registered() -> None:
    """Leave that to each test."""


def everything_registered() -> dict[str, object]:
    """Return all places in which an add-on leaves traces."""
    handlers = bpy.app.handlers
    return {
        "handlers": {
            name: list(found) for name in dir(handlers) if isinstance(found := getattr(handlers, name), list)
        },
        "types": sorted(dir(bpy.types)),
        "object properties": sorted(dir(bpy.types.Object)),
        "scene properties": sorted(dir(bpy.types.Scene)),
        "operators": sorted(dir(bpy.ops.neurarig)),
        "menu entries": {name: list(getattr(bpy.types, name)._dyn_ui_initialize()) for name in menus._PLACES},
        "commands": list(cli._handles),
        "listeners": listeners(),
    }


def listeners() -> dict[str, list[object]]:
    """Return who listens in every module of ours: the listeners of changes, and what else registering adds
    to."""
    found: dict[str, list[object]] = {}
    for name, module in sorted(sys.modules.items()):
        if name.startswith("neurarig_addon.blender"):
            for word, value in vars(module).items():
                there = value.listeners if isinstance(value, Changes) else value
                if isinstance(there, list) and there is not cli._handles:  # these are the commands
                    found[f"{name}.{word}"] = [_named(one) for one in there]
    return found


def _named(one: object) -> object:
    """Return a shortcut `(keymap, item)` by its names, as Blender makes another item each time."""
    match one:
        case (bpy.types.KeyMap() as keymap, bpy.types.KeyMapItem() as item):
            return keymap.name, item.idname, item.type
    return one


def test_enabling_reads_little_and_characters_walk_all_the_same(
    addon: None, fresh_file: None, tmp_path: Path
) -> None:
    expected = seen(walker("Hero"), 7)[:, 0]
    file = str(tmp_path / "hero.blend")
    bpy.ops.wm.save_as_mainfile(filepath=file)
    told = subprocess.check_output([sys.executable, "-B", "-c", ENABLED, file], cwd=REPOSITORY, text=True)
    enabled, at_work, posed = json.loads(told.splitlines()[-1])
    assert len(enabled) <= MOST_READ, sorted(enabled)
    assert {name.split(".")[2] for name in enabled if ".core." in name} <= TABLES
    assert at_work == enabled
    np.testing.assert_allclose(posed, expected, atol=1e-6)


def test_disabling_leaves_nothing_behind(fresh_file: None) -> None:
    neurarig_addon.register()
    walker("Hero")  # registers what follows characters, and imports what is imported late
    neurarig_addon.unregister()
    before = everything_registered()
    enabled = []
    for _ in range(2):
        neurarig_addon.register()
        enabled.append({name: found for name, found in everything_registered().items() if name != "commands"})
        neurarig_addon.unregister()
        assert everything_registered() == before
    assert enabled[0] == enabled[1]
    assert enabled[0]["types"] != before["types"]
    assert enabled[0]["listeners"] != before["listeners"]


def test_a_walker_whose_add_on_is_disabled_has_no_driver_that_blender_complains_of(
    addon: None, fresh_file: None, capfd: pytest.CaptureFixture[str]
) -> None:
    obj = walker("Hero")
    obj.driver_add("hide_render").driver.expression = "0"
    paths = {"hide_render", moving.PATH}
    assert {driver.data_path for driver in obj.animation_data.drivers} == paths
    neurarig_addon.unregister()
    bpy.context.scene.frame_set(5)
    assert "Invalid driver" not in "".join(capfd.readouterr())
    assert [driver.data_path for driver in obj.animation_data.drivers] == ["hide_render"]
    neurarig_addon.register()
    bpy.context.scene.frame_set(6)
    assert {driver.data_path for driver in obj.animation_data.drivers} == paths


def test_every_slider_is_a_property_with_the_natural_walk_as_default(addon: None) -> None:
    properties = (
        bpy.types.Object.bl_rna.properties["neurarig"].fixed_type.properties["walk"].fixed_type.properties
    )
    for slider in SLIDERS:
        found = properties[slider]
        assert found.type == "FLOAT" and found.is_animatable and found.is_overridable, slider
        assert abs(found.default - getattr(Style(), slider)) < 1e-6, slider
        assert found.description and found.hard_min <= found.soft_min < found.soft_max <= found.hard_max, (
            slider
        )


def test_every_button_says_what_it_does(addon: None) -> None:
    for name in dir(bpy.ops.neurarig):
        kind = getattr(bpy.ops.neurarig, name).get_rna_type()
        assert kind.description, name
        for prop in kind.properties:
            assert prop.description or prop.is_hidden or prop.identifier in ("rna_type", "preset"), (
                name,
                prop.identifier,
            )
