"""Names of many conventions come apart into layer, side and words; tables are read or refused."""

import json
from time import process_time

import pytest

from neurarig_addon.core.detection.conventions import conventions, read_convention
from neurarig_addon.core.skeleton.naming import plain_name, plain_names
from neurarig_addon.core.skeleton.roles import LEG_PARTS
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("name", "layer", "side", "core"),
    [
        ("mixamorig:LeftUpLeg", "", "L", "upleg"),
        ("LHipJoint", "", "L", "hipjoint"),
        ("lThigh", "", "L", "thigh"),
        ("rfemur", "", "R", "femur"),
        ("lowerback", "", "", "lowerback"),
        ("Lefthand", "", "L", "hand"),
        ("ShoulderRight", "", "R", "shoulder"),
        ("L5", "", "", "l5"),
        ("Spine_M", "", "", "spine"),
        ("C_Head", "", "", "head"),
        ("C", "", "", "c"),
        ("右ひざ", "", "R", "ひざ"),
        ("ひざ.L", "", "L", "ひざ"),
        ("左足ＩＫ", "", "L", "足ik"),
        ("thighFBXASC046L", "", "L", "thigh"),
        ("DEF-thigh.L.001", "def", "L", "thigh1"),
        ("ORG-spine.003", "org", "", "spine3"),
        ("spine_01.x", "", "", "spine1"),
        ("J_Bip_C_Hips", "", "", "jbiphips"),
        ("NPC L Thigh [LThg]", "", "L", "npcthigh"),
        ("RUArm", "", "R", "uarm"),
        ("lf_upleg", "", "L", "upleg"),
        ("왼쪽허벅지", "", "L", "허벅지"),
        ("Schlüsselbein.R", "", "R", "schlusselbein"),
    ],
)
def test_a_name_comes_apart(name, layer, side, core):
    plain = plain_name(name)
    assert (plain.layer, plain.side, plain.core) == (layer, side, core)


def test_words_that_most_names_end_with_are_left_off():
    names = ["pelvis_link", "torso_link", "left_hip_link", "right_hip_link", "head_link"]
    assert [(name.side, name.core) for name in plain_names(names)] == [
        ("", "pelvis"),
        ("", "torso"),
        ("L", "hip"),
        ("R", "hip"),
        ("", "head"),
    ]
    both = [f"robot_{name}" for name in names]
    assert plain_names(both) == plain_names(names)


@pytest.mark.parametrize("hung_on", ["_{:03}", ".001"])
def test_numbers_that_an_exporter_hangs_on_all_bones_are_left_off(hung_on):
    names = ["Hips", "Spine", "Spine1", "LeftUpLeg", "RightUpLeg", "Head", "upper_arm.L"]
    numbered = [name + hung_on.format(k) for k, name in enumerate(names)]
    assert [(name.side, name.core) for name in plain_names(numbered)] == [
        (name.side, name.core) for name in plain_names(names)
    ]


def test_every_table_names_both_legs():
    tables = conventions()
    assert len(tables) > 20
    assert all(set(LEG_PARTS[:3]) <= set(table.parts) for table in tables)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        json.dumps({"name": "x", "bones": {}, "sides": {"left": ["G"]}}),
        json.dumps({"name": "x"}),
        json.dumps({"name": "x", "bones": {"tigh": "Thigh.L"}}),
    ],
)
def test_a_broken_table_is_refused_by_its_file_name(tmp_path, text):
    path = tmp_path / "mine.json"
    path.write_text(text, encoding="utf-8")
    with refuses(r"mine\.json"):
        read_convention(path)


@pytest.mark.parametrize(
    "part", ["[", "]", "[a]", "_", " ", "a_", "\u0315\u0320", "\ufdfa", "9", "|", ":", "A", "FBXASC"]
)
def test_a_name_of_any_length_is_taken_apart_at_once(part):
    begin = process_time()
    plain_names([part * 60_000, f"{part * 60_000}LeftUpLeg", "Hips"])
    assert process_time() - begin < 2.0
    assert plain_name("rig:" * 100 + "LeftUpLeg") == plain_name("LeftUpLeg")
