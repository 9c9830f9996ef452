"""What is seen of legs and arms is what anybody would measure on them, and what changes when one thing
changes."""

import numpy as np
import pytest

from neurarig_addon.core.detection.arms import find_arms
from neurarig_addon.core.detection.pairs import LimbPair, mirror_error

from .plain_figure import ARM, LEG, PLAIN, SEEN, Seen, elsewhere, with_bones

OF_LEGS = {
    "uneven segments": 2 * np.log(5 / 4), "longer second segment": 2 * np.log(5 / 4), "detour": 0.0,
    "no end": 0.0, "one bone": 0.0,
    "turn at first link": 0.0, "turn at last link": 0.0, "folded": 0.0, "size": 2 * np.log(LEG / 1.6),
    "control": 0.0, "carrier": 0.0,
    "twin below": 0.0, "carries on": 2.0, "straight from above": 2 * np.sqrt(0.5),
    "straight on below": 2 / np.sqrt(3.25),
    "straight from above, long": 2 * np.sqrt(0.5) * np.sqrt(0.02) / LEG,
    "length below": 2 * np.sqrt(0.0325) / LEG, "longer below": 0.0,
    "nothing below": 0.0, "joints passed over": 0.0, "bend": 0.0, "no bend": 2.0, "has a foot": 2.0,
    "thigh slants": 0.0,
    "shin slants": 0.0, "unlike": 0.0, "ankle above floor": 0.1 / LEG, "high for its hub": 0.0,
    "body above": np.log(0.6 / 1.6),
    "height": np.log(1.0 / 1.6), "hips apart": 0.2 / LEG, "wide hips": 0.0, "hub far": 0.1 / LEG,
    "no hub": 0.0,
}  # fmt: skip


OF_ARMS = {
    "uneven segments": 2 * np.log(3 / 2), "longer second segment": 0.0, "forks before the hand": 0.0,
    "fingers": 2.0,
    "hangs to the floor": 0.0, "raised": 0.0, "low": 0.0, "body above": np.log(0.2 / 1.6),
    "longer than legs": 0.0,
    "shorter than legs": np.log(LEG / ARM), "shoulders apart": 0.4 / LEG, "narrow shoulders": 0.0,
    "hub far": 0.2 / LEG,
    "hub below the head": 1.0, "hub at the top": 0.0, "hub with the legs": 0.0, "off the middle": 0.0,
}  # fmt: skip


@pytest.mark.parametrize("what", OF_LEGS)
def test_legs_of_round_numbers(what):
    assert SEEN.of_leg(what) == pytest.approx(OF_LEGS[what], abs=1e-9)


@pytest.mark.parametrize("what", OF_ARMS)
def test_arms_of_round_numbers(what):
    assert SEEN.of_arm(what) == pytest.approx(OF_ARMS[what], abs=1e-9)


def test_low_shoulders_are_low_and_the_higher_ones_of_a_hub_count():
    low = elsewhere(
        "collar", "upper", "fore", "hand", "index", "index_tip", "thumb", "thumb_tip", by=(0, 0, -0.3)
    )
    assert Seen(PLAIN | low).of_arm("low") == pytest.approx(1.0 - 0.1 / (0.3 * LEG))


@pytest.mark.parametrize(("away", "error"), [((0, 0, 0.03), 0.03), ((0.03, 0, 0), 0.03 / np.sqrt(18.0))])
def test_how_unlike_two_limbs_are_is_how_far_their_joints_are_from_a_mirror_image(away, error):
    left = np.array([[[0.1, 0, 1.0], [0.1, 0, 0.6], [0.1, 0, 0.1]]])
    right = left * [-1.0, 1.0, 1.0]
    right[:, 2] -= np.array(away) * [1.0, 1.0, 0.0]
    right[..., 2] += away[2]
    for turn in (0.0, 1.1, -2.3):
        about = np.array(
            [[np.cos(turn), -np.sin(turn), 0.0], [np.sin(turn), np.cos(turn), 0.0], [0.0, 0.0, 1.0]]
        )
        found, normal = mirror_error(left @ about.T, right @ about.T)
        assert found[0] == pytest.approx(error) and normal[0] == pytest.approx(about[:, 0])


def test_arms_come_in_the_order_of_the_legs():
    for legs in (SEEN.pair, SEEN.pair.swapped()):
        arms = find_arms(SEEN.figure, legs, SEEN.used)
        assert isinstance(arms, LimbPair) and arms.across @ legs.across > 0.99


def test_legs_and_arms_that_nothing_carries_have_no_hub():
    loose = Seen(
        with_bones(
            thigh_l=(None, (0.1, 0, 1.0), (0.1, 0, 0.6)), collar_l=(None, (0.05, 0, 1.4), (0.2, 0, 1.4))
        )
    )
    assert (
        loose.of_leg("no hub") == 1.0
        and loose.of_leg("hub far") == 0.0
        and loose.of_leg("straight from above") == 0.0
    )
    assert [
        loose.of_arm(what)
        for what in ("hub far", "hub below the head", "hub at the top", "hub with the legs")
    ] == [0, 0, 0, 0]
    assert loose.legs.pairs.hub[loose.leg] == loose.arms.pairs.hub[loose.arm] == -1


def test_bones_of_the_legs_are_no_arms():
    rows = set(SEEN.arms.limbs.rows.ravel().tolist()) - {-1}
    assert rows and not rows & SEEN.used
