"""Bones that nothing posed carries: to which role each belongs, and what belongs to none."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.skeleton.anatomy import limb_members
from neurarig_addon.core.skeleton.loose_bones import loose_bones
from neurarig_addon.core.skeleton.roles import RoleMap
from tests.drawn_skeletons.samples import biped as drawn_biped

from . import skeletons as made

ROLES = RoleMap(made.EXPECTED)


def flat(skeleton):
    """Return a skeleton without a hierarchy."""
    return replace(skeleton, parents=np.full(len(skeleton.names), -1))


def test_a_skeleton_with_a_hierarchy_has_no_loose_bones():
    assert loose_bones(made.skeleton(made.with_twists(made.biped())), ROLES) == {}


def test_in_pieces_each_bone_belongs_to_the_role_that_carried_it():
    skeleton = made.skeleton(made.with_twists(made.biped()))
    found = loose_bones(flat(skeleton), ROLES)
    playing = {bone: role for role, bone in ROLES.bones.items()}
    carried = {
        name: next(
            (
                playing[skeleton.names[above]]
                for above in skeleton.ancestors(row)
                if skeleton.names[above] in playing
            ),
            "",
        )
        for row, name in enumerate(skeleton.names)
        if name not in playing
    }
    limbs = limb_members(skeleton, ROLES)
    for bone, role in found.items():
        assert role == limbs.get(bone, carried[bone])
    assert len(found) > 6


def test_a_prop_that_touches_nothing_belongs_to_nothing():
    table = made.biped() | {"lamp": ("", (2.0, 0.0, 0.0), (2.0, 0.0, 1.0))}
    assert loose_bones(made.skeleton(table), ROLES) == {}


def test_what_touches_a_bone_belongs_to_it_and_so_does_what_that_carries():
    table = made.biped()
    end = table["hand_l"][2]
    up = np.array([0.0, 0.0, 0.3])
    table["staff"] = ("", end, tuple(end + up))
    table["flag"] = ("", tuple(end + up), tuple(end + 2.0 * up))
    assert loose_bones(made.skeleton(table), ROLES) == {"staff": "hand.L", "flag": "hand.L"}


def test_a_link_between_root_and_thigh_belongs_to_the_pelvis():
    table = made.biped()
    _, hip, knee = table["thigh_l"]
    table = {"link_l": ("", (0.0, 0.0, hip[2] + 0.1), hip)} | table | {"thigh_l": ("link_l", hip, knee)}
    assert loose_bones(made.skeleton(table), ROLES) == {"link_l": "pelvis"}


@pytest.mark.parametrize("keep_parents", [True, False])
def test_hair_that_falls_past_an_arm_stays_with_the_head(keep_parents):
    """Links of a strand that come to lie in a limb would be torn from the rest of it."""
    table = made.biped()
    _, shoulder, elbow = table["upperarm_l"]
    top = table["head"][2]
    along = np.array(elbow) - np.array(shoulder)
    points = [
        np.array(top),
        np.array(shoulder) + [0.0, 0.02, 0.02],
        *(np.array(shoulder) + share * along for share in (0.3, 0.6, 0.9)),
    ]
    for k in range(4):
        table[f"hair_{k}"] = (f"hair_{k - 1}" if k else "head", tuple(points[k]), tuple(points[k + 1]))
    skeleton = made.skeleton(table)
    assert not [bone for bone in limb_members(skeleton, ROLES) if bone.startswith("hair")]
    if not keep_parents:
        found = loose_bones(flat(skeleton), ROLES)
        assert {found[f"hair_{k}"] for k in range(4)} == {"head"}


@pytest.mark.parametrize("number", range(8))
def test_drawn_bodies_in_pieces_keep_every_bone_that_their_roles_carry(number):
    draw = np.random.default_rng([417, number])
    sample = drawn_biped(draw)
    while "flat" in sample.vices or "weapon" in sample.vices or "two roots" in sample.vices:
        sample = drawn_biped(draw)
    roles = RoleMap({role: min(bones) for role, bones in sample.roles.items()})
    skeleton = sample.skeleton
    playing = set(roles.bones.values())
    below = {
        name
        for row, name in enumerate(skeleton.names)
        if skeleton.deform[row]
        and name not in playing
        and any(skeleton.names[above] in playing for above in skeleton.ancestors(row))
    }
    found = loose_bones(flat(skeleton), roles)
    assert len(below - found.keys()) <= 0.1 * len(below)
