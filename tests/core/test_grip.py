"""Hands held over time: nothing of a pose is the rest pose, half of it bends half as far, and all modes say
the same."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.geometry.rotation import from_axis_angle, rotation_vector
from neurarig_addon.core.hands.digits import Digit, is_certain
from neurarig_addon.core.hands.hand_pose import POSES, FingerBone, Hand, grip_channels
from neurarig_addon.core.posing.channels import from_mode

MODES = ("QUATERNION", "XYZ", "AXIS_ANGLE", "ZYX")


def digit(place: float, first: int, is_thumb: bool = False, curled: float = 0.1) -> Digit:
    """Return a digit along x that bends about y."""
    bends, rows = np.tile([0.0, 1.0, 0.0], (3, 1)), (first, first + 1, first + 2)
    return Digit(rows, bends, np.array([0.0, 0.0, 1.0]), np.full(3, curled), place, is_thumb)


def hand(modes: tuple[str, ...] = MODES) -> Hand:
    """Return a hand of two fingers and a thumb whose bones have any axes and modes."""
    rng = np.random.default_rng(5)
    digits = (digit(0.0, 0, is_thumb=True), digit(-1.0, 3), digit(1.0, 6))
    axes = [from_axis_angle(np.array([0.6, 0.0, 0.8]), angle) for angle in rng.uniform(-3.0, 3.0, 9)]
    return Hand(
        digits, {row: FingerBone(f"Bone{row}", modes[row % len(modes)], axes[row]) for row in range(9)}
    )


def turned(held, bone: str) -> np.ndarray:
    """Return a bone's rotations `(f, 3, 3)`."""
    prop = next(prop for prop in held.properties if prop.bone == bone)
    return from_mode(held.values[:, prop.columns], prop.mode)


@pytest.mark.parametrize("pose", POSES)
def test_an_amount_is_a_share_of_the_turn(pose):
    amounts = np.array([0.0, 0.25, 0.5, 1.0])
    held = grip_channels([(hand(), POSES[pose])], [amounts])
    whole = hand().basis(POSES[pose])
    for bone, turn in whole.items():
        assert_allclose(
            rotation_vector(turned(held, bone)), amounts[:, None] * rotation_vector(turn), atol=1e-9
        )


def test_what_never_changes_has_one_row_and_each_hand_its_own_amount():
    grips = [(hand(), POSES["FIST"]), (hand(), POSES["FLAT"])]
    held = grip_channels(grips[:1], [np.full(5, 0.7)])
    assert len(held.values) == 1
    moving = grip_channels(grips, [np.full(5, 0.7), np.linspace(0.0, 1.0, 5)])
    assert len(moving.values) == 5 and len(moving.properties) == 18
    assert_allclose(np.ptp(turned(moving, "Bone4"), axis=0), 0.0, atol=1e-12)
    assert grip_channels([], []) is None


def test_modes_only_say_it_differently():
    one, other = (
        grip_channels([(hand(modes), POSES["FIST"])], [np.ones(1)]) for modes in (MODES, ("QUATERNION",))
    )
    for row in range(9):
        assert_allclose(turned(one, f"Bone{row}"), turned(other, f"Bone{row}"), atol=1e-9)


@pytest.mark.parametrize(
    ("digits", "is_hand"),
    [
        ((digit(0.0, 0, is_thumb=True), digit(-1.0, 3), digit(1.0, 6)), True),
        ((digit(-1.0, 3), digit(0.0, 6), digit(1.0, 9)), False),  # no thumb
        ((digit(0.0, 0, is_thumb=True), digit(0.0, 3)), False),  # a mitten
        # bent as no finger rests
        ((digit(0.0, 0, is_thumb=True), digit(-1.0, 3, curled=1.6), digit(1.0, 6)), False),
        ((), False),
    ],
)
def test_only_a_whole_hand_is_certain(digits, is_hand):
    assert is_certain(digits) is is_hand
