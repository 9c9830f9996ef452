"""The shared reference pose: the same orientation means the same on every rest pose."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.character.body import LEFT
from neurarig_addon.core.character.character import Character
from neurarig_addon.core.geometry.rotation import about_z, normalized
from neurarig_addon.core.skeleton.bvh import read_bvh
from tests.shared_data import shared_path

from . import skeletons as made


def character(arms_down: float = 0.0, **given) -> Character:
    return Character.of(made.skeleton(made.biped(arms_down_deg=arms_down), **given))


@pytest.mark.parametrize("arms_down", [0.0, 20.0, 45.0, 80.0])
def test_arms_are_brought_out_to_the_sides(arms_down):
    posed, body = character(arms_down).reference, character(arms_down).body
    for part, start, end in (("upper_arm", body.shoulder, body.elbow), ("forearm", body.elbow, body.wrist)):
        assert_allclose(posed[f"{part}.L"] @ normalized(end - start)[LEFT], [0, 1, 0], atol=1e-9)


@pytest.mark.parametrize("arms_down", [20.0, 45.0, 80.0])
def test_an_arm_that_only_hangs_lower_gets_that_turn_and_no_twist(arms_down):
    """Lowered by a turn about the forward axis, the arm is raised by the same turn."""
    straight, lowered = character(0.0).reference, character(arms_down).reference
    angle = np.radians(arms_down)
    raise_left = np.array([[1, 0, 0], [0, np.cos(angle), -np.sin(angle)], [0, np.sin(angle), np.cos(angle)]])
    for part in ("upper_arm", "forearm", "hand"):
        assert_allclose(lowered[f"{part}.L"], straight[f"{part}.L"] @ raise_left, atol=0.02)


def test_legs_hang_and_feet_point_ahead():
    subject = character()
    body, posed = subject.body, subject.reference
    assert_allclose(posed["thigh.L"] @ normalized(body.knee - body.hip)[LEFT], [0, 0, -1], atol=1e-9)
    assert_allclose(posed["foot.L"], about_z(-body.foot_heading[LEFT]), atol=1e-12)


def test_it_depends_on_geometry_only():
    plain = character()
    other = character(
        to_world=made.object_matrix(0.01, True, 70.0, (1.0, 2.0, 3.0)), rolls=np.random.default_rng(1)
    )
    for role, turn in plain.reference.items():
        assert_allclose(other.reference[role], turn, atol=1e-6, err_msg=role)


def test_motions_of_a_clip_carry_each_joint_to_the_next():
    """A role's motion carries the next joint of its limb to where that joint is seen."""
    clip = read_bvh(shared_path("data", "mocap", "walk", "cmu_02_01.bvh"))
    subject = Character.of(clip.skeleton)
    motions = subject.motions(clip)
    for upper, lower in (
        ("thigh.L", "shin.L"),
        ("shin.R", "foot.R"),
        ("upper_arm.L", "forearm.L"),
        ("pelvis", "spine.1"),
    ):
        assert_allclose(motions[upper].carry(subject.rest_head(lower)), motions[lower].position, atol=1e-9)
