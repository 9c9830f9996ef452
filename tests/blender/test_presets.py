"""Presets: the shipped ones are valid, the user's are written, read, checked and removed."""

import json
from pathlib import Path
from random import Random

import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.manner import presets
from neurarig_addon.blender.walk.manner.presets import CONTROLS, ROLES, WALK, Preset
from neurarig_addon.core.errors import LONGEST, NeuraRigError
from neurarig_addon.core.skeleton.roles import REQUIRED
from tests.damage.mutation import spoiled, spoiled_json
from tests.damage.samples import control_maps
from tests.refusals import refuses
from tests.rigs import biped, build


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the user's real presets out of the tests."""
    monkeypatch.setattr(presets, "_user_folder", lambda kind: tmp_path / kind)
    return tmp_path


def test_shipped_walks_are_valid() -> None:
    import bpy

    properties = (
        bpy.types.Object.bl_rna.properties["neurarig"].fixed_type.properties["walk"].fixed_type.properties
    )
    shipped = presets.names(WALK)
    assert len(shipped) >= 8 and all(is_shipped for _, is_shipped in shipped)
    for name, _ in shipped:
        preset = presets.load(WALK, name)
        assert preset.name == name and preset.description
        assert preset.pace is None or 0.1 < preset.pace < 0.8, name
        for slider, value in preset.sliders.items():
            assert properties[slider].soft_min <= value <= properties[slider].soft_max, (name, slider)


def test_a_saved_preset_reads_back() -> None:
    preset = Preset(WALK, "My Walk", pace=0.5, sliders={"energy": 0.25, "lean": -3.0})
    presets.save(preset)
    assert presets.load(WALK, "My Walk") == preset
    assert ("My Walk", False) in presets.names(WALK)
    presets.remove(WALK, "My Walk")
    assert ("My Walk", False) not in presets.names(WALK)


def test_a_role_map_reads_back() -> None:
    preset = Preset(ROLES, "Crowd Rig", bones={"pelvis": "Hüfte", "thigh.L": "b01"})
    presets.save(preset)
    assert presets.load(ROLES, "Crowd Rig") == preset


@pytest.mark.few(30)
@pytest.mark.parametrize("role", REQUIRED)
@pytest.mark.parametrize("bone", ["", "Nobody", "doubled"])
def test_a_role_map_that_cannot_walk_is_refused_and_changes_nothing(role: str, bone: str) -> None:
    obj = build(biped())
    api.detect_rig(obj)
    mapped = {item.role: item.bone for item in obj.neurarig.roles}
    other = next(each for each in REQUIRED if each != role)
    wrong = mapped | {role: mapped[other] if bone == "doubled" else bone}
    presets.save(Preset(ROLES, "Wrong", bones={each: name for each, name in wrong.items() if name}))
    with refuses():
        api.apply_preset(obj, "Wrong", ROLES)
    assert {item.role: item.bone for item in obj.neurarig.roles} == mapped and not obj.neurarig.role_preset


def test_no_preset_has_a_name_that_no_file_can_have() -> None:
    with refuses("There is no preset named"):
        presets.load(WALK, "x" * 5000)


def test_shipped_presets_stay_as_they_are() -> None:
    with refuses("not one of your own"):
        presets.remove(WALK, "Natural")
    with refuses("choose another name"):
        presets.save(Preset(WALK, "natural"))


@pytest.mark.few(30)
@pytest.mark.parametrize(
    "content",
    [
        "not json",
        "[]",
        json.dumps({"format": "other", "version": 1}),
        json.dumps({"format": "neurarig-walk", "version": 99, "sliders": {}}),
        json.dumps({"format": "neurarig-walk", "version": 1, "sliders": {"mode": 1}}),
        json.dumps({"format": "neurarig-walk", "version": 1, "sliders": {"energy": "high"}}),
        json.dumps({"format": "neurarig-walk", "version": 1, "sliders": {"energy": True}}),
        json.dumps({"format": "neurarig-walk", "version": 1, "pace": None, "sliders": {}}),
        '{"format": "neurarig-walk", "version": 1, "sliders": {"energy": NaN}}',
        '{"format": "neurarig-walk", "version": 1, "sliders": {"energy": 1' + "0" * 400 + "}}",
        "[" * 100_000,
    ],
)
def test_a_file_that_is_no_preset_is_refused_by_name(own_folder: Path, content: str) -> None:
    (own_folder / WALK).mkdir()
    (own_folder / WALK / "bad.json").write_text(content, encoding="utf-8")
    with refuses(r"bad\.json"):
        presets.load(WALK, "Bad")


def test_a_preset_stays_in_its_folder(own_folder: Path) -> None:
    path = presets.save(Preset(WALK, "../../../evil", sliders={}))
    assert path.parent == own_folder / WALK
    with refuses("needs a name"):
        presets.save(Preset(WALK, "../"))


@pytest.mark.parametrize("kind", [WALK, ROLES, CONTROLS])
def test_damaged_files_are_refused_in_one_sentence(kind: str, tmp_path: Path) -> None:
    roles = {
        "format": "neurarig-roles",
        "version": 1,
        "name": "x",
        "bones": {"pelvis": "Hips", "thigh.L": "a"},
    }
    shipped = [path.read_bytes() for path in presets._shipped(WALK)]
    samples = {WALK: shipped, ROLES: [json.dumps(roles).encode()], CONTROLS: control_maps()}[kind]
    rng, path = Random(1), tmp_path / "preset.json"
    for _ in range(300):
        content = rng.choice(samples)
        path.write_bytes(spoiled(rng, content) if rng.random() < 0.5 else spoiled_json(rng, content))
        try:
            presets.read(path, kind)
        except NeuraRigError as refusal:
            assert len(str(refusal)) <= LONGEST and str(refusal).isprintable()
