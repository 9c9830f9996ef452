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


CHANGES = {
    "ankles ahead slant the shin": (
        {"foot_l": ("shin_l", (0.1, -0.375, 0.1), (0.1, -0.5, 0)),
        "toe_l": ("foot_l", (0.1, -0.5, 0), (0.1, -0.6, 0))},
        {"shin slants": 2 * 0.2, "thigh slants": 0.0, "bend": 2 * np.arccos(0.8), "no bend": 0.0,
         "uneven segments": 2 * np.log(0.625 / 0.4)},
    ),
    "knees apart slant the thigh": (
        {"shin_l": ("thigh_l", (0.4, 0, 0.6), (0.1, 0, 0.1))},
        {"thigh slants": 2 * 0.2, "folded": 2 * (1 - 0.9 / (0.5 + np.hypot(0.3, 0.5)))}
    ),
    "a foot without toes does not go on": (
        {"toe_l": ("hips", (0.3, 0.3, 1.1), (0.3, 0.3, 1.2)),
        "foot_l": ("shin_l", (0.1, 0, 0), (0.1, 0, -0.1))},
        {"nothing below": 2.0, "carries on": 2 * 2 / 3, "has a foot": 0.0, "ankle above floor": 0.0},
    ),
    "hips wide apart": (
        {"thigh_l": ("hips", (0.4, 0, 1.0), (0.4, 0, 0.6)),
        "shin_l": ("thigh_l", (0.4, 0, 0.6), (0.4, 0, 0.1)),
         "foot_l": ("shin_l", (0.4, 0, 0.1), (0.4, -0.15, 0)),
         "toe_l": ("foot_l", (0.4, -0.15, 0), (0.4, -0.25, 0))},
        {"hips apart": 0.8 / LEG, "wide hips": 0.8 / LEG - 0.6, "hub far": 0.1 / LEG},
    ),
    "half a thigh that goes round about": (
        {"half_l": ("thigh_l", (0.1, -0.15, 0.8), (0.1, 0, 0.6)),
        "shin_l": ("half_l", (0.1, 0, 0.6), (0.1, 0, 0.1))},
        {"detour": 2 * 0.25, "joints passed over": 2.0, "turn at first link": 2.0},
    ),
    "half a shin in line": (
        {"half_l": ("shin_l", (0.1, 0, 0.3), (0.1, 0, 0.1)),
        "foot_l": ("half_l", (0.1, 0, 0.1), (0.1, -0.15, 0))},
        {"detour": 0.0, "joints passed over": 2.0, "turn at first link": 0.0, "turn at last link": 0.0},
    ),
    "half a shin that turns": (
        {"half_l": ("shin_l", (0.1, -0.1, 0.3), (0.1, 0, 0.1)),
        "foot_l": ("half_l", (0.1, 0, 0.1), (0.1, -0.15, 0))},
        {"turn at last link": 2.0, "turn at first link": 0.0},
    ),
    "thighs that hang on the root": ({"thigh_l": ("root", (0.1, 0, 1.0), (0.1, 0, 0.6))},
        {"hub far": 1.0 / LEG, "no hub": 0.0}),
    "a helper at the knee": (
        {"helper_l": ("shin_l", (0.1, 0, 0.6), (0.1, 0, 0.1)),
        "foot_l": ("helper_l", (0.1, 0, 0.1), (0.1, -0.15, 0))},
        {"twin below": 2 / 3, "joints passed over": 0.0},
    ),
    "long feet": (
        {"toe_l": ("foot_l", (0.1, -0.45, 0.1), (0.1, -0.6, 0.1))},
        {"length below": 1.0, "longer below": 2 * 0.2, "straight on below": 0.0}
    ),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_change_of_the_legs_changes(change):
    bones, wanted = CHANGES[change]
    seen = Seen(with_bones(**bones))
    for what, value in wanted.items():
        assert seen.of_leg(what) == pytest.approx(value, abs=1e-9), what


def lowered_arms(**more):
    """Return the figure with its arms hanging straight down."""
    return with_bones(**{
        "upper_l": ("collar_l", (0.2, 0, 1.4), (0.2, 0, 1.1)),
        "fore_l": ("upper_l", (0.2, 0, 1.1), (0.2, 0, 0.9)),
        "hand_l": ("fore_l", (0.2, 0, 0.9), (0.2, 0, 0.8)),
        "index_l": ("hand_l", (0.2, -0.02, 0.8), (0.2, -0.02, 0.7)),
        "index_tip_l": ("index_l", (0.2, -0.02, 0.7), (0.2, -0.02, 0.6)),
        "thumb_l": ("hand_l", (0.2, 0.02, 0.8), (0.2, 0.02, 0.7)),
        "thumb_tip_l": ("thumb_l", (0.2, 0.02, 0.7), (0.2, 0.02, 0.6)), **more,
    })  # fmt: skip


ARM_CHANGES = {
    "hanging arms are not raised": (lowered_arms(),
        {"raised": 0.0, "hangs to the floor": 0.0, "fingers": 2.0}),
    "a finger near the floor": (
        lowered_arms(thumb_tip_l=("thumb_l", (0.2, 0.02, 0.09), (0.2, 0.02, 0))),
        {"hangs to the floor": 2 * (1 - 0.09 / 0.225)}
    ),
    "hands above shoulders": (
        with_bones(hand_l=("fore_l", (0.5, 0, 1.6), (0.5, 0, 1.7))),
        {"raised": 0.2 / ARM, "bend": np.pi, "folded": 2 * (1 - np.hypot(0.3, 0.2) / ARM)}
    ),
    "one finger is no palm": (with_bones(thumb_l=("head", (0.1, 0, 1.6), (0.1, 0, 1.7))), {"fingers": 0.0}),
    "a forearm that carries a shield": (
        with_bones(shield_l=("fore_l", (0.6, 0, 1.4), (0.6, 0, 1.5)),
            rim_l=("shield_l", (0.6, 0, 1.5), (0.6, 0, 1.6))),
        {"forks before the hand": 2.0, "fingers": 2.0},
    ),
    "arms on the hips": (
        with_bones(collar_l=("hips", (0.05, 0, 1.4), (0.2, 0, 1.4))),
        {"hub with the legs": 1.0, "hub far": 0.3 / LEG, "hub below the head": 1.0}
    ),
    "arms on the head": (
        with_bones(collar_l=("head", (0.05, 0, 1.4), (0.2, 0, 1.4))),
        {"hub at the top": 1.0, "hub below the head": 1.0, "hub with the legs": 0.0}
    ),
    "narrow shoulders": (
        with_bones(upper_l=("collar_l", (0.06, 0, 1.4), (0.5, 0, 1.4)),
            collar_l=("chest", (0.03, 0, 1.4), (0.06, 0, 1.4))),
        {"narrow shoulders": 0.2 - 0.12 / LEG, "shoulders apart": 0.12 / LEG},
    ),
    "long arms": (
        with_bones(hand_l=("fore_l", (1.2, 0, 1.4), (1.3, 0, 1.4)),
            fore_l=("upper_l", (0.7, 0, 1.4), (1.2, 0, 1.4))),
        {"longer than legs": np.log(1.0 / LEG), "shorter than legs": 0.0},
    ),
}  # fmt: skip


@pytest.mark.parametrize("change", ARM_CHANGES)
def test_what_a_change_of_the_arms_changes(change):
    table, wanted = ARM_CHANGES[change]
    seen = Seen(table)
    for what, value in wanted.items():
        assert seen.of_arm(what) == pytest.approx(value, abs=1e-9), what


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


def test_limbs_that_cross_are_no_mirror_images():
    left = np.array([[[0.1, 0, 1.0], [0.1, 0, 0.6], [-0.1, 0, 0.1]]])
    assert np.isinf(mirror_error(left, left * [-1.0, 1.0, 1.0])[0][0])
    left[0, 2] = 0.1, 0, 0.1
    assert np.isfinite(mirror_error(left, left * [-1.0, 1.0, 1.0])[0][0])
    left[0, 0] = -0.001, 0, 1.0  # hips that overlap by a hair
    assert np.isfinite(mirror_error(left, left * [-1.0, 1.0, 1.0])[0][0])


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
