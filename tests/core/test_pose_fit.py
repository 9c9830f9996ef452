"""Curves through poses: exact at the keys, still where nothing moves, near what is between."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.keys.hermite import THIRD, KeyCurve, along, parameter
from neurarig_addon.core.keys.pose_fit import fitted

FRAMES = np.arange(1.0, 82.0)
CYCLE = 27
LIMITS = np.full(3, 0.002)
NO_BREAKS = np.zeros(0, dtype=int)
ROWS = np.array([0, 4, 9, 13, 18, 22, 27, 31, 36, 40, 45, 49, 54, 58, 63, 67, 72, 76, 80])


def wave(seed: int, columns: int = 3) -> np.ndarray:
    """Return smooth values `(81, columns)` of about 0.1 that repeat after a cycle."""
    rng = np.random.default_rng(seed)
    phase = 2.0 * np.pi * (FRAMES - 1.0) / CYCLE
    turns = np.arange(1, 5)
    return np.cos(phase[:, None] * turns + rng.uniform(0.0, 6.3, 4)) @ (
        rng.normal(0.0, 0.1, (4, columns)) / turns[:, None] ** 2
    )


def bezier(curve: KeyCurve, column: int, span: int, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return frames and values of a span at the parameter, as Blender draws it: from keys and their
    handles."""
    before, after = curve.handles(column)
    frames, values, here, there = curve.frames, curve.values[:, column], span, span + 1
    points = np.array(
        [
            (frames[here], values[here]),
            (frames[here] + after[here], values[here] + curve.leaving[here, column] * after[here]),
            (frames[there] - before[there], values[there] - curve.arriving[there, column] * before[there]),
            (frames[there], values[there]),
        ]
    )
    shares = np.stack([(1 - s) ** 3, 3 * s * (1 - s) ** 2, 3 * s**2 * (1 - s), s**3])
    return tuple(np.einsum("ws,wi->is", shares, points))


@pytest.mark.parametrize(("ahead", "behind"), [(THIRD, THIRD), (0.6, 0.2), (0.1, 0.8), (0.5, 0.5)])
def test_a_span_is_gone_along_with_the_speed_that_its_handles_give(ahead, behind):
    x, step = np.linspace(0.02, 0.98, 25), 1e-5
    sooner, now, later = (
        parameter(x + shift, np.array(ahead), np.array(behind)) for shift in (-step, 0.0, step)
    )
    assert_allclose(along(now, np.array(ahead), np.array(behind)) * (later - sooner), 2.0 * step, rtol=1e-3)


@pytest.mark.parametrize("seed", range(4))
def test_poses_are_the_motion_s_own_and_what_is_between_is_near(seed):
    values = wave(seed)
    curve = fitted(FRAMES, values, ROWS, LIMITS, NO_BREAKS)
    assert_allclose(curve.values, values[ROWS], atol=1e-12)
    assert np.abs(curve.at(FRAMES) - values).max() < 0.0005  # of 0.1, with four to five frames between keys
    assert_array_equal(curve.arriving, curve.leaving)


def test_free_keys_go_through_the_middle_of_what_trembles():
    clean, tremble = wave(13, 12), np.random.default_rng(13).normal(0.0, 0.002, (81, 12))
    fixed, free = (
        fitted(FRAMES, clean + tremble, ROWS, np.full(12, 0.002), NO_BREAKS, evenings=0, free=each)
        for each in (False, True)
    )
    off = [np.sqrt(np.mean((curve.values - clean[ROWS])[1:-1] ** 2)) for curve in (fixed, free)]
    assert off[1] < 0.9 * off[0]
    halves = FRAMES[:-1] + 0.5
    straight = 0.5 * (free.at(halves - 0.5) + free.at(halves + 0.5))
    assert np.abs(free.at(halves) - straight).max() < 0.004
    assert_allclose(free.values[[0, -1]], (clean + tremble)[[0, -1]], atol=1e-12)


def test_a_free_key_at_a_break_has_one_value():
    values = np.abs(FRAMES - 41.0)[:, None] * 0.01 + wave(8, 1)
    curve = fitted(FRAMES, values, ROWS, LIMITS[:1], np.array([40]), free=True)
    assert_allclose(curve.at(np.array([41.0 - 1e-6])), curve.at(np.array([41.0 + 1e-6])), atol=1e-5)
    assert np.abs(curve.at(FRAMES) - values).max() < 0.002


