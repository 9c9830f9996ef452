"""Few keys instead of many: within the limits, exact where keys hold, no key that is not needed."""

from dataclasses import replace

import numpy as np
import pytest

from neurarig_addon.core.geometry.rotation import from_axis_angle, normalized
from neurarig_addon.core.keys.hermite import THIRD, KeyCurve, along, fit, parameter, with_thirds
from neurarig_addon.core.keys.knots import Knots
from neurarig_addon.core.keys.reduction import Search, Wishes
from neurarig_addon.core.keys.track import Spans, Track
from neurarig_addon.core.keys.windows import Windows, refined
from neurarig_addon.core.posing.channels import QUATERNION, continuous_rows, in_mode

NONE = np.zeros(0, dtype=int)
FRAMES = np.arange(1.0, 82.0)
CYCLE = 27
NO_HOLDS = np.zeros((0, 2), dtype=int)


def wave(seed: int, columns: int = 1) -> np.ndarray:
    """Return smooth values `(81, columns)` of about 0.1 that repeat after a cycle."""
    rng = np.random.default_rng(seed)
    phase = 2.0 * np.pi * (FRAMES - 1.0) / CYCLE
    turns = np.arange(1, 5)
    return np.cos(phase[:, None] * turns + rng.uniform(0.0, 6.3, 4)) @ (rng.normal(0.0, 0.1, (4, columns)) / turns[:, None] ** 2)


@pytest.mark.parametrize(("ahead", "behind"), [(THIRD, THIRD), (0.6, 0.2), (0.1, 0.8), (0.5, 0.5)])
def test_a_span_is_gone_along_with_the_speed_that_its_handles_give(ahead, behind):
    x, step = np.linspace(0.02, 0.98, 25), 1e-5
    sooner, now, later = (parameter(x + shift, np.array(ahead), np.array(behind)) for shift in (-step, 0.0, step))
    np.testing.assert_allclose(along(now, np.array(ahead), np.array(behind)) * (later - sooner), 2.0 * step, rtol=1e-3)


def reduced(frames: np.ndarray, track: Track, limits: np.ndarray, wishes: Wishes) -> KeyCurve:
    """Return the curve of few keys for one track."""
    return Search(frames, [track], wishes).within([limits])[0]


