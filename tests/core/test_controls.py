"""Controls found by moving them, on a rig whose answers are known; maps that come from files; who hangs on whom."""

import json

import numpy as np
import pytest

from neurarig_addon.core.controls.control_map import FK, IK, ControlMap
from neurarig_addon.core.controls.drives import Driven, plan_drives
from neurarig_addon.core.controls.figure import Figure
from neurarig_addon.core.controls.rig import closure
from neurarig_addon.core.controls.search import find_controls
from neurarig_addon.core.controls.stand import find_stand, table_of
from neurarig_addon.core.controls.survey import packs
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.motion import Motion, RolePose
from neurarig_addon.core.posing import solve
from neurarig_addon.core.rotation import about_y
from tests.core.puppet import SIDES, Puppet, finish


def figure_of(puppet: Puppet) -> Figure:
    return Figure.of(puppet.skeleton(), puppet.role_map, puppet.names)


@pytest.mark.parametrize("rolled", [False, True], ids=["upright axes", "axes of their own"])
@pytest.mark.parametrize("fk_first", [False, True], ids=["saved in IK", "saved in FK"])
def test_controls_are_found_by_what_they_do(fk_first: bool, rolled: bool) -> None:
    puppet = Puppet(fk_first, rolled)
    found, trials = finish(puppet, find_controls(puppet.rig(), figure_of(puppet)))
    expected = {"root": "world", "torso": "body", "hips": "hips", "chest": "fk spine.2", "neck": "fk neck", "head": "fk head"}
    for side in SIDES:
        expected |= {f"foot_ik.{side}": f"grip {side}", f"knee_pole.{side}": f"aim {side}"}
        expected |= {f"{part}_fk.{side}": f"fk {part}.{side}" for part in ("thigh", "shin", "foot")}
    assert {role: found.get(role) for role in expected} == expected
    switches = {f"leg.{side}": {IK: {f'["leg {side}"]': 1.0}, FK: {f'["leg {side}"]': 0.0}} for side in SIDES}
    assert found.switches == switches
    assert trials < 4 * len(puppet.controls)


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


@pytest.mark.parametrize("rolled", [False, True], ids=["upright axes", "axes of their own"])
def test_a_pose_arrives_at_the_bones_by_way_of_the_controls(rolled: bool) -> None:
    puppet = Puppet(rolled=rolled)
    rig, figure = puppet.rig(), figure_of(puppet)
    found, _ = finish(puppet, find_controls(rig, figure))
    plan = plan_drives(puppet.role_map, found)
    stand, _ = finish(puppet, find_stand(plan.drives, rig, figure, {}))
    table = table_of(stand.drives, stand.hangs, ["QUATERNION"] * len(stand.drives), np.eye(4), np.eye(4))
    motions = wanted(puppet)
    channels = solve(table, RolePose.standing(np.array([1.0]), motions), False)
    posed = puppet.answer(trial_of(puppet, channels))
    for role in ("pelvis", "spine.1", "spine.2", "neck", "head", "foot.L", "foot.R"):
        row = puppet.names.index(role)
        np.testing.assert_allclose(posed[row, :3, 3], motions[role].position[0], atol=1e-6, err_msg=role)
        turned = posed[row, :3, :3] @ puppet.rest[row, :3, :3].T
        np.testing.assert_allclose(turned, motions[role].rotation[0], atol=1e-6, err_msg=role)


def wanted(puppet: Puppet) -> dict[str, Motion]:
    """Return a pose: the body leans and is lower, each spine bone turns on, feet are lifted and turned."""
    found: dict[str, Motion] = {}
    for number, (role, (above, head)) in enumerate(puppet.roles.items()):
        part = role.split(".")[0]
        if part in ("thigh", "shin", "toe"):
            found[role] = Motion(np.eye(3)[None], head[None], head)
        elif part == "foot":
            found[role] = Motion(about_y(np.array([0.3])), (head + [0.0, -0.1, 0.05])[None], head)
        else:
            turn = about_y(np.array([0.05 * (number + 1)]))
            place = head + [0.0, 0.02, -0.05] if role == "pelvis" else found[above].carry(head)[0]
            found[role] = Motion(turn, place[None], head)
    return found


def trial_of(puppet: Puppet, channels) -> object:
    from neurarig_addon.core.channels import from_mode
    from neurarig_addon.core.controls.rig import Trial
    from neurarig_addon.core.rotation import rotation_vector

    moves = {}
    for bone in channels.bones():
        location, turn = channels.of(bone, "location"), channels.of(bone, "rotation_quaternion")
        vector = rotation_vector(from_mode(turn[0], "QUATERNION")) if turn is not None else np.zeros(3)
        moves[puppet.names.index(bone)] = (np.zeros(3) if location is None else location[0], vector)
    return Trial(moves)


def test_a_limb_without_controls_of_one_state_is_driven_in_the_other() -> None:
    roles = Puppet().role_map
    only_fk = ControlMap(
        controls={"torso": "body"} | {f"{part}_fk.{s}": f"fk {part}.{s}" for part in ("thigh", "shin", "foot") for s in SIDES}
    )
    plan = plan_drives(roles, only_fk, legs=IK)
    assert plan.states["leg.L"] == FK
    assert Driven("fk foot.R", "foot.R", False, True) in plan.drives


def test_reach_follows_every_way() -> None:
    edges = np.zeros((4, 4), dtype=bool)
    edges[0, 1] = edges[1, 2] = True
    reach = closure(edges)
    assert reach[0].tolist() == [True, True, True, False]
    assert reach[3].tolist() == [False, False, False, True]


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
        {"switches": {"tail.L": {}}},
    ],
)
def test_a_map_of_another_form_is_refused_with_a_sentence(change: dict) -> None:
    content = json.loads(ControlMap("Studio", {"foot_ik.L": "Foot"}).to_json()) | change
    with pytest.raises(NeuraRigError, match="map"):
        ControlMap.from_json(json.dumps(content))
