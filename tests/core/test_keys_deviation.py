"""How far a character is off its dense keys: slip, stands, limbs."""

import numpy as np
import pytest

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.keys.deviation import (
    TRUNK,
    SeenMotion,
    deviation,
    limb_of_bones,
    standing_feet,
    standing_points,
)
from tests.core.skeletons import biped, skeleton


def seen(feet: np.ndarray) -> SeenMotion:
    """Return a figure of one bone whose feet are as given."""
    still = np.zeros((len(feet), 1, 3))
    return SeenMotion(still, still, np.broadcast_to(np.eye(3), (len(feet), 1, 3, 3)), feet, feet)


def test_slip_is_what_a_planted_point_strays_from_where_it_began():
    feet = np.random.default_rng(8).normal(size=(10, 2, 3, 3))
    planted = np.zeros((10, 2, 3), dtype=bool)
    planted[2:7, 1, 0] = True
    moved = feet.copy()
    moved[:, 1, 0, 0] += 0.5  # all along: no slip
    moved[5, 1, 0, 1] += 0.002
    moved[8] += 1.0  # in the air
    found = deviation(seen(feet), seen(moved), planted)
    assert found.slip.max(axis=0) == pytest.approx([0.0, 0.002])
    assert found.slip[:, 1].argmax() == 5
    assert found.metres.max() == 0.0


def test_slip_is_the_farthest_way_not_the_sum_of_many():
    feet = np.zeros((10, 2, 3, 3))
    moved = feet.copy()
    moved[1:, 0, 2] = [0.003, 0.0, 0.004]
    found = deviation(seen(feet), seen(moved), np.ones((10, 2, 3), dtype=bool))
    assert found.slip.max(axis=0) == pytest.approx([0.005, 0.0])


def test_points_that_stay_for_a_while_stand():
    feet = np.random.default_rng(9).normal(size=(60, 2, 3, 3))
    feet[20:40, 0, 1] = feet[20, 0, 1]
    feet[50:52, 1, 2] = feet[50, 1, 2]  # too short
    planted = standing_points(feet, fps=30.0, leg_length=0.9)
    assert planted[20:40, 0, 1].all()
    planted[30, 0, 1] = False
    assert standing_feet(planted, fps=30.0)[20:40, 0].all(), "for a frame it only trembles"
    planted[20:40, 0, 1] = False
    assert not planted.any()


def test_bones_belong_to_the_limb_that_they_are_at():
    character = Character.of(skeleton(biped(arms_down_deg=30.0)))
    limbs = limb_of_bones(character)
    for role, bone in character.roles.bones.items():
        part, _, side = role.rpartition(".")
        if part in ("shin", "foot", "toe"):
            assert limbs[bone] == f"leg.{side}"
        elif part in ("upper_arm", "forearm", "hand"):
            assert limbs[bone] == f"arm.{side}"
        elif role.startswith(("pelvis", "spine", "neck", "head")):
            assert limbs[bone] == TRUNK
