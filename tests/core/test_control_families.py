"""Maps of known families: believed where a rig does as they say, harmless where it does not, where they are
wrong, and where damaged."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from neurarig_addon.core.controls.control_map import FK, IK, ControlMap
from neurarig_addon.core.controls.families import FOLDER, families, find_known_controls, read_family
from neurarig_addon.core.controls.figure import ObservedRig
from neurarig_addon.core.controls.search import find_controls
from tests.core.puppet import SIDES, Puppet, finish
from tests.refusals import refuses

PARTS = ("thigh", "shin", "foot", "toe")
PUPPETS = ControlMap(
    "Puppets",
    {
        "root": "world",
        "torso": "body",
        "hips": "hips",
        "spine.1": "fk spine.1",
        "chest": "fk spine.2",
        "neck": "fk neck",
        "head": "fk head",
    }
    | {f"foot_ik.{s}": f"grip {s}" for s in SIDES}
    | {f"knee_pole.{s}": f"aim {s}" for s in SIDES}
    | {f"{part}_fk.{s}": f"fk {part}.{s}" for part in PARTS for s in SIDES},
    {f"leg.{s}": {IK: {f'["leg {s}"]': 1.0}, FK: {f'["leg {s}"]': 0.0}} for s in SIDES},
)


def known_on(puppet: Puppet, *known: ControlMap) -> tuple[ControlMap, int]:
    figure = ObservedRig.of(puppet.skeleton(), puppet.role_map, puppet.names)
    return finish(puppet, find_known_controls(puppet.rig(), figure, known))


@cache
def searched(fk_first: bool = False) -> tuple[ControlMap, int]:
    """Return what the puppet's controls are found to be without a family, and in how many trials."""
    puppet = Puppet(fk_first)
    return finish(
        puppet, find_controls(puppet.rig(), ObservedRig.of(puppet.skeleton(), puppet.role_map, puppet.names))
    )


@pytest.mark.parametrize("fk_first", [False, True], ids=["saved in IK", "saved in FK"])
def test_a_known_rig_needs_few_trials_and_gets_the_same_map(fk_first: bool) -> None:
    puppet = Puppet(fk_first)
    found, trials = known_on(puppet, PUPPETS)
    wanted, all_trials = searched(fk_first)
    assert found.name == "Puppets"
    assert {role: bone for role, bone in PUPPETS.controls.items() if found.get(role) != bone} == {}
    assert {
        role: bone
        for role, bone in wanted.controls.items()
        if role in PUPPETS.controls and found.get(role) != bone
    } == {}
    assert found.switches == wanted.switches == PUPPETS.switches
    assert trials <= 0.7 * all_trials


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("role", "other"),
    [
        ("foot_ik.L", "foot_ik.R"),
        ("foot_ik.L", "knee_pole.L"),
        ("torso", "hips"),
        ("root", "torso"),
        ("thigh_fk.L", "shin_fk.L"),
        ("thigh_fk.L", "thigh_fk.R"),
        ("head", "chest"),
        ("foot_ik.R", "foot_fk.R"),
    ],
)
def test_a_map_with_two_lines_mixed_up_is_not_believed(role: str, other: str) -> None:
    mixed = PUPPETS.controls | {role: PUPPETS.get(other), other: PUPPETS.get(role)}
    found, _ = known_on(Puppet(), replace(PUPPETS, controls=mixed))
    assert found == searched()[0]


def test_switches_the_wrong_way_round_are_not_believed() -> None:
    turned = {limb: {IK: states[FK], FK: states[IK]} for limb, states in PUPPETS.switches.items()}
    assert known_on(Puppet(), replace(PUPPETS, switches=turned))[0] == searched()[0]


def test_a_family_whose_bones_a_rig_lacks_costs_no_trial() -> None:
    others = replace(PUPPETS, controls={role: f"{bone} of others" for role, bone in PUPPETS.controls.items()})
    assert known_on(Puppet(), others) == searched()


def test_the_right_family_is_chosen_among_all_that_ship() -> None:
    assert known_on(Puppet(), *families(), PUPPETS)[0].name == "Puppets"


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"format": "neurarig-controls", "version": 1}', "[" * 100_000, "\x00"]
)
def test_a_damaged_file_is_named_and_left_out(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    (tmp_path / "b.json").write_text(PUPPETS.to_json())
    assert families(tmp_path) == (PUPPETS,)
    with refuses(r"a\.json"):
        read_family(tmp_path / "a.json")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_every_family_that_ships_is_whole(path: Path) -> None:
    family = read_family(path)
    assert family.name
    assert json.loads(family.to_json()) == json.loads(path.read_text(encoding="utf-8"))
    assert len(set(family.controls.values())) == len(family.controls)
    for role, bone in family.controls.items():
        if role.endswith(".L"):  # both sides, by names of their own
            assert family.get(f"{role[:-1]}R") not in ("", bone)
    assert {"torso", "head", "foot_ik.L", "upper_arm_fk.R"} <= family.controls.keys()
    for limb, states in family.switches.items():
        assert set(states) == {IK, FK}
        assert states[IK].keys() == states[FK].keys()
        assert states[IK] != states[FK]
        other = f"{limb[:-1]}{'R' if limb.endswith('L') else 'L'}"
        assert set(states[IK]).isdisjoint(family.switches[other][IK])
