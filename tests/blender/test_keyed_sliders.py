"""Keyed sliders: sampled as finely as they change, and no more often, however far apart their keys are."""

from itertools import pairwise

import bpy
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.blender import api
from neurarig_addon.blender.character import slider_curves
from tests.blender.walking import seen, walker
from tests.refusals import refuses

KINDS = ("CONSTANT", "LINEAR", "BEZIER", "SINE", "EXPO", "BOUNCE", "BACK", "ELASTIC")


@pytest.fixture
def obj() -> bpy.types.Object:
    return walker()


def keyed(
    obj: bpy.types.Object, keys: list[tuple[float, float]], kinds: list[str] | None = None
) -> bpy.types.FCurve:
    """Return the F-curve of a speed with keys (frame, m/s)."""
    for frame, speed in keys:
        obj.neurarig.walk.speed = speed
        obj.neurarig.walk.keyframe_insert("speed", frame=frame)
    curve = slider_curves.find(obj)["speed"]
    for key, kind in zip(curve.keyframe_points, kinds or [], strict=False):
        key.interpolation = kind
    curve.update()
    return curve


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", range(12))
def test_samples_tell_as_much_as_every_quarter_of_a_frame(obj, seed):
    """At random frames of curves with keys of all kinds, near and far apart (elastic ones, which swing every
    few frames, are near)."""
    draw = np.random.default_rng(seed)
    gaps = draw.choice([1.0, 3.0, 20.0, 300.0, 700.0, 9_000.0, 200_000.0], size=5)
    frames = np.concatenate([[draw.integers(-50, 50)], gaps]).cumsum()
    curve = keyed(
        obj,
        [(frame, draw.uniform(0.2, 2.0)) for frame in frames],
        list(draw.choice(KINDS[: 8 if gaps.max() < 9_000.0 else 7], size=6)),
    )
    at, values = slider_curves.sample(curve, 1, 250)
    ends = [frames[0] - 300.0, *frames, frames[-1] + 200.0]
    asked = np.concatenate([draw.uniform(begin, end, 200) for begin, end in pairwise(ends)])
    quarters, shares = np.divmod(4.0 * asked, 1.0)
    before, after = (
        np.array([curve.evaluate(frame) for frame in (quarters + step) / 4.0]) for step in (0.0, 1.0)
    )
    assert np.abs(np.interp(asked, at, values) - before - shares * (after - before)).max() < 0.02
    assert (np.diff(at) > 0.0).all() and np.isin(frames.astype(np.float32), at.astype(np.float32)).all()


@pytest.mark.parametrize("last", [600.0, 1e4, 1_048_574.0, 1e9])
def test_keys_that_are_far_apart_cost_no_more_samples(obj, last):
    curve = keyed(obj, [(1.0, 1.3), (10.0, 0.8)])
    curve.keyframe_points[1].co[0] = last
    assert len(slider_curves.sample(curve, 1, 250)[0]) < 4_000


def test_a_long_scene_costs_no_more_samples(obj):
    curve = keyed(obj, [(1.0, 1.3), (50.0, 0.8)])
    assert len(slider_curves.sample(curve, 1, 1_000_000)[0]) < 4_000
    curve.modifiers.new("NOISE")
    assert len(slider_curves.sample(curve, 1, 1_000_000)[0]) <= slider_curves.MOST_CHANGES + 10
    assert len(slider_curves.sample(curve, 1, 1_000)[0]) == pytest.approx(4 * 1_500, abs=10)


def test_near_keys_are_sampled_on_quarter_frames(obj):
    """As they always were: a walk with ordinary keys is the same walk."""
    at, _ = slider_curves.sample(keyed(obj, [(1.0, 1.3), (50.0, 0.8)]), 1, 100)
    assert_array_equal(
        at, np.arange(4 * (1 - slider_curves.MARGIN), 4 * (100 + slider_curves.MARGIN) + 1) / 4.0
    )


def test_a_key_on_no_frame_is_a_sentence(obj):
    curve = keyed(obj, [(1.0, 1.3), (50.0, 0.8)])
    curve.keyframe_points[1].co[0] = float("nan")
    with refuses("delete it in the Graph Editor"):
        slider_curves.sample(curve, 1, 100)


def test_a_walk_past_far_keys_is_the_same_whatever_comes_before(obj):
    """The pose is a function of the frame, with sparse samples too."""
    keyed(obj, [(1.0, 1.3), (2_000.0, 0.6), (5_000.0, 1.5)])
    first = {frame: seen(obj, frame) for frame in (40, 1_500, 4_000)}
    for frame in (4_000, 40, 1_500):
        assert_allclose(seen(obj, frame), first[frame], atol=1e-6)
    report = api.contact_report(obj, (1_500, 1_600))
    assert max(figures["max"] or 0.0 for figures in report["slip_mm"].values()) < 1.0


@pytest.mark.parametrize("carrier", ["OBJECT", "BONE"])
def test_feet_stay_planted_while_the_influence_is_keyed(carrier: str) -> None:
    obj = walker(mode="TRAVEL", travel_with=carrier, speed=1.3)
    for frame, influence in ((5, 0.0), (30, 1.0), (60, 1.0), (90, 0.0)):
        obj.neurarig.walk.influence = influence
        obj.neurarig.walk.keyframe_insert("influence", frame=frame)
    live = api.contact_report(obj, (1, 110))
    api.bake_walk(obj, frame_start=1, frame_end=110)
    baked = api.contact_report(obj, (1, 110))
    for report in (live, baked):
        assert max(side["max"] for side in report["slip_mm"].values()) < 0.01
