"""The integrity measure: what is open or left behind is seen, what moves or stretches as a whole is not."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.character.integrity import integrity
from neurarig_addon.core.geometry.rotation import about_x
from neurarig_addon.core.skeleton.anatomy import anatomy, limb_members
from neurarig_addon.core.skeleton.roles import RoleMap

from . import skeletons as made

LEG = 0.85  # of the made biped, nearly


@pytest.fixture
def subject():
    return made.skeleton(made.with_twists(made.biped()), rolls=np.random.default_rng(3))


@pytest.fixture
def body(subject):
    return anatomy(subject, RoleMap(made.EXPECTED))


def bent(subject, bone="thigh_l", degrees=40.0):
    """Return the pose matrices with one bone and all below it turned about its head."""
    turn, pivot = about_x(np.radians(degrees)), subject.rest[subject.index[bone], :3, 3]
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = turn, pivot - turn @ pivot
    rows = [row for row in range(len(subject.names)) if subject.index[bone] in [row, *subject.ancestors(row)]]
    posed = subject.rest.copy()
    posed[rows] = matrix @ posed[rows]
    return posed


def test_rest_and_a_bent_leg_are_whole(subject, body):
    for posed in (subject.rest, bent(subject), bent(subject, "calf_l", -60.0)):
        found = integrity(body, posed)
        assert found.whole and found.widest < 1e-9
    assert len(body.joints) > 20 and len(body.members) >= 8


@pytest.mark.parametrize("millimetres", [5.0, 12.0, 330.0])
def test_an_opened_knee_is_measured_and_named(subject, body, millimetres):
    posed = bent(subject)
    below = [
        row for row in range(len(subject.names)) if subject.index["calf_l"] in [row, *subject.ancestors(row)]
    ]
    posed[below, :3, 3] += [0.0, 0.0, -millimetres / 1e3]
    found = integrity(body, posed)
    assert found.widest == pytest.approx(100.0 * millimetres / 1e3 / body.leg, rel=1e-6)
    assert bool(found.open_joints) == (found.widest > 1.0)
    if found.open_joints:
        assert set(found.open_joints[0]) == {"thigh_l", "calf_l"}


def test_the_widest_of_all_frames_counts(subject, body):
    posed = np.stack([subject.rest] * 130)
    posed[100, subject.index["hand_l"], :3, 3] += 0.2
    assert integrity(body, posed).widest == pytest.approx(100.0 * 0.2 * np.sqrt(3.0) / body.leg, rel=1e-6)


def test_a_twist_bone_that_stays_is_left_behind(subject, body):
    posed = bent(subject)
    row = subject.index["thigh_twist_l"]
    posed[row] = subject.rest[row]
    found = integrity(body, posed)
    assert found.left_behind == ("thigh_twist_l",)
    assert not replace(found, open_joints=()).whole and not replace(found, left_behind=()).whole


def test_a_twist_bone_may_turn_about_the_limb(subject, body):
    posed, row = subject.rest.copy(), subject.index["thigh_twist_l"]
    cos, sin = np.cos(1.2), np.sin(1.2)
    posed[row, :3, :3] = posed[row, :3, :3] @ np.array([[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]])
    assert integrity(body, posed).whole


def test_a_bone_of_a_limb_counts_whatever_its_parent_is(subject):
    parents = subject.parents.copy()
    parents[subject.index["calf_twist_r"]] = 0
    loose = replace(subject, parents=parents)
    assert integrity(anatomy(loose, RoleMap(made.EXPECTED)), bent(loose, "thigh_r")).left_behind == (
        "calf_twist_r",
    )


def test_a_stretched_limb_is_whole(subject, body):
    """The thigh grows along its bone, and what hangs on it goes along."""
    posed, thigh = subject.rest.copy(), subject.index["thigh_l"]
    stretch = subject.rest[thigh] @ np.diag([1.0, 1.3, 1.0, 1.0]) @ np.linalg.inv(subject.rest[thigh])
    posed[thigh] = stretch @ posed[thigh]
    twist = subject.index["thigh_twist_l"]
    posed[twist] = stretch @ posed[twist]
    shift = 0.3 * (subject.tails[thigh] - subject.heads[thigh])
    below = [
        row for row in range(len(subject.names)) if subject.index["calf_l"] in [row, *subject.ancestors(row)]
    ]
    posed[below, :3, 3] += shift
    assert integrity(body, posed).whole


def test_bones_that_deform_nothing_and_roots_do_not_count(subject):
    deform = np.array([name != "ball_l" and not name.startswith("ball_end") for name in subject.names])
    body = anatomy(replace(subject, deform=deform), RoleMap(made.EXPECTED))
    posed = subject.rest.copy()
    for bone in ("ball_l", "root"):
        posed[subject.index[bone], :3, 3] += 0.5
    assert integrity(body, posed).whole


def test_a_pose_that_is_no_number_is_open(subject, body):
    posed = subject.rest.copy()
    posed[subject.index["calf_l"], 0, 3] = np.nan
    assert not integrity(body, posed).whole


@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_the_unit_of_the_armature_does_not_matter(scale):
    subject = made.skeleton(made.scaled(made.biped(), scale))
    posed = subject.rest.copy()
    posed[subject.index["calf_l"], :3, 3] += [0.0, 0.1 * scale, 0.0]
    assert integrity(anatomy(subject, RoleMap(made.EXPECTED)), posed).widest == pytest.approx(
        10.0 / LEG, rel=0.03
    )


@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_what_belongs_together_does_not_depend_on_the_unit(scale):
    table = made.with_twists(made.biped())
    _, hip, _ = table["pelvis"]
    table["badge"] = ("spine_02", hip, tuple(np.array(hip) + [0.0, 0.05, 0.0]))
    wanted, found = (
        anatomy(made.skeleton(made.scaled(table, size)), RoleMap(made.EXPECTED)) for size in (1.0, scale)
    )
    assert_array_equal(found.joints, wanted.joints)
    assert_array_equal(found.members, wanted.members)
    assert_allclose(found.points, scale * wanted.points)


def test_a_bone_that_points_back_to_its_parents_head_is_no_joint():
    """Importers turn bones about, so that a shin's tail lies at the hip: nothing opens where the knee
    bends."""
    table = made.biped()
    for side in "lr":
        for name in (f"calf_{side}", f"thigh_{side}"):
            parent, head, tail = table[name]
            table[name] = (parent, head, tuple(2.0 * np.array(head) - tail))
        table[f"calf_{side}"] = (*table[f"calf_{side}"][:2], table[f"thigh_{side}"][1])
    skeleton = made.skeleton(table)
    body = anatomy(skeleton, RoleMap(made.EXPECTED))
    knee = {skeleton.index["calf_l"], skeleton.index["thigh_l"]}
    places = [
        point for pair, point in zip(body.joints, body.points, strict=True) if set(pair.tolist()) == knee
    ]
    # the knee, and nothing else
    assert_allclose(places, skeleton.rest[[skeleton.index["calf_l"]], :3, 3], atol=1e-9)
    assert integrity(body, bent(skeleton, "calf_l", -60.0)).whole
    found = integrity(body, opened(skeleton, "calf_l", np.array([0.0, 0.0, -0.07 * body.leg])))
    assert set(found.open_joints[0]) == {"thigh_l", "calf_l"}


@pytest.mark.parametrize("bone", ["badge", "pelvis_up"])
def test_what_touches_across_a_bone_that_turns_is_no_joint(bone):
    """A robot's badge whose origin lies at the pelvis hangs on the chest; a pelvis drawn upward ends where
    the first spine bone does."""
    table = made.biped()
    _, hip, _ = table["pelvis"]
    _, _, top = table["spine_01"]
    table["badge"] = ("spine_02", hip, tuple(np.array(hip) + [0.0, 0.05, 0.0]))
    table["pelvis"] = (table["pelvis"][0], hip, top if bone == "pelvis_up" else table["pelvis"][2])
    table["belt"] = ("pelvis", hip, tuple(np.array(hip) + [0.05, 0.0, 0.0]))
    subject = made.skeleton(table)
    body = anatomy(subject, RoleMap(made.EXPECTED))
    named = [{body.names[one], body.names[other]} for one, other in body.joints]
    assert (
        {"pelvis", "badge"} not in named
        and {"pelvis", "spine_02"} not in named
        and {"belt", "badge"} not in named
    )
    assert {"pelvis", "belt"} in named
    assert {"spine_01", "spine_02"} in named and {"thigh_l", "calf_l"} in named
    assert integrity(body, bent(subject, "spine_01")).whole


def test_a_double_of_a_limb_counts_however_short_and_says_whose_it_is():
    """As the D bones of MikuMikuDance, the foot's of which ends beside the foot."""
    table = made.biped()
    for part in ("calf", "foot"):
        _, start, end = table[f"{part}_l"]
        table[f"{part}_double"] = (
            "pelvis",
            start,
            tuple(np.array(start) + 0.5 * (np.array(end) - np.array(start)) + [0.02, 0.0, 0.0]),
        )
    subject = made.skeleton(table)
    names = {
        bone: role
        for bone, role in limb_members(subject, RoleMap(made.EXPECTED)).items()
        if bone.endswith("double")
    }
    assert names == {"calf_double": "shin.L", "foot_double": "foot.L"}
    assert set(integrity(anatomy(subject, RoleMap(made.EXPECTED)), bent(subject)).left_behind) == set(names)


def opened(subject, bone: str, direction: np.ndarray) -> np.ndarray:
    """Return the rest pose with a bone and all below it moved."""
    posed, top = subject.rest.copy(), subject.index[bone]
    posed[[row for row in range(len(subject.names)) if row == top or subject.is_below(row, top)], :3, 3] += (
        direction
    )
    return posed
