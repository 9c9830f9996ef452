"""The integrity measure: what is open or left behind is seen, what moves or stretches as a whole is not."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.detection.samples import biped
from neurarig_addon.core.character.integrity import integrity
from neurarig_addon.core.geometry.rotation import about_x
from neurarig_addon.core.skeleton.anatomy import anatomy, limb_members
from neurarig_addon.core.skeleton.role_carriers import carrier_role
from neurarig_addon.core.skeleton.roles import RoleMap
from neurarig_addon.core.skeleton.skeleton import Skeleton

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
    below = [row for row in range(len(subject.names)) if subject.index["calf_l"] in [row, *subject.ancestors(row)]]
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
    assert integrity(body, posed).left_behind == ("thigh_twist_l",)


def test_a_twist_bone_may_turn_about_the_limb(subject, body):
    posed, row = subject.rest.copy(), subject.index["thigh_twist_l"]
    cos, sin = np.cos(1.2), np.sin(1.2)
    posed[row, :3, :3] = posed[row, :3, :3] @ np.array([[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]])
    assert integrity(body, posed).whole


def test_a_bone_of_a_limb_counts_whatever_its_parent_is(subject):
    parents = subject.parents.copy()
    parents[subject.index["calf_twist_r"]] = 0
    loose = replace(subject, parents=parents)
    assert integrity(anatomy(loose, RoleMap(made.EXPECTED)), bent(loose, "thigh_r")).left_behind == ("calf_twist_r",)


def test_a_stretched_limb_is_whole(subject, body):
    """The thigh grows along its bone, and what hangs on it goes along."""
    posed, thigh = subject.rest.copy(), subject.index["thigh_l"]
    stretch = subject.rest[thigh] @ np.diag([1.0, 1.3, 1.0, 1.0]) @ np.linalg.inv(subject.rest[thigh])
    posed[thigh] = stretch @ posed[thigh]
    twist = subject.index["thigh_twist_l"]
    posed[twist] = stretch @ posed[twist]
    shift = 0.3 * (subject.tails[thigh] - subject.heads[thigh])
    below = [row for row in range(len(subject.names)) if subject.index["calf_l"] in [row, *subject.ancestors(row)]]
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
    assert integrity(anatomy(subject, RoleMap(made.EXPECTED)), posed).widest == pytest.approx(10.0 / LEG, rel=0.03)


@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_what_belongs_together_does_not_depend_on_the_unit(scale):
    table = made.with_twists(made.biped())
    _, hip, _ = table["pelvis"]
    table["badge"] = ("spine_02", hip, tuple(np.array(hip) + [0.0, 0.05, 0.0]))
    wanted, found = (anatomy(made.skeleton(made.scaled(table, size)), RoleMap(made.EXPECTED)) for size in (1.0, scale))
    np.testing.assert_array_equal(found.joints, wanted.joints)
    np.testing.assert_array_equal(found.members, wanted.members)
    np.testing.assert_allclose(found.points, scale * wanted.points)


def test_a_bone_that_points_back_to_its_parents_head_is_no_joint():
    """Importers turn bones about, so that a shin's tail lies at the hip: nothing opens where the knee bends."""
    table = made.biped()
    for side in "lr":
        for name in (f"calf_{side}", f"thigh_{side}"):
            parent, head, tail = table[name]
            table[name] = (parent, head, tuple(2.0 * np.array(head) - tail))
        table[f"calf_{side}"] = (*table[f"calf_{side}"][:2], table[f"thigh_{side}"][1])
    skeleton = made.skeleton(table)
    body = anatomy(skeleton, RoleMap(made.EXPECTED))
    knee = {skeleton.index["calf_l"], skeleton.index["thigh_l"]}
    places = [point for pair, point in zip(body.joints, body.points, strict=True) if set(pair.tolist()) == knee]
    np.testing.assert_allclose(places, skeleton.rest[[skeleton.index["calf_l"]], :3, 3], atol=1e-9)  # the knee, and nothing else
    assert integrity(body, bent(skeleton, "calf_l", -60.0)).whole
    found = integrity(body, opened(skeleton, "calf_l", np.array([0.0, 0.0, -0.07 * body.leg])))
    assert set(found.open_joints[0]) == {"thigh_l", "calf_l"}


@pytest.mark.parametrize("bone", ["badge", "pelvis_up"])
def test_what_touches_across_a_bone_that_turns_is_no_joint(bone):
    """A robot's badge whose origin lies at the pelvis hangs on the chest; a pelvis drawn upward ends where the first spine bone does."""
    table = made.biped()
    _, hip, _ = table["pelvis"]
    _, _, top = table["spine_01"]
    table["badge"] = ("spine_02", hip, tuple(np.array(hip) + [0.0, 0.05, 0.0]))
    table["pelvis"] = (table["pelvis"][0], hip, top if bone == "pelvis_up" else table["pelvis"][2])
    table["belt"] = ("pelvis", hip, tuple(np.array(hip) + [0.05, 0.0, 0.0]))
    subject = made.skeleton(table)
    body = anatomy(subject, RoleMap(made.EXPECTED))
    named = [{body.names[one], body.names[other]} for one, other in body.joints]
    assert {"pelvis", "badge"} not in named and {"pelvis", "spine_02"} not in named and {"belt", "badge"} not in named
    assert {"pelvis", "belt"} in named
    assert {"spine_01", "spine_02"} in named and {"thigh_l", "calf_l"} in named
    assert integrity(body, bent(subject, "spine_01")).whole


