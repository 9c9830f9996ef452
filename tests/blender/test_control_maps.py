"""Control maps: corrected by hand, saved as presets, searched by a button, and documented."""

import re
from dataclasses import replace
from pathlib import Path

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.character.controls.attachment import CONTROLS, read
from neurarig_addon.blender.character.controls.stored_map import stored_map
from neurarig_addon.blender.rig.control_text import posed_by, switch_lines
from neurarig_addon.blender.walk.manner import presets
from neurarig_addon.core.controls.control_map import FK, IK
from tests import control_rigs
from tests.refusals import refuses

pytestmark = [
    pytest.mark.skipif(not control_rigs.ROWS, reason="the shared control rigs are not here"),
]

ROWS = pytest.mark.parametrize("row", control_rigs.ROWS, ids=lambda row: row["file"].removesuffix(".blend"))
# What the skin between two controls does apart.
OTHERWISE = {
    "takes_a_clip": {"conv_fk_armature_constraint": ("IK", "FK")},
    "follows_targets": {"conv_fk_armature_constraint": ("IK", "FK")},
}


def test_a_corrected_line_stays() -> None:
    row = next(row for row in control_rigs.ROWS if "flat_def" in row["file"])
    obj = control_rigs.load(row)
    api.find_controls(obj)
    obj.neurarig.control_bones["chest"].bone = "CTRL-Neck"
    api.find_controls(obj)
    assert stored_map(obj).get("chest") == "CTRL-Neck"
    assert stored_map(obj).get("foot_ik.L") == "CTRL-Foot.L"


def test_a_control_map_is_a_preset(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presets, "_user_folder", lambda kind: tmp_path / kind)
    row = next(row for row in control_rigs.ROWS if "flat_def" in row["file"])
    first, second = control_rigs.load(row), control_rigs.load(row)
    known = api.find_controls(first)
    api.save_preset(first, "Studio", presets.CONTROLS)
    api.apply_preset(second, "Studio", presets.CONTROLS)
    assert stored_map(second) == replace(known, name="Studio")
    assert posed_by(second) == f"{len(known.controls)} controls found, as 'Studio' has them."
    assert known.switches["leg.L"] == {
        "IK": {'pose.bones["CTRL-Foot.L"]["IK"]': 1.0},
        "FK": {'pose.bones["CTRL-Foot.L"]["IK"]': 0.0},
    }
    (line,) = [line for line in switch_lines(second) if line[0] == "Left Leg"]
    assert line[1] == "IK 1, FK 0: IK"
    api.generate_walk(second)
    assert read(second.neurarig.attachment)["kind"] == CONTROLS


def test_the_button_finds_controls_and_refuses_a_character_that_walks() -> None:
    row = next(row for row in control_rigs.ROWS if "ue_controlrig" in row["file"])
    obj = control_rigs.load(row)
    assert bpy.ops.neurarig.find_controls() == {"FINISHED"}
    assert stored_map(obj).get("foot_ik.L") == "foot_ik_l_ctrl"
    assert "controls found" in posed_by(obj)
    api.generate_walk(obj)
    assert posed_by(obj) == "Drives the rig's IK controls."
    with refuses("Remove Walk"):
        api.find_controls(obj)


@pytest.mark.few(30)
@ROWS
def test_the_documented_table_says_what_the_tests_hold(row: dict[str, str]) -> None:
    file = Path(__file__).resolve().parents[2] / "docs" / "reference" / "rig-conventions.md"
    lines = [
        line for line in file.read_text(encoding="utf-8").splitlines() if re.search(r"/ (own|bones) \|", line)
    ]
    table = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    cells = table[control_rigs.ROWS.index(row)]
    assert cells[:2] == [row["family"], row["bone_count"]]
    name = row["file"].removesuffix(".blend").removeprefix("ctl_")
    others = [(False, False)]  # walks
    others += [
        tuple(way in OTHERWISE[feature].get(name, ()) for way in (IK, FK))
        for feature in ("takes_a_clip", "follows_targets")
    ]
    words = [f"{'layer' if ik else 'own'} / {'bones' if fk else 'own'}" for ik, fk in others]
    assert cells[3:6] == words
