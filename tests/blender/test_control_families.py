"""Families whose controls are known: recognised by names, verified by moving them."""

import json
import random
from dataclasses import replace

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation.steps import finish
from neurarig_addon.blender.character.controls.attachment import CONTROLS, CONTROLS_FK
from neurarig_addon.blender.character.controls.probing.read_rig import probe
from neurarig_addon.blender.character.controls.stored_map import stored_map
from neurarig_addon.blender.character.read_armature import read_skeleton
from neurarig_addon.core.controls import families as known
from neurarig_addon.core.controls.control_map import ControlMap
from tests import control_rigs

pytestmark = [
    pytest.mark.skipif(not control_rigs.ROWS, reason="the shared control rigs are not here"),
]

ROWS = pytest.mark.parametrize("row", control_rigs.ROWS, ids=lambda row: row["file"].removesuffix(".blend"))


def found_on(row: dict[str, str], scramble: bool = False) -> tuple[ControlMap, dict[str, str]]:
    """Return the map that probing finds on a rig, and what its bones are called."""
    obj = control_rigs.load(row)
    names = control_rigs.scramble(obj) if scramble else {bone.name: bone.name for bone in obj.data.bones}
    roles = control_rigs.called(control_rigs.true_roles(row), names)
    return finish(probe.steps(obj, read_skeleton(obj, bpy.context.scene), roles)), names


KNOWN = {
    "arp_avrtar": "Auto-Rig Pro",
    "cloudrig_human_opts": "CloudRig",
    "conv_rigify_legacy26": "Rigify (Blender 2.6)",
    "conv_ue_controlrig": "Unreal Control Rig",
    "gamerig_human": "GameRig",
    "mixamo_control_rig": "Mixamo Control Rig",
    "mmd_english": "MikuMikuDance (English)",
    "rigify_basic_fk_state": "Rigify",
    "rigify_human_blender50": "Rigify",
    "rigify_super_limb_super_spine": "Rigify",
}


@ROWS
@pytest.mark.parametrize("scramble", [False, True], ids=["named", "scrambled"])
def test_a_known_family_is_known_by_its_names_alone(row: dict[str, str], scramble: bool) -> None:
    if not control_rigs.is_readable(row):
        pytest.skip("saved by a newer Blender")
    name = row["file"].removesuffix(".blend").removeprefix("ctl_")
    assert found_on(row, scramble)[0].name == ("" if scramble else KNOWN.get(name, ""))


@pytest.mark.parametrize("kind", ["AUTO", "FK"])
def test_a_japanese_rig_is_known_detected_and_driven(kind: str) -> None:
    """The English rig, its controls called as Japanese models call them."""
    by_name = {family.name: family for family in known.families()}
    english, japanese = by_name["MikuMikuDance (English)"], by_name["MikuMikuDance (Japanese)"]
    obj = control_rigs.load(next(row for row in control_rigs.ROWS if "mmd_english" in row["file"]))
    for role, bone in english.controls.items():
        if bone in obj.data.bones and japanese.get(role):
            obj.data.bones[bone].name = japanese.get(role)
    report = api.generate_walk(obj, controls=kind)
    assert stored_map(obj).name == japanese.name
    assert json.loads(obj.neurarig.attachment)["kind"] == (CONTROLS if kind == "AUTO" else CONTROLS_FK)
    assert report["past_limits"] == [] and report["integrity_percent"] < 0.1


@pytest.mark.parametrize("seed", range(3))
def test_a_wrong_map_of_a_family_is_not_believed(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    row = next(row for row in control_rigs.ROWS if "arp_avrtar" in row["file"])
    right = next(family for family in known.families() if family.name == "Auto-Rig Pro")
    bones = list(right.controls.values())
    random.Random(seed).shuffle(bones)
    wrong = replace(right, controls=dict(zip(right.controls, bones, strict=True)))
    monkeypatch.setattr(known, "families", lambda: (wrong,))
    guessed, _ = found_on(row)
    monkeypatch.setattr(known, "families", lambda: ())
    assert guessed == found_on(row)[0]