def test_a_double_of_a_limb_counts_however_short_and_says_whose_it_is():
    """As the D bones of MikuMikuDance, the foot's of which ends beside the foot."""
    table = made.biped()
    for part in ("calf", "foot"):
        _, start, end = table[f"{part}_l"]
        table[f"{part}_double"] = ("pelvis", start, tuple(np.array(start) + 0.5 * (np.array(end) - np.array(start)) + [0.02, 0.0, 0.0]))
    subject = made.skeleton(table)
    names = {bone: role for bone, role in limb_members(subject, RoleMap(made.EXPECTED)).items() if bone.endswith("double")}
    assert names == {"calf_double": "shin.L", "foot_double": "foot.L"}
    assert set(integrity(anatomy(subject, RoleMap(made.EXPECTED)), bent(subject)).left_behind) == set(names)


def test_members_come_parents_before_children_whichever_limb_they_are_of():
    table = made.biped()
    for part in ("foot", "calf", "thigh"):
        _, start, end = table[f"{part}_l"]
        table[f"{part}_double"] = ("pelvis", start, tuple(np.array(start) + 0.5 * (np.array(end) - np.array(start)) + [0.02, 0.0, 0.0]))
    subject = made.skeleton(table)
    order = [subject.index[bone] for bone in limb_members(subject, RoleMap(made.EXPECTED))]
    assert len(order) >= 3 and order == sorted(order)


def test_fingers_may_be_posed_on_their_own():
    table = made.biped()
    for side in "lr":
        _, wrist, end = table[f"hand_{side}"]
        wrist, end = np.array(wrist), np.array(end)
        table[f"finger_{side}"] = (f"hand_{side}", tuple(wrist + 0.5 * (end - wrist)), tuple(wrist + 0.9 * (end - wrist)))
    skeleton = made.skeleton(table)
    body = anatomy(skeleton, RoleMap(made.EXPECTED))
    assert not [body.names[row] for row in body.members[:, 0] if body.names[row].startswith("finger")]


def opened(subject, bone: str, direction: np.ndarray) -> np.ndarray:
    """Return the rest pose with a bone and all below it moved."""
    posed, top = subject.rest.copy(), subject.index[bone]
    posed[[row for row in range(len(subject.names)) if row == top or subject.is_below(row, top)], :3, 3] += direction
    return posed


@pytest.mark.parametrize("number", range(12))
def test_a_joint_opened_at_any_place_of_any_body_is_seen(number):
    """Also where bones hang on others than those that carry them in a body, as a spine in pieces does."""
    draw = np.random.default_rng([613, number])
    sample = biped(draw)
    roles = RoleMap({role: min(bones) for role, bones in sample.roles.items()})
    subject = sample.skeleton
    loose = rehung(subject, {subject.index[bone] for role, bone in roles.bones.items() if role != "pelvis"}, draw)
    for skeleton in (subject, loose):
        body = anatomy(skeleton, roles)
        assert integrity(body, skeleton.rest).whole
        for bone in joined(skeleton, roles):
            away = draw.normal(size=3)
            found = integrity(body, opened(skeleton, bone, 0.02 * body.leg * away / np.linalg.norm(away)))
            assert found.widest > 1.9 or found.left_behind, bone


def rehung(subject: Skeleton, rows: set[int], draw: np.random.Generator) -> Skeleton:
    """Return a skeleton with half of these bones hung on any of those above them."""
    parents = subject.parents.copy()
    for row in rows:
        if draw.random() < 0.5:
            parents[row] = draw.choice(subject.ancestors(row))
    return replace(subject, parents=parents)


def joined(skeleton: Skeleton, roles: RoleMap) -> list[str]:
    """Return the deforming bones that begin where what carries them begins or ends: their parent, of roles those that carry them."""
    heads, tails = skeleton.rest[:, :3, 3], skeleton.rest[:, :3, 3] + skeleton.rest[:, :3, 1] * skeleton.lengths[:, None]
    playing = {bone: role for role, bone in roles.bones.items()}
    found = []
    for row, bone in enumerate(skeleton.names):
        carriers = {int(skeleton.parents[row])}
        if bone in playing and playing[bone] != "pelvis":
            carriers.add(skeleton.index[roles.bones[carrier_role(roles, playing[bone])]])
        above = [other for other in carriers if other >= 0 and skeleton.deform[other] and not skeleton.is_below(other, row)]
        near = [min(np.linalg.norm(ends[other] - heads[row]) for ends in (heads, tails)) for other in above]
        bodily = above and not skeleton.is_below(skeleton.index[roles.bones["pelvis"]], above[0])
        if skeleton.deform[row] and bodily and min(near) < 1e-6 * np.linalg.norm(np.ptp(heads, axis=0)):
            found.append(bone)
    return found


@pytest.mark.parametrize("bone", ["thigh_l", "clavicle_r", "spine_01"])
def test_a_limb_that_leaves_the_trunk_is_seen_though_it_touches_no_bone_of_it(bone: str) -> None:
    """Thighs begin beside the pelvis' bone; a little of sliding is what hips and shoulders do."""
    table = made.biped()
    carrier, head, tail = table[bone]
    table[bone] = (carrier, tuple(np.array(head) + [0.0, 0.03, 0.02]), tail)
    roles, subject = RoleMap(made.EXPECTED), made.skeleton(table)
    body = anatomy(subject, roles)
    away = np.array([0.0, 0.0, body.leg])
    assert integrity(body, opened(subject, bone, 0.04 * away)).whole
    found = integrity(body, opened(subject, bone, 0.07 * away))
    assert found.open_joints and bone in found.open_joints[0]
    assert found.widest == pytest.approx(7.0, rel=1e-3)