def bezier(curve: KeyCurve, column: int, span: int, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return frames and values of a span at the parameter, as Blender draws it: from keys and their handles."""
    before, after = curve.handles(column)
    slopes, here, there = curve.slopes[:, column], span, span + 1
    frames, values = curve.frames, curve.values[:, column]
    points = np.array(
        [
            (frames[here], values[here]),
            (frames[here] + after[here], values[here] + slopes[here] * after[here]),
            (frames[there] - before[there], values[there] - slopes[there] * before[there]),
            (frames[there], values[there]),
        ]
    )
    shares = np.stack([(1 - s) ** 3, 3 * s * (1 - s) ** 2, 3 * s**2 * (1 - s), s**3])
    return tuple(np.einsum("ws,wi->is", shares, points))


def test_a_cubic_is_found_from_its_ends_alone():
    cubic = np.polyval([2e-5, -1e-3, 0.02, 1.0], FRAMES)[:, None]
    curve = fit(FRAMES, cubic, np.array([0, 80]), np.zeros(2, dtype=bool))
    assert curve.at(FRAMES) == pytest.approx(cubic, abs=1e-3 * np.ptp(cubic))


def test_a_curve_is_the_bezier_curve_that_its_handles_draw():
    fitted = fit(FRAMES, wave(0, 3), np.array([0, 9, 40, 80]), np.zeros(4, dtype=bool))
    rng = np.random.default_rng(11)
    curve = replace(fitted, ahead=rng.uniform(0.1, 0.6, (3, 3)), behind=rng.uniform(0.1, 0.38, (3, 3)))
    for drawn in (fitted, curve):
        for span in range(3):
            for column in range(3):
                frames, values = bezier(drawn, column, span, np.linspace(0.0, 1.0, 9))
                assert drawn.at(frames)[:, column] == pytest.approx(values, abs=1e-9)


def test_handles_of_their_own_need_fewer_keys():
    track = Track(np.where(FRAMES < 40, 0.0, 0.1 * (1.0 - np.exp(-0.15 * (FRAMES - 40.0))))[:, None])
    curve = reduced(FRAMES, track, np.full(len(FRAMES), 0.001), Wishes(NONE, NONE))
    assert len(curve.frames) <= 5
    thirds = fit(FRAMES, track.values, np.searchsorted(FRAMES, curve.frames), np.zeros(len(curve.frames), dtype=bool))
    assert track.off(thirds.at(FRAMES)).max() > 2.0 * track.off(curve.at(FRAMES)).max()


def test_handles_never_overlap():
    for seed in range(4):
        curve = reduced(FRAMES, Track(wave(seed, 2)), np.full(len(FRAMES), 0.002), Wishes(NONE, NONE))
        assert (curve.ahead + curve.behind <= 1.0).all()
        assert np.minimum(curve.ahead, curve.behind).min() > 0.0


def test_what_was_found_is_where_a_tighter_search_begins():
    tracks = [Track(wave(seed, 1 + seed % 3)) for seed in range(6)]
    search = Search(FRAMES, tracks, Wishes(NONE, NONE))
    loose = search.within([np.full(len(FRAMES), 0.01)] * 6)
    limits = np.where((FRAMES > 30) & (FRAMES < 50), 0.001, 0.01)
    for track, before, curve in zip(tracks, loose, search.within([limits] * 6, thin=False), strict=True):
        assert (track.off(curve.at(FRAMES)) <= limits).all()
        assert set(before.frames) <= set(curve.frames)


def test_no_curve_with_these_keys_is_nearer():
    values, rows, flat = wave(1), np.array([0, 11, 30, 52, 80]), np.zeros(5, dtype=bool)
    best = fit(FRAMES, values, rows, flat)
    least = np.sum((best.at(FRAMES) - values) ** 2)
    rng = np.random.default_rng(2)
    for _ in range(50):
        other = with_thirds(best.frames, best.values + rng.normal(0, 1e-3, (5, 1)), best.slopes + rng.normal(0, 1e-4, (5, 1)))
        assert np.sum((other.at(FRAMES) - values) ** 2) > least


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("limit", [0.005, 0.0005, 0.0])
def test_within_the_limits_with_few_keys(seed, limit):
    track = Track(wave(seed))
    curve = reduced(FRAMES, track, np.full(len(FRAMES), limit), Wishes(NONE, NONE))
    assert track.off(curve.at(FRAMES)).max() <= max(limit, 1e-9)
    assert set(curve.frames) <= set(FRAMES)
    if limit == 0.005:
        assert len(curve.frames) <= 0.25 * len(FRAMES)


def test_limits_are_kept_frame_by_frame():
    limits = np.where(FRAMES < 40, 0.02, 0.0002)
    track = Track(wave(3))
    curve = reduced(FRAMES, track, limits, Wishes(NONE, NONE))
    assert (track.off(curve.at(FRAMES)) <= limits).all()
    assert (curve.frames >= 40).sum() > 1.5 * (curve.frames < 40).sum()


def test_turns_are_judged_by_their_angle():
    axis = normalized(np.array([0.3, 1.0, -0.4]))
    angles = 8.0 * wave(4)[:, 0]
    turns = from_axis_angle(np.broadcast_to(axis, (len(FRAMES), 3)), angles)
    track = Track(continuous_rows(in_mode(turns, QUATERNION), QUATERNION), QUATERNION)
    assert track.off(2.0 * track.values).max() < 1e-6  # Blender takes a quaternion of any length
    limit = np.radians(0.5)
    curve = reduced(FRAMES, track, np.full(len(FRAMES), limit), Wishes(NONE, NONE))
    assert track.off(curve.at(FRAMES)).max() <= limit
    assert len(curve.frames) < 0.35 * len(FRAMES)


def test_a_span_is_as_long_as_one_cubic_is_near_enough():
    cubic = Track(np.polyval([2e-5, -1e-3, 0.02, 1.0], FRAMES)[:, None])
    spans = Spans(cubic, np.full(len(FRAMES), 1e-6))
    assert spans.passed[-1] < 2.0
    assert not len(spans.between(0, len(FRAMES) - 1))
    noise = Track(np.random.default_rng(0).normal(0.0, 1.0, (len(FRAMES), 1)))
    assert Spans(noise, np.full(len(FRAMES), 1e-6)).passed[-1] > 0.25 * len(FRAMES)
    changes = Track(np.where(FRAMES < 40, 0.0, noise.values[:, 0])[:, None])
    assert (Spans(changes, np.full(len(FRAMES), 1e-6)).between(0, len(FRAMES) - 1) > 30).all()


def test_tracks_searched_together_are_found_as_alone():
    tracks = [Track(wave(seed, 1)) for seed in range(5)]
    limits = [np.full(len(FRAMES), limit) for limit in (0.01, 0.003, 0.001, 0.02, 0.002)]
    together = Search(FRAMES, tracks, Wishes(NONE, NONE)).within(limits)
    for track, limit, curve in zip(tracks, limits, together, strict=True):
        alone = reduced(FRAMES, track, limit, Wishes(NONE, NONE))
        assert curve.frames.tolist() == alone.frames.tolist()
        assert curve.values == pytest.approx(alone.values, abs=1e-9)


def test_wished_keys_are_there():
    always, rather = np.array([14, 41]), np.array([7, 20, 34])
    curve = reduced(FRAMES, Track(wave(5)), np.full(len(FRAMES), 0.002), Wishes(always, rather))
    assert {FRAMES[14], FRAMES[41]} <= set(curve.frames)


def test_what_does_not_move_has_one_key():
    curve = reduced(FRAMES, Track(np.full((len(FRAMES), 1), 3.0)), np.full(len(FRAMES), 1e-3), Wishes(np.array([10]), NONE))
    assert len(curve.frames) == 1
    assert curve.values == pytest.approx(3.0)


def test_a_hold_is_exact_and_flat():
    values = wave(6)
    values[30:50] = values[30]
    values[50:] += values[30] - values[50]
    curve = reduced(FRAMES, Track(values), np.full(len(FRAMES), 0.002), Wishes(np.array([40]), NONE))
    assert curve.at(FRAMES[30:50]) == pytest.approx(values[30:50], abs=1e-12)
    assert not set(curve.frames) & set(FRAMES[31:49])


def test_what_goes_on_evenly_is_exact_and_straight():
    """A foot that stands, as seen from a character that goes on evenly."""
    values = wave(6)
    values[30:50] = values[30] - 0.02 * np.arange(20.0)[:, None]
    values[50:] += values[49] - values[50]
    curve = reduced(FRAMES, Track(values), np.full(len(FRAMES), 0.01), Wishes(np.array([40]), NONE))
    between = FRAMES[30] + np.arange(0.0, 19.01, 0.1)
    assert curve.at(between) == pytest.approx(values[30] - 0.02 * (between - FRAMES[30])[:, None], abs=1e-12)
    assert not set(curve.frames) & set(FRAMES[31:49])


def test_a_corner_between_two_straight_stretches_is_kept():
    values = np.where(FRAMES < 40.0, 0.0, 0.03 * (FRAMES - 40.0))[:, None]
    curve = reduced(FRAMES, Track(values), np.full(len(FRAMES), 0.001), Wishes(NONE, NONE))
    assert curve.at(FRAMES) == pytest.approx(values, abs=1e-9)
    assert len(curve.frames) <= 4


def test_a_loop_goes_through_its_seam_as_through_any_frame():
    rows = slice(0, CYCLE + 1)
    values = wave(7, 1)[rows] + 0.01 * FRAMES[rows, None]
    curve = reduced(FRAMES[rows], Track(values), np.full(CYCLE + 1, 0.003), Wishes(NONE, NONE, loop=True))
    assert curve.slopes[-1] == pytest.approx(curve.slopes[0], abs=1e-12)
    assert curve.values[-1] - curve.values[0] == pytest.approx(values[-1] - values[0], abs=1e-12)


@pytest.mark.parametrize("rounds", [1, 4])
def test_what_is_refined_is_told_with_the_curve_that_it_is(rounds: int):
    frames = np.arange(11.0)
    keys, spans, third = np.array([[0.0, 5.0, 10.0]]), np.repeat([0, 1], [5, 6]), np.full((1, 2), THIRD)
    start = Windows(
        keys, np.zeros((1, 3)), np.zeros((1, 3)), third, third, np.array([[False, True, False]]), np.zeros(11, dtype=int), spans,
        frames, np.sin(0.3 * frames), np.full(11, 1e3), 1,
    )  # fmt: skip
    found, curve = refined(start, rounds)
    parts = (part.T for part in (found.values, found.slopes, found.ahead, found.behind))
    np.testing.assert_allclose(curve, KeyCurve(keys[0], *parts).at(frames)[:, 0], atol=1e-12)
    assert np.abs(curve - start.wanted).max() < np.abs(start.wanted).max()


def test_a_loop_is_closed_before_anything_is_searched_for():
    rows = slice(0, CYCLE + 1)
    values = wave(7, 2)[rows] + 0.01 * FRAMES[rows, None]
    knots = Knots(FRAMES[rows], [Track(values)], loop=True)
    knots.begin(0, np.array([0, 5, 13, CYCLE]), NO_HOLDS)
    curve = knots.curve(0)
    np.testing.assert_allclose(curve.values[-1] - curve.values[0], values[-1] - values[0], atol=1e-12)
    np.testing.assert_allclose(curve.slopes[-1], curve.slopes[0], atol=1e-12)


def test_keys_that_move_save_others():
    nowhere, limits = Wishes(NONE, NONE), np.full(len(FRAMES), 2e-3)
    counts = []
    for seed in range(12):
        track = Track(wave(seed))
        found = [reduced(FRAMES, track, limits, wishes) for wishes in (nowhere, replace(nowhere, thorough=True))]
        assert all((track.off(curve.at(FRAMES)) <= limits * (1.0 + 1e-6)).all() for curve in found)
        counts.append([len(curve.frames) for curve in found])
    few, fewer = np.sum(counts, axis=0)
    assert fewer < few