def test_a_cubic_is_found_from_its_ends_alone():
    cubic = np.polyval([2e-5, -1e-3, 0.02, 1.0], FRAMES)[:, None]
    curve = fitted(FRAMES, cubic, np.array([0, 80]), LIMITS[:1], NO_BREAKS)
    assert_allclose(curve.at(FRAMES), cubic, atol=2e-3 * np.ptp(cubic))


def test_the_curve_is_the_one_that_blender_draws():
    curve = fitted(FRAMES, wave(5), ROWS, LIMITS, NO_BREAKS)
    for span in range(len(ROWS) - 1):
        frames, values = bezier(curve, 1, span, np.linspace(0.0, 1.0, 30))
        assert_allclose(curve.at(frames)[:, 1], values, atol=1e-6)


def test_a_foot_that_stands_has_equal_keys_and_does_not_move_at_all():
    values = wave(6)
    values[18:46] = values[18] + 1e-7 * np.random.default_rng(1).normal(size=(28, 3))
    curve = fitted(FRAMES, values, ROWS, LIMITS, np.array([18, 45]))
    stands = (ROWS >= 18) & (ROWS <= 45)
    assert np.ptp(curve.values[stands], axis=0).max() == 0.0
    assert np.ptp(curve.at(np.linspace(19.0, 46.0, 200)), axis=0).max() < 1e-15
    outside = np.concatenate([FRAMES[:18], FRAMES[46:]])
    assert np.abs(curve.at(outside) - values[outside.astype(int) - 1]).max() < 0.001


def test_what_moves_evenly_moves_evenly():
    values = wave(7)
    values[18:46] = values[18] + 0.01 * np.arange(28)[:, None]
    curve = fitted(FRAMES, values, ROWS, LIMITS, np.array([18, 45]))
    assert_allclose(curve.at(FRAMES[18:46]), values[18:46], atol=1e-12)


def test_only_at_a_break_does_the_speed_change_at_once():
    values = np.abs(FRAMES - 41.0)[:, None] * 0.01 + wave(8, 1)
    broken = fitted(FRAMES, values, ROWS, LIMITS[:1], np.array([40]))
    whole = fitted(FRAMES, values, ROWS, LIMITS[:1], NO_BREAKS)
    changes = np.flatnonzero(broken.arriving[:, 0] != broken.leaving[:, 0])
    assert ROWS[changes].tolist() == [40]
    assert_array_equal(whole.arriving, whole.leaving)
    assert np.abs(broken.at(FRAMES) - values).max() < np.abs(whole.at(FRAMES) - values).max()


def test_frames_that_matter_more_are_nearer():
    values, weights = wave(9, 1), np.ones((81, 1))
    rows = np.array([0, 20, 40, 60, 80])
    weights[30:36] = 20.0
    plain, weighted = (
        fitted(FRAMES, values, rows, LIMITS[:1], NO_BREAKS, given, evenings=0).at(FRAMES)
        for given in (None, weights)
    )
    assert np.abs(weighted - values)[30:36].max() < 0.5 * np.abs(plain - values)[30:36].max()


def test_evening_makes_the_worst_smaller_and_never_larger():
    values, rows = wave(10, 12), np.arange(0, 81, 10)
    least, evened = (
        fitted(FRAMES, values, rows, np.full(12, 0.002), NO_BREAKS, evenings=number).at(FRAMES)
        for number in (0, 3)
    )
    worst = np.abs(least - values).max(axis=0), np.abs(evened - values).max(axis=0)
    assert (worst[1] <= worst[0] + 1e-12).all()
    assert worst[1].sum() < 0.9 * worst[0].sum()


@pytest.mark.parametrize("gain", [0.0, 1.4])
def test_a_loop_goes_on_without_a_corner(gain):
    frames, values = (
        FRAMES[: CYCLE + 1],
        wave(11)[: CYCLE + 1] + gain * np.linspace(0.0, 1.0, CYCLE + 1)[:, None],
    )
    curve = fitted(frames, values, ROWS[:7], LIMITS, NO_BREAKS, loop=True)
    assert_allclose(curve.values[-1] - curve.values[0], gain, atol=1e-9)
    assert_allclose(curve.arriving[-1], curve.leaving[0], atol=2e-4)
    assert np.abs(curve.at(frames) - values).max() < 0.0005


def test_a_single_row_is_a_single_key():
    curve = fitted(FRAMES[:1], wave(12)[:1], np.array([0]), LIMITS, NO_BREAKS)
    assert_array_equal(curve.at(np.array([-5.0, 1.0, 90.0])), np.repeat(wave(12)[:1], 3, axis=0))
