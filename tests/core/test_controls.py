"""Controls found by moving them, on a rig whose answers are known; maps that come from files; who hangs on
whom."""

import json
from dataclasses import replace
from time import process_time

import numpy as np
import pytest

from neurarig_addon.core.controls.control_map import FK, IK, ControlMap
from neurarig_addon.core.controls.drives import plan_drives
from neurarig_addon.core.controls.figure import ObservedRig
from neurarig_addon.core.controls.rig import closure
from neurarig_addon.core.controls.search import find_controls
from neurarig_addon.core.controls.survey import Findings, packs
from neurarig_addon.core.skeleton.roles import RoleMap
from tests.core import skeletons as made
from tests.core.puppet import SIDES, Puppet, finish
from tests.core.puppet_motions import figure_of
from tests.refusals import refuses


@pytest.mark.parametrize("rolled", [False, True], ids=["upright axes", "axes of their own"])
@pytest.mark.parametrize("fk_first", [False, True], ids=["saved in IK", "saved in FK"])
def test_controls_are_found_by_what_they_do(fk_first: bool, rolled: bool) -> None:
    puppet = Puppet(fk_first, rolled)
    found, trials = finish(puppet, find_controls(puppet.rig(), figure_of(puppet)))
    expected = {
        "root": "world",
        "torso": "body",
        "hips": "hips",
        "chest": "fk spine.2",
        "neck": "fk neck",
        "head": "fk head",
    }
    for side in SIDES:
        expected |= {f"foot_ik.{side}": f"grip {side}", f"knee_pole.{side}": f"aim {side}"}
        expected |= {f"{part}_fk.{side}": f"fk {part}.{side}" for part in ("thigh", "shin", "foot")}
    assert {role: found.get(role) for role in expected} == expected
    switches = {f"leg.{side}": {IK: {f'["leg {side}"]': 1.0}, FK: {f'["leg {side}"]': 0.0}} for side in SIDES}
    assert found.switches == switches
    assert trials < 4 * len(puppet.controls)


@pytest.mark.parametrize("locked", ["fk ", "fk shin", "fk thigh"])
def test_a_limb_without_fk_controls_has_no_fk_and_no_switch_to_it(locked: str) -> None:
    puppet = Puppet()
    rig = puppet.rig()
    free = (
        np.array([[not (name.startswith(locked) and name.endswith(".L"))] for name in puppet.names])
        & rig.free_location
    )
    found, _ = finish(
        puppet, find_controls(replace(rig, free_location=free, free_rotation=free), figure_of(puppet))
    )
    assert FK not in found.switches.get("leg.L", {})
    assert locked != "fk " or not [role for role in found.controls if role.endswith("_fk.L")]
    assert found.get("foot_ik.L") == "grip L" and found.get("thigh_fk.R") == "fk thigh.R"


@pytest.mark.few(2)
@pytest.mark.parametrize("plain", ["fk spine", "fk neck", "fk head", ("fk spine", "fk neck", "fk head")])
def test_a_trunk_whose_controls_have_no_shape_is_found_beside_limbs_that_have(
    plain: str | tuple[str, ...],
) -> None:
    """Shapes order what is tried, and do not decide: what moves the chest is its control."""
    puppet = Puppet()
    rig = puppet.rig()
    shapeless = np.array([name.startswith(plain) for name in puppet.names])
    whole, _ = finish(puppet, find_controls(rig, figure_of(puppet)))
    found, _ = finish(
        puppet, find_controls(replace(rig, shown=np.where(shapeless, 1.0, rig.shown)), figure_of(puppet))
    )
    assert found.controls == whole.controls and found.switches == whole.switches
    hidden, _ = finish(
        puppet, find_controls(replace(rig, shown=np.where(shapeless, 0.0, rig.shown)), figure_of(puppet))
    )
    assert not {bone for bone in hidden.controls.values() if bone.startswith(plain)}


def test_what_is_watched_of_a_role_is_the_bone_that_deforms_it() -> None:
    """Controls that deform nothing have it beside them; where nothing does, the bone itself is watched."""
    table = made.biped()
    for name in list(table):
        _, head, tail = table[name]
        table[f"DEF-{name}"] = ("root", head, tail)
        table[f"aside-{name}"] = ("root", head, tuple(np.array(head) + [0.0, 0.3, 0.0]))
    subject = made.skeleton(table, rolls=np.random.default_rng(5))
    roles = RoleMap(made.EXPECTED)
    for kinds, wanted in ((("DEF-", "aside-"), "DEF-"), (("aside-",), "")):
        deform = np.array([name.startswith(kinds) for name in subject.names])
        figure = ObservedRig.of(replace(subject, deform=deform), roles, subject.names)
        watched = {role: subject.names[row] for role, row in zip(figure.roles, figure.bones, strict=True)}
        limbs = [
            role
            for role in figure.roles
            if role.split(".")[0] in ("thigh", "shin", "foot", "upper_arm", "forearm", "hand", "head")
        ]
        assert {role: watched[role] for role in limbs} == {role: wanted + roles.bones[role] for role in limbs}


