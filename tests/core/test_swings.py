"""Feet in the air: control and pivots share the motion; on the ground the pivots are as they were."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.keys.pose_fit import MOST, KeySwings, eased, fitted, knee_weights

FRAMES = np.arange(1.0, 58.0)
AIR = np.zeros((57, 2), dtype=bool)
AIR[18:28, 0], AIR[46:56, 0], AIR[4:14, 1], AIR[32:42, 1] = True, True, True, True
LANDINGS, LIFTS = np.array([14, 28, 42, 56]), np.array([3, 17, 31, 45])
ROWS = np.unique(np.concatenate([[0], LIFTS, LANDINGS, LIFTS + 4, LIFTS + 8]))
SWINGS = KeySwings(FRAMES, AIR, ROWS, np.union1d(LIFTS, LANDINGS))


def pitches() -> tuple[np.ndarray, np.ndarray]:
    """Return the pitch of a walker's toes `(57, 2)`, and that of the tip pivot while a foot stands."""
    toes = np.zeros((57, 2))
    for side, start in ((0, 0), (1, -14)):
        phase = ((np.arange(57) - start) % 28) / 28.0
        rising, falling = np.clip((phase - 0.45) / 0.25, 0.0, 1.0), np.clip((phase - 0.68) / 0.32, 0.0, 1.0)
        toes[:, side] = np.radians(
            50.0 * np.sin(0.5 * np.pi * rising) ** 4 - 70.0 * np.sin(0.5 * np.pi * falling) ** 2
        )
        toes[:, side] += np.radians(20.0) * np.where(phase > 0.98, 1.0, 0.0)
    return toes, np.where(AIR, 0.0, np.maximum(toes, 0.0))


def test_pivots_stay_as_they_are_on_the_ground():
    toes, tip = pitches()
    (found,) = SWINGS.shared(toes, [tip])
    assert_array_equal(found[~AIR], tip[~AIR])


def test_the_control_needs_less_of_its_keys():
    toes, tip = pitches()

    def worst(pivot: np.ndarray) -> np.ndarray:
        control = toes - pivot
        curve = fitted(FRAMES, control, ROWS, np.full(2, np.radians(0.5)), SWINGS.breaks)
        return np.abs(curve.at(FRAMES) - control).max(axis=0)

    (shared,) = SWINGS.shared(toes, [tip])
    assert (worst(shared) < 0.7 * worst(eased(FRAMES, AIR, tip))).all()


def test_angles_ease_from_lift_to_landing():
    angles = np.random.default_rng(2).normal(size=(57, 2))
    found = eased(FRAMES, AIR, angles)
    assert_array_equal(found[~AIR], angles[~AIR])
    for lift, landing in ((17, 28), (45, 56)):
        part = found[lift : landing + 1, 0]
        assert (np.diff(part) * (part[-1] - part[0]) >= 0.0).all(), "from one to the other, not beyond"
        assert part.mean() == pytest.approx(0.5 * (part[0] + part[-1]))


def test_a_swing_that_the_ends_cut_begins_and_ends_there():
    air = np.ones((9, 2), dtype=bool)
    angles = np.arange(18.0).reshape(9, 2)
    assert_array_equal(eased(np.arange(9.0), air, angles)[[0, -1]], angles[[0, -1]])


def test_a_knee_moves_farther_the_straighter_it_is():
    for degrees, times in ((60.0, 1.0), (20.0, 2.879), (2.0, MOST)):
        legs = np.cos(np.radians(0.5 * degrees)) * np.array([[0.9, 0.8]])
        assert_allclose(knee_weights(legs, np.array([0.9, 0.8])), times, rtol=1e-3)
