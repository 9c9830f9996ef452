"""Bones that make up for those that carry them, so that deviations of a chain do not add up."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.geometry.rotation import from_axis_angle, normalized, rotation_vector
from neurarig_addon.core.keys.carrying import MOST_TURNED, Carrying, Fitted, Joint
from neurarig_addon.core.posing.channels import QUATERNION, continuous_rows, from_mode, in_mode, nearest

COUNT, LENGTH = 40, 0.4  # frames; metres
BOUND = 0.005, np.radians(0.5)


def swings(seed: int, size: float) -> np.ndarray:
    """Return smooth rotations `(f, 3, 3)` of about so many radians."""
    rng = np.random.default_rng(seed)
    phase = np.linspace(0.0, 6.0, COUNT)[:, None] * rng.uniform(0.5, 1.5, 3) + rng.uniform(0.0, 6.0, 3)
    turns = size * np.sin(phase)
    return from_axis_angle(normalized(turns), np.linalg.norm(turns, axis=-1))


def chain(mode: str) -> tuple[list[Joint], list[np.ndarray]]:
    """Return three joints, each at the tip of the one before, and their channels: the first one's location, and three rotations."""
    values = [np.random.default_rng(9).normal(0.0, 0.1, (COUNT, 3))]
    axes, head, joints = np.broadcast_to(np.eye(3), (COUNT, 3, 3)), values[0], []
    for number in range(3):
        own = swings(number, 0.4)
        values.append(continuous_rows(in_mode(own, mode), mode))
        axes = axes @ own
        joints.append(Joint(head, axes, LENGTH, number - 1, 0 if number == 0 else -1, number + 1, mode, 1.0, np.full(COUNT, BOUND[0])))
        head = head + axes[:, :, 1] * LENGTH
    return joints, values


def aimed(fitted: Fitted, channel: int) -> np.ndarray:
    """Return the values that a channel should have."""
    aim = fitted.aim(channel)
    assert aim is not None
    return aim.values


def strayed(values: np.ndarray, mode: str, seed: int, size: float) -> np.ndarray:
    """Return rotations off by up to about so many radians."""
    return nearest(in_mode(from_mode(values, mode) @ swings(seed, size), mode), values, mode)


@pytest.mark.parametrize("mode", [QUATERNION, "XYZ", "YZX"])
def test_where_nothing_strays_each_bone_aims_at_what_it_has(mode):
    joints, values = chain(mode)
    fitted = Carrying(joints, values, *BOUND).fitted(values)
    for channel in range(4):
        np.testing.assert_allclose(aimed(fitted, channel), values[channel], atol=1e-9)


@pytest.mark.parametrize("mode", [QUATERNION, "XYZ", "YZX"])
def test_a_bone_keeps_its_axes_though_its_carrier_strays(mode):
    joints, values = chain(mode)
    carrying = Carrying([replace(joint, reach=np.full(COUNT, 1e6)) for joint in joints], values, *BOUND)
    now = [values[0], strayed(values[1], mode, 7, 0.006), values[2].copy(), values[3].copy()]
    now[2] = aimed(carrying.fitted(now), 2)
    last = aimed(carrying.fitted(now), 3)
    np.testing.assert_allclose(last, values[3], atol=1e-7)  # its carrier has made up for it
    assert np.abs(now[2] - values[2]).max() > 1e-3


def test_a_tip_is_brought_back_within_the_bound_of_turning():
    joints, values = chain(QUATERNION)
    now = [values[0] + 0.002, *values[1:]]
    for reach, left in ((BOUND[0], 1.0), (1e-4, 0.1)):
        carrying = Carrying([replace(joint, reach=np.full(COUNT, reach)) for joint in joints], values, BOUND[0], 0.02)
        fitted = carrying.fitted(now)
        now[1] = aimed(fitted, 1)
        axes, tip = carrying.fitted(now).at(0)
        turned = np.linalg.norm(rotation_vector(np.swapaxes(joints[0].turns, -1, -2) @ axes), axis=-1)
        off = tip + axes[:, :, 1] * LENGTH - joints[1].heads
        across = off - np.einsum("fi,fi->f", off, joints[0].turns[:, :, 1])[:, None] * joints[0].turns[:, :, 1]
        assert turned.max() <= MOST_TURNED * 0.02 + 1e-9
        assert np.linalg.norm(across, axis=-1).max() < left * 0.002 * np.sqrt(3.0)


def test_bones_that_something_else_moves_are_not_carried():
    joints, values = chain(QUATERNION)
    loose = replace(joints[2], heads=joints[2].heads + np.linspace(0.0, 0.1, COUNT)[:, None])
    carrying = Carrying([*joints[:2], loose], values, *BOUND)
    assert carrying.carriers == [-1, 0, -1]
    now = [values[0], strayed(values[1], QUATERNION, 7, 0.006), *values[2:]]
    np.testing.assert_allclose(aimed(carrying.fitted(now), 3), values[3], atol=1e-9)


def test_carriers_are_fitted_first_and_places_before_turns():
    joints, values = chain(QUATERNION)
    assert Carrying(joints, values, *BOUND).stages() == [[0], [1], [2], [3]]
