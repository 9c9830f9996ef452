"""Animals on four legs, and birds: which bone plays which role."""

import numpy as np
import pytest

from neurarig_addon.core.detection.detect import detect
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.skeleton.roles import BIRD, QUADRUPED, RoleMap, all_roles, carrier_role
from tests.drawn_skeletons.animals import bird, quadruped


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
@pytest.mark.parametrize(("draw", "least"), [(quadruped, 0.9), (bird, 0.8)])
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
