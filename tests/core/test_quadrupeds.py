"""Animals on four legs, and birds: which bone plays which role."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.character.measure import measure
from neurarig_addon.core.character.paw import PADS
from neurarig_addon.core.detection.detect import check, detect
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.geometry.vectors import transformed
from neurarig_addon.core.sets.clip import CORE, clip_plans
from neurarig_addon.core.skeleton.roles import (
    BIPED,
    BIRD,
    QUADRUPED,
    SIDES,
    RoleMap,
    all_roles,
    carrier_role,
    sided,
)
from tests.drawn_skeletons.animals import bird, centaur, quadruped
from tests.refusals import refuses

from . import skeletons as made


def test_each_kind_of_character_has_its_roles_and_nothing_hangs_on_a_tail_or_an_ear():
    animal = all_roles(3, kind=QUADRUPED, tail_bones=2)
    assert set(animal) - set(all_roles(3)) == {"fingers.L", "fingers.R", "tail.1", "tail.2", "ear.L", "ear.R"}
    assert set(all_roles(3)) - set(all_roles(3, kind=BIRD, tail_bones=2)) == {
        f"{part}.{side}" for part in ("clavicle", "upper_arm", "forearm", "hand") for side in "LR"
    }
    roles = RoleMap({role: role for role in animal}, kind=QUADRUPED)
    assert roles.tail() == ["tail.1", "tail.2"]
    carriers = {role: carrier_role(roles, role) for role in animal}
    assert not {role for role in carriers.values() if role.startswith("ear")} | {"tail.2"} & {
        *carriers.values()
    }
    wanted = {"tail.1": "pelvis", "tail.2": "tail.1", "ear.L": "head", "fingers.R": "hand.R"}
    assert wanted.items() <= carriers.items()


@pytest.mark.few
@pytest.mark.parametrize("scramble", [False, True])
@pytest.mark.parametrize(("draw", "least"), [(quadruped, 0.92), (bird, 0.96)])
def test_every_leg_bone_of_most_drawn_animals_is_right(draw, least, scramble):
    """Cut bones, links, hooves, missing digits, feet at the root, layers, strides; birds that are found as
    bipeds count too if their legs are right."""
    count, wrong = 60, {}
    for k in range(count):
        sample = draw(np.random.default_rng([31, k]))
        sample = sample.scrambled() if scramble else sample
        legs = {role: bones for role, bones in sample.roles.items() if not role.startswith("clavicle")}
        try:
            found = detect(sample.skeleton)
            missed = [role for role, bones in legs.items() if found.get(role) not in bones]
        except NeuraRigError as refusal:
            missed = [str(refusal)]
        wrong |= {k: missed} if missed else {}
    assert len(wrong) <= (1.0 - least) * count, wrong


@pytest.mark.few
def test_most_centaurs_are_no_animals_whatever_their_bones_are_called():
    taken = 0
    for k in range(20):
        try:
            taken += detect(centaur(np.random.default_rng([5, k])).scrambled().skeleton) is not None
        except NeuraRigError as refusal:
            assert "leg" in str(refusal)
    assert taken <= 8


@pytest.mark.parametrize("scale", [0.05, 0.4, 6.0])
def test_paws_of_any_size_stand_on_their_skin(scale):
    sample = quadruped(np.random.default_rng([31, 2]))
    skeleton = replace(
        sample.skeleton, to_world=np.diag([scale, scale, scale, 1.0]) @ sample.skeleton.to_world
    )
    roles, thick = detect(skeleton), 0.01 * np.ptp(sample.skeleton.heads[:, 2])
    soles = {}
    for key, part in (("", "toe"), ("hand.", "fingers")):
        for side in SIDES:
            row = sample.skeleton.index[roles.bones[sided(part, side)]]
            ends = np.stack([sample.skeleton.heads[row], sample.skeleton.tails[row]])
            ends[:, 2] = sample.skeleton.tails[:, 2].min() - thick
            soles[key + side] = transformed(ends, np.linalg.inv(sample.skeleton.to_world))
    bare, shod = measure(skeleton, roles), measure(skeleton, roles, soles)
    assert np.allclose(shod.hip[:, 2] - bare.hip[:, 2], scale * thick, rtol=0.02)


@pytest.mark.parametrize("on_pads", [False, True])
def test_what_points_backward_is_part_of_the_sole_and_tails_that_no_skin_follows_are_not(on_pads):
    """A claw moves with the toes, a pad with the foot, which it keeps from pitching back."""
    sample = bird(np.random.default_rng([31, 4]))
    skeleton = sample.skeleton
    roles = detect(skeleton)
    soles, leg = {}, measure(skeleton, roles).leg_length
    for side in SIDES:
        row = skeleton.index[roles.bones[f"toe.{side}"]]
        joint, forward = skeleton.heads[row], (skeleton.tails[row] - skeleton.heads[row]) * [1.0, 1.0, 0.0]
        forward = forward / np.linalg.norm(forward)
        places = joint + np.outer(leg * np.array([0.0, 0.1, -0.09]), forward)
        places[:, 2] = skeleton.tails[:, 2].min() + leg * np.array([0.0, 0.0, 0.01])
        soles[side] = transformed(places, np.linalg.inv(skeleton.to_world))
        soles[PADS + side] = soles[side][2:] if on_pads else soles[side][:0]
    body = measure(skeleton, roles, soles)
    assert (body.pads == on_pads).all() and ((body.least_pitch > -1.0) == on_pads).all()
    assert np.allclose(body.heel[:, 0] - body.toe_joint[:, 0], -0.07 * leg, atol=0.03 * leg)
    assert ((body.toe - body.toe_joint)[:, 0] < (0.1 + 0.13) * leg).all()


def on_all_fours(arm: float) -> made.Table:
    """Return something on palms and soles, with arms of some length and a head ahead."""
    top = 0.09 + arm
    trunk: made.Table = {
        "hips": (None, (0, 0.3, 0.78), (0, 0.1, 0.75)),
        "back": ("hips", (0, 0.1, 0.75), (0, -0.35, top + 0.03)),
        "neck": ("back", (0, -0.4, top + 0.05), (0, -0.5, top + 0.05)),
        "head": ("neck", (0, -0.5, top + 0.05), (0, -0.7, top)),
    }
    limbs: made.Table = {
        "thigh_l": ("hips", (0.1, 0.28, 0.75), (0.11, 0.1, 0.42)),
        "shin_l": ("thigh_l", (0.11, 0.1, 0.42), (0.11, 0.45, 0.09)),
        "foot_l": ("shin_l", (0.11, 0.45, 0.09), (0.11, 0.33, 0.02)),
        "toe_l": ("foot_l", (0.11, 0.33, 0.02), (0.11, 0.26, 0.01)),
        "arm_l": ("back", (0.15, -0.36, top), (0.16, -0.3, 0.07 + arm / 2.0)),
        "fore_l": ("arm_l", (0.16, -0.3, 0.07 + arm / 2.0), (0.16, -0.36, 0.06)),
        "palm_l": ("fore_l", (0.16, -0.36, 0.06), (0.16, -0.46, 0.02)),
        "digit_l": ("palm_l", (0.16, -0.46, 0.02), (0.16, -0.52, 0.01)),
    }
    return {**trunk, **made.both(limbs)}


def test_a_person_on_palms_and_soles_is_no_bear_and_a_bear_is_one():
    bear = detect(made.skeleton(on_all_fours(0.75)))
    assert bear.kind == QUADRUPED and bear.get("foot.L") == "foot_l" and bear.get("fingers.L") == "digit_l"
    with refuses("four-legged"):
        detect(made.skeleton(on_all_fours(0.5)))


def test_a_list_without_fore_legs_is_no_quadruped():
    subject = made.skeleton(on_all_fours(0.75))
    roles = detect(subject)
    left = {role: bone for role, bone in roles.bones.items() if role != "upper_arm.R"}
    with refuses("upper_arm.R"):
        check(subject, replace(roles, bones=left))


def test_a_set_of_an_animal_has_its_gaits_and_nothing_that_it_does_not_do():
    of_people, of_animals = (
        {plan.name for plan in clip_plans(CORE, character=kind)} for kind in (BIPED, QUADRUPED)
    )
    assert of_animals - of_people == {"trot_forward", "canter_forward", "gallop_forward"}
    assert {"idle", "turn_left_90", "walk_forward", "walk_start_left_foot"} <= of_animals & of_people
    assert not {"walk_left", "run_forward"} & of_animals
    with refuses("'walk_left' is no clip on four legs"):
        clip_plans(CORE, ("walk_forward", "walk_left"), QUADRUPED)
