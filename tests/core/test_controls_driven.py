"""Found controls take a pose: which are driven, in which state, and where poles and hinges go."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.character.motion import Motion, RolePose
from neurarig_addon.core.controls.control_map import FK, IK, ControlMap
from neurarig_addon.core.controls.drives import DrivenControl, plan_drives, posed_one_by_one, stiff_feet
from neurarig_addon.core.controls.search import find_controls
from neurarig_addon.core.controls.setup import Parenting, find_setup, table_of
from neurarig_addon.core.controls.tryout import seen_hinges, seen_swivels
from neurarig_addon.core.geometry.rotation import (
    about_x,
    about_y,
    about_z,
    from_axis_angle,
    normalized,
    rotation_vector,
    transposed,
)
from neurarig_addon.core.posing.posing import Travel, hinged, solve
from neurarig_addon.core.posing.rig_table import Drive, RigTable, TableBone
from neurarig_addon.core.skeleton.roles import RoleMap
from tests.core.puppet import SIDES, Puppet, finish
from tests.core.puppet_motions import figure_of, wanted
from tests.refusals import refuses


@pytest.mark.parametrize("slides", [True, False], ids=["slides", "armature's"])
@pytest.mark.parametrize("rolled", [False, True], ids=["upright axes", "axes of their own"])
def test_a_pose_arrives_at_the_bones_by_way_of_the_controls(rolled: bool, slides: bool) -> None:
    puppet = Puppet(rolled=rolled, slides=slides)
    rig, figure = puppet.rig(), figure_of(puppet)
    found, _ = finish(Puppet(rolled=rolled), find_controls(rig, figure))
    plan = plan_drives(puppet.role_map, found)
    setup, _ = finish(puppet, find_setup(plan.drives, rig, figure, {}))
    placed = [one for drive, one in zip(setup.drives, setup.parenting, strict=True) if drive.location]
    assert placed and all(one.own_axes == (slides or not rolled) for one in placed)
    table = table_of(setup.drives, setup.parenting, ["QUATERNION"] * len(setup.drives), np.eye(4), np.eye(4))
    motions = wanted(puppet)
    channels = solve(table, RolePose.standing(np.array([1.0]), motions), Travel.NOTHING)
    posed = puppet.answer(trial_of(puppet, channels))
    for role in ("pelvis", "spine.1", "spine.2", "neck", "head", "foot.L", "foot.R"):
        row = puppet.names.index(role)
        assert_allclose(posed[row, :3, 3], motions[role].position[0], atol=1e-6, err_msg=role)
        turned = posed[row, :3, :3] @ puppet.rest[row, :3, :3].T
        assert_allclose(turned, motions[role].rotation[0], atol=1e-6, err_msg=role)


def test_controls_that_carry_one_another_are_refused() -> None:
    drives = [DrivenControl("hips", "pelvis", True, True), DrivenControl("waist", "spine.1", True, True)]
    parenting = [
        Parenting(1, True, True, np.eye(4), np.eye(4)),
        Parenting(0, True, True, np.eye(4), np.eye(4)),
    ]
    with refuses("in a circle"):
        table_of(drives, parenting, ["QUATERNION"] * 2, np.eye(4), np.eye(4))


def trial_of(puppet: Puppet, channels) -> object:
    from neurarig_addon.core.controls.rig import Trial
    from neurarig_addon.core.posing.channels import from_mode

    moves = {}
    for bone in channels.bones():
        location, turn = channels.of(bone, "location"), channels.of(bone, "rotation_quaternion")
        vector = rotation_vector(from_mode(turn[0], "QUATERNION")) if turn is not None else np.zeros(3)
        moves[puppet.names.index(bone)] = (np.zeros(3) if location is None else location[0], vector)
    return Trial(moves)


def test_a_limb_without_controls_of_one_state_is_driven_in_the_other() -> None:
    roles = Puppet().role_map
    only_fk = ControlMap(
        controls={"torso": "body"}
        | {f"{part}_fk.{s}": f"fk {part}.{s}" for part in ("thigh", "shin", "foot") for s in SIDES}
    )
    plan = plan_drives(roles, only_fk, legs=IK)
    assert plan.states["leg.L"] == FK
    assert DrivenControl("fk foot.R", "foot.R", False, True) in plan.drives
    no_shins = ControlMap(
        controls={role: name for role, name in only_fk.controls.items() if not role.startswith("shin")}
    )
    assert not [
        drive for drive in plan_drives(roles, no_shins, legs=FK).drives if drive.bone.startswith("fk ")
    ]


def test_arms_are_in_fk_unless_that_means_to_turn_their_solvers_off() -> None:
    roles = RoleMap(
        {"pelvis": "p"}
        | {f"{part}.{s}": f"{part} {s}" for part in ("upper_arm", "forearm", "hand") for s in "LR"}
    )
    controls = {f"{part}_fk.{s}": f"fk {part} {s}" for part in ("upper_arm", "forearm", "hand") for s in "LR"}
    controls |= {f"hand_ik.{s}": f"ik {s}" for s in "LR"}
    solver, switch = 'pose.bones["a"].constraints["IK"].influence', 'pose.bones["a"]["ik"]'
    switches = {
        "arm.L": {IK: {switch: 1.0}, FK: {switch: 0.0}},
        "arm.R": {IK: {solver: 1.0}, FK: {solver: 0.0}},
    }
    found = ControlMap(controls=controls, switches=switches)
    states = plan_drives(roles, found).states
    assert (states["arm.L"], states["arm.R"]) == (FK, IK)
    assert plan_drives(roles, found, arms=FK).states["arm.R"] == FK
    assert plan_drives(roles, ControlMap(controls=controls)).states["arm.R"] == FK


def test_a_trunk_with_fewer_controls_than_bones_is_posed_as_one_with_fewer_bones() -> None:
    roles = RoleMap(
        {
            "pelvis": "p",
            "spine.1": "a",
            "spine.2": "b",
            "spine.3": "c",
            "neck": "n",
            "neck.2": "m",
            "clavicle.L": "k",
            "head": "h",
        }
    )
    found = ControlMap(
        controls={
            "torso": "T",
            "spine.2": "B",
            "spine.3": "B",
            "chest": "B",
            "neck.2": "N",
            "head": "H",
            "foot_ik.L": "F",
        }
    )
    posed, controls = posed_one_by_one(roles, found)
    assert posed.bones == {"pelvis": "p", "spine.1": "c", "neck": "m", "head": "h"}
    assert controls.controls == {"torso": "T", "head": "H", "foot_ik.L": "F", "spine.1": "B", "neck": "N"}
    only_chest = ControlMap(controls={"chest": "C"})
    assert posed_one_by_one(roles, only_chest)[0].bones["spine.1"] == "c"
    assert posed_one_by_one(roles, only_chest)[1].get("spine.1") == "C"


def test_a_foot_is_stiff_whose_toes_no_control_bends() -> None:
    toes = RoleMap({"foot.L": "f", "toe.L": "t", "foot.R": "g", "toe.R": "u"})
    assert stiff_feet(toes, {"foot.L", "foot.R", "toe.R"}).tolist() == [True, False]
    # there are no toes to bend
    assert not stiff_feet(RoleMap({"foot.L": "f", "foot.R": "g"}), {"foot.L", "foot.R"}).any()


@pytest.mark.parametrize("degrees", [7.0, -25.0])
def test_a_pole_is_put_where_the_knee_comes_to_be_in_the_plane_of_the_pose(degrees: float) -> None:
    """A rig whose knee stands off its pole by some degrees about the way from hip to ankle."""
    hips, knees, ankles = (
        np.array(points)
        for points in ([[0.0, 0.1, 0.9]] * 2, [[0.2, 0.1, 0.5], [0.3, 0.2, 0.6]], [[0.0, 0.1, 0.1]] * 2)
    )
    still = np.tile(np.eye(3), (2, 1, 1))
    motions = {
        f"{part}.L": Motion(still, at, at[0])
        for part, at in (("thigh", hips), ("shin", knees), ("foot", ankles))
    }
    off = from_axis_angle(normalized(ankles - hips), np.full(2, np.radians(degrees)))
    seen = hips + (off @ (knees - hips)[..., None])[..., 0]
    swivels = seen_swivels(motions, {"L": seen})
    assert swivels == {"knee.L": pytest.approx(np.radians(degrees))}
    assert seen_swivels(motions, {"L": knees}) == {}

    table = RigTable(
        (TableBone("Pole", -1, np.eye(4), np.eye(4)),),
        (Drive(0, "knee.L", True, False),),
        np.eye(4),
        swivels=swivels,
    )
    pole = Motion(still, knees + 0.5 * (knees - hips), np.zeros(3))
    placed = solve(
        table, RolePose.standing(np.arange(2.0), motions | {"knee.L": pole}), Travel.NOTHING
    ).values
    rigged = hips + (off @ (placed - hips)[..., None])[..., 0]  # where that rig then has its knee
    assert_allclose(rigged, pole.position, atol=1e-12)


@pytest.mark.parametrize("degrees", [(4.0, 6.0), (-9.0, 3.0)])
def test_a_leg_whose_knee_is_a_hinge_is_posed_so_that_it_only_bends(degrees: tuple[float, float]) -> None:
    """A rig whose knee bends about an axis that stands off the leg's own plane, seen in a pose, then driven
    by it."""
    out, up = np.radians(degrees)
    axis = about_z(np.array(out)) @ about_x(np.array(up)) @ np.array([0.0, 1.0, 0.0])
    bends = np.radians([15.0, 40.0, 70.0, 110.0])
    motions = hinge_poses(bends)
    thigh = motions["thigh.L"].rotation
    seen = {"thigh.L": thigh, "shin.L": thigh @ from_axis_angle(np.tile(axis, (4, 1)), bends)}
    hinges = seen_hinges(motions, seen)
    assert abs(hinges["shin.L"] @ axis) == pytest.approx(1.0)
    assert (
        seen_hinges(motions, {role: motion.rotation for role, motion in motions.items() if role != "foot.L"})
        == {}
    )

    roles = tuple(motions)
    turns, heads = (
        np.stack([getattr(motion, key) for motion in motions.values()], axis=1)
        for key in ("rotation", "position")
    )
    rolled, stays = turns.copy(), heads.copy()
    hinged(RigTable((), (), np.eye(4), hinges=hinges), roles, rolled, heads)
    assert_array_equal(heads, stays)
    for at in (0, 1):  # what points from hip to knee to ankle still does
        line = motions[roles[at + 1]].rest - motions[roles[at]].rest
        assert_allclose(rolled[:, at] @ line, turns[:, at] @ line, atol=1e-12)
    bent = rotation_vector(transposed(rolled[:, 0]) @ rolled[:, 1])
    assert_allclose(np.linalg.norm(np.cross(bent, axis), axis=1), 0.0, atol=1e-9)
    assert np.abs(bent @ axis).min() > np.radians(10.0)


def hinge_poses(bends: np.ndarray) -> dict[str, Motion]:
    """Return legs that bend by these radians about an axis across, and stand in some ways besides."""
    hip, knee, ankle = np.array([0.0, 0.1, 0.9]), np.array([0.02, 0.12, 0.5]), np.array([0.0, 0.13, 0.1])
    thigh = about_z(np.linspace(-0.3, 0.4, len(bends))) @ about_y(-0.6 * bends)
    shin = thigh @ about_y(bends)
    knees = hip + thigh @ (knee - hip)
    ankles = knees + shin @ (ankle - knee)
    places = {
        "thigh.L": (thigh, np.tile(hip, (len(bends), 1)), hip),
        "shin.L": (shin, knees, knee),
        "foot.L": (shin, ankles, ankle),
    }
    return {role: Motion(*place) for role, place in places.items()}


def test_a_spine_is_driven_by_each_control_of_its_own_and_the_last_bone_by_the_chest() -> None:
    roles = RoleMap({"pelvis": "p", "spine.1": "a", "spine.2": "b", "spine.3": "c"})
    spines = {
        ("A", "B", "C"): {"A": "spine.1", "B": "spine.2", "C": "spine.3"},
        ("A", "B", "B"): {"A": "spine.1", "B": "spine.3"},
        ("A", "", ""): {"A": "spine.1", "X": "spine.3"},
        ("", "", ""): {"X": "spine.3"},
    }
    for own, by_bone in spines.items():
        controls = {"torso": "T", "chest": "X"} | {
            f"spine.{n}": bone for n, bone in enumerate(own, start=1) if bone
        }
        drives = plan_drives(roles, ControlMap(controls=controls)).drives
        assert {drive.bone: drive.role for drive in drives if drive.role.startswith("spine")} == by_bone
