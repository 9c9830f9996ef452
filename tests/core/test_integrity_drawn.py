"""The integrity measure on drawn bodies, and what belongs to a limb."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.character.integrity import integrity
from neurarig_addon.core.skeleton.anatomy import anatomy, limb_members
from neurarig_addon.core.skeleton.roles import RoleMap, carrier_role
from neurarig_addon.core.skeleton.skeleton import Skeleton
from tests.drawn_skeletons.samples import biped

from . import skeletons as made


@pytest.fixture
def subject():
    return made.skeleton(made.with_twists(made.biped()), rolls=np.random.default_rng(3))


@pytest.fixture
def body(subject):
    return anatomy(subject, RoleMap(made.EXPECTED))


def test_members_come_parents_before_children_whichever_limb_they_are_of():
    table = made.biped()
    for part in ("foot", "calf", "thigh"):
        _, start, end = table[f"{part}_l"]
        table[f"{part}_double"] = (
            "pelvis",
            start,
            tuple(np.array(start) + 0.5 * (np.array(end) - np.array(start)) + [0.02, 0.0, 0.0]),
        )
    subject = made.skeleton(table)
    order = [subject.index[bone] for bone in limb_members(subject, RoleMap(made.EXPECTED))]
    assert len(order) >= 3 and order == sorted(order)


def test_fingers_may_be_posed_on_their_own():
    table = made.biped()
    for side in "lr":
        _, wrist, end = table[f"hand_{side}"]
        wrist, end = np.array(wrist), np.array(end)
        table[f"finger_{side}"] = (
            f"hand_{side}",
            tuple(wrist + 0.5 * (end - wrist)),
            tuple(wrist + 0.9 * (end - wrist)),
        )
    skeleton = made.skeleton(table)
    body = anatomy(skeleton, RoleMap(made.EXPECTED))
    assert not [body.names[row] for row in body.members[:, 0] if body.names[row].startswith("finger")]


def opened(subject, bone: str, direction: np.ndarray) -> np.ndarray:
    """Return the rest pose with a bone and all below it moved."""
    posed, top = subject.rest.copy(), subject.index[bone]
    posed[[row for row in range(len(subject.names)) if row == top or subject.is_below(row, top)], :3, 3] += (
        direction
    )
    return posed


@pytest.mark.parametrize("number", range(12))
def test_a_joint_opened_at_any_place_of_any_body_is_seen(number):
    """Also where bones hang on others than those that carry them in a body, as a spine in pieces does."""
    draw = np.random.default_rng([613, number])
    sample = biped(draw)
    roles = RoleMap({role: min(bones) for role, bones in sample.roles.items()})
    subject = sample.skeleton
    loose = rehung(
        subject, {subject.index[bone] for role, bone in roles.bones.items() if role != "pelvis"}, draw
    )
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
    """Return the deforming bones that begin where what carries them begins or ends: their parent, of roles
    those that carry them."""
    heads, tails = (
        skeleton.rest[:, :3, 3],
        skeleton.rest[:, :3, 3] + skeleton.rest[:, :3, 1] * skeleton.lengths[:, None],
    )
    playing = {bone: role for role, bone in roles.bones.items()}
    found = []
    for row, bone in enumerate(skeleton.names):
        carriers = {int(skeleton.parents[row])}
        if bone in playing and playing[bone] != "pelvis":
            carriers.add(skeleton.index[roles.bones[carrier_role(roles, playing[bone])]])
        above = [
            other
            for other in carriers
            if other >= 0 and skeleton.deform[other] and not skeleton.is_below(other, row)
        ]
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