def test_a_switch_that_changes_a_part_of_a_limb_reaches_it() -> None:
    puppet = Puppet()
    rig, figure = puppet.rig(), figure_of(puppet)
    reach = np.zeros_like(rig.switch_reach)
    reach[0, puppet.names.index("shin.L")] = True
    found = Findings(replace(rig, switch_reach=reach), figure, [])
    assert found.reaches(0, "leg.L") and not found.reaches(0, "leg.R") and not found.reaches(1, "leg.L")


def test_what_can_reach_the_same_is_never_moved_together() -> None:
    puppet = Puppet()
    rig, figure = puppet.rig(), figure_of(puppet)
    rows = [puppet.names.index(name) for name in puppet.controls]
    groups = packs(rig, figure, rows)
    assert sorted(row for group in groups for row in group) == sorted(rows)
    assert len(groups) < len(rows)
    for group in groups:
        assert (rig.reach[np.ix_(group, figure.bones)].sum(axis=0) <= 1).all()
        assert not (rig.reach[np.ix_(group, group)] & ~np.eye(len(group), dtype=bool)).any()


def test_reach_follows_every_way_and_takes_time_as_bones_grow() -> None:
    rng = np.random.default_rng(1)
    edges = rng.random((60, 60)) < 0.03
    powers, found = np.eye(60, dtype=int), np.eye(60, dtype=bool)
    for _ in range(60):
        powers = np.minimum(powers @ edges, 1)
        found |= powers > 0
    assert (closure(edges) == found).all()
    rig, begun = np.zeros((3000, 3000), dtype=bool), process_time()
    rig[rng.integers(0, np.arange(1, 3000)), np.arange(1, 3000)] = True
    rig[rng.integers(0, 3000, 90), rng.integers(0, 3000, 90)] = True  # constraints, some of them in rings
    assert closure(rig)[0].all() and process_time() - begun < 5.0


def test_a_map_comes_back_from_its_text() -> None:
    written = ControlMap("Studio", {"foot_ik.L": "Foot"}, {"leg.L": {IK: {'["a"]': 1.0}, FK: {'["a"]': 0.0}}})
    assert ControlMap.from_json(written.to_json()) == written


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"},
        {"version": 7},
        {"controls": []},
        {"controls": {"wing.L": "x"}},
        {"controls": {"foot_ik.L": 3}},
        {"switches": {"leg.L": {"UP": {}}}},
        {"switches": {"leg.L": {"IK": {'["a"]': True}}}},
        {"switches": {"leg.L": {"IK": {'["a"]': float("nan")}}}},
        {"switches": {"leg.L": {"IK": {'["a"]': 2**31}}}},
        {"switches": {"leg.L": {"IK": {'["a"]': -(10**400)}}}},
        {"switches": {"tail.L": {}}},
    ],
)
def test_a_map_of_another_form_is_refused_with_a_sentence(change: dict) -> None:
    content = json.loads(ControlMap("Studio", {"foot_ik.L": "Foot"}).to_json()) | change
    with refuses("map"):
        ControlMap.from_json(json.dumps(content))


def test_a_pole_may_stand_on_the_joint_that_it_points_between_bones_that_are_posed() -> None:
    sides = {
        f"{part}.{side}": f"{part} {side}"
        for part in ("thigh", "shin", "foot", "upper_arm", "forearm", "hand")
        for side in SIDES
    }
    controls = {
        "torso": "T",
        "foot_ik.L": "F",
        "knee_pole.L": "K",
        "hand_ik.R": "H",
        "elbow_pole.R": "E",
        "foot_ik.R": "G",
    }
    plan = plan_drives(RoleMap({"pelvis": "p"} | sides), ControlMap(controls=controls), arms=IK)
    poles = {
        drive.bone: (drive.role, drive.joint, drive.location, drive.rotation)
        for drive in plan.aimed
        if drive.joint
    }
    assert poles == {"K": ("thigh.L", "shin.L", True, True), "E": ("upper_arm.R", "forearm.R", True, True)}
    assert [drive.bone for drive in plan.aimed if drive.begins] == [
        "thigh L",
        "shin L",
        "upper_arm R",
        "forearm R",
    ]
    assert not any(drive.joint or drive.begins for drive in plan.drives)
