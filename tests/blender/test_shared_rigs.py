"""Rigs made by others: every biped mapped right by name, most of them with names that say nothing, everything
else refused."""

import random
import string
from contextlib import suppress
from dataclasses import replace

import bpy
import numpy as np
import pytest

from neurarig_addon.blender.character.read_armature import read_skeleton, read_soles
from neurarig_addon.core.character.measure import measure
from neurarig_addon.core.detection.detect import detect
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.skeleton.roles import ARM_PARTS, LEG_PARTS, QUADRUPED, SIDES, RoleMap, sided
from tests.refusals import refuses
from tests.shared_data import shared_path
from tests.shared_rigs import BIPEDS, LYING, ROWS, load

LEG_ROLES = ["pelvis", *(sided(part, side) for side in SIDES for part in LEG_PARTS)]
UPPER_ROLES = ["head", *(sided(part, side) for side in SIDES for part in ARM_PARTS)]
# Dinosaurs whose arms hang below the bone that the manifest calls the last of the spine: to us it is the
# first of a long neck.
LONG_NECKS = ("quaternius_raptor.glb", "quaternius_trex.glb")
AXES = {"X": 0, "Y": 1, "Z": 2}
pytestmark = pytest.mark.skipif(
    not ROWS, reason="no shared rigs: name their folder's parent in NEURARIG_SHARED"
)


@pytest.fixture(scope="module")
def characters():
    """Return file name -> (manifest row, skeleton, reader of soles' result) of every rig, each loaded
    once."""
    found = {}
    for row in ROWS:
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        obj = load(row)
        skeleton = read_skeleton(obj, bpy.context.scene)
        soles = read_soles(obj, manifest_roles(row)) if row["is_biped"] == "true" else {}
        found[row["file"]] = row, skeleton, soles
    return found


def column(role: str) -> str:
    """Return the manifest's column of a role."""
    return role.replace(".", "_")


def manifest_roles(row: dict[str, str]) -> RoleMap:
    """Return the leg roles as the manifest has them, the best alternative each."""
    return RoleMap({role: row[column(role)].split("|")[0] for role in LEG_ROLES})


def wrong_roles(row: dict[str, str], roles: RoleMap, original: dict[str, str]) -> list[str]:
    """Return the leg roles that are mapped to another bone than the manifest allows."""
    wrong = []
    for role in LEG_ROLES:
        bone = original.get(roles.get(role) or "", "")
        if bone not in row[column(role)].split("|"):
            wrong.append(f"{role} is '{bone}', not '{row[column(role)]}'")
    return wrong


def wrong_above(row: dict[str, str], roles: RoleMap, original: dict[str, str]) -> list[str]:
    """Return the roles of trunk, head and arms that are mapped otherwise than in the manifest; palms may be
    hands where it has none."""
    wrong = []
    for role in UPPER_ROLES:
        bone, allowed = original.get(roles.get(role) or "", ""), row[column(role)].split("|")
        if bone not in allowed and not (role.startswith("hand") and allowed == [""]):
            wrong.append(f"{role} is '{bone}', not '{row[column(role)]}'")
    for part, chain, allowed in (
        ("spine", roles.spine(), row["spine_chain"]),
        ("neck", roles.neck(), row["neck"]),
    ):
        bones = " > ".join(original[bone] for bone in chain)
        if bones not in allowed.split("|") and row["file"] not in LONG_NECKS:
            wrong.append(f"the {part} is '{bones}', not '{allowed}'")
    return wrong


def scrambled(skeleton, seed):
    """Return the skeleton with random names, and new name -> old name."""
    draw = random.Random(seed)
    names = ["".join(draw.choices(string.ascii_letters + string.digits, k=10)) for _ in skeleton.names]
    return replace(skeleton, names=tuple(names)), dict(zip(names, skeleton.names, strict=True))


def bipeds(characters):
    return [character for character in characters.values() if character[0]["is_biped"] == "true"]


@pytest.mark.parametrize("file", [row["file"] for row in BIPEDS])
def test_a_biped_is_mapped_by_name(characters, file):
    row, skeleton, _ = characters[file]
    assert wrong_roles(row, detect(skeleton), {name: name for name in skeleton.names}) == []


@pytest.mark.parametrize("file", [row["file"] for row in BIPEDS])
def test_trunk_head_and_arms_of_a_biped_are_mapped_by_name(characters, file):
    row, skeleton, _ = characters[file]
    assert wrong_above(row, detect(skeleton), {name: name for name in skeleton.names}) == []


def test_trunks_heads_and_arms_are_mapped_with_names_that_say_nothing(characters):
    """Nobody can tell a palm from a hand by shape; more than nine roles in ten are told."""
    wrong = {}
    for row, skeleton, _ in bipeds(characters):
        subject, original = scrambled(skeleton, 0)
        with suppress(NeuraRigError):  # legs that are not found are the business of the test below
            wrong[row["file"]] = wrong_above(row, detect(subject), original)
    roles = len(UPPER_ROLES) + 2  # and two chains
    assert sum(map(len, wrong.values())) <= 0.09 * roles * len(wrong), wrong


def test_bipeds_are_mapped_with_names_that_say_nothing(characters):
    failed = {}
    for row, skeleton, _ in bipeds(characters):
        subject, original = scrambled(skeleton, 0)
        try:
            wrong = wrong_roles(row, detect(subject), original)
        except NeuraRigError as refusal:
            wrong = [str(refusal)]
        if wrong:
            failed[row["file"]] = wrong
    assert len(failed) <= 0.05 * len(bipeds(characters)), failed


@pytest.mark.parametrize("file", [row["file"] for row in ROWS if row["is_biped"] != "true"])
@pytest.mark.parametrize("hide_names", [False, True])
def test_what_is_no_biped_is_an_animal_or_refused(characters, file, hide_names):
    _, skeleton, _ = characters[file]
    subject = scrambled(skeleton, 0)[0] if hide_names else skeleton
    if any(animal in file for animal in ("fox", "wolf", "horse")):
        assert detect(subject).kind == QUADRUPED
        return
    with refuses(r"'.+'.*\.$"):
        detect(subject)


def test_the_smaller_armature_of_a_file_is_refused():
    with bpy.data.libraries.load(str(shared_path("rigs", "edge_two_armatures.blend"))) as (_, wanted):
        wanted.objects = ["Door"]
    with refuses("too few bones"):
        detect(read_skeleton(wanted.objects[0], bpy.context.scene))


def test_bipeds_that_stand_are_measured(characters):
    for row, skeleton, soles in bipeds(characters):
        if row["rest_pose"] == "ok":
            roles = detect(skeleton)
            for given in (None, soles):
                assert_measured(row, skeleton, measure(skeleton, roles, given))


def assert_measured(row, skeleton, body):
    """Compare facing and leg length with the manifest, and see that the feet stand on the ground."""
    forward = (skeleton.to_world @ body.walk_to_armature)[:3, 0]
    sign, axis = row["facing"][0], row["facing"][1]
    assert forward[AXES[axis]] * (1.0 if sign == "+" else -1.0) > 0.98, row["file"]
    expected = [float(row[f"leg_length_{side}"]) for side in SIDES]
    if "hip_roll" not in row["leg_chain_L"]:  # the manifest adds up the three offset hip joints of a robot
        np.testing.assert_allclose(
            body.thigh_length + body.shin_length, expected, rtol=0.02, err_msg=row["file"]
        )
    points = np.stack([body.heel, body.ball, body.toe])
    assert points[..., 2].min() == pytest.approx(0.0, abs=1e-9), row["file"]
    assert (np.diff(points[..., 0], axis=0) >= 0.0).all(), row["file"]
    assert (points[..., 2] < 0.05 * body.leg_length).all(), row["file"]


def test_rest_poses_that_do_not_stand_are_refused(characters):
    for row, skeleton, _ in bipeds(characters):
        if row["rest_pose"] in LYING:
            with refuses(r"rest pose|at rest"):
                measure(skeleton, detect(skeleton))
