"""Kerbs, gaps and obstacles: stepped over, clear of every edge."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.ground.ledges import DEPTH, ledges_along
from neurarig_addon.core.ground.surface import Surface
from tests.core.stair_walks import NATURAL, prints_in_order, walked, walker
from tests.core.walk_grounds import RISER, greatest_kick, hangs_over, kerb, over_ground, stairs
from tests.core.walk_measures import greatest_reach, greatest_slip
from tests.core.walkers import BODY

LEG = BODY.leg_length


@pytest.mark.few(4)
@pytest.mark.parametrize("height", [0.1, 0.15, 0.2, -0.1, -0.15, -0.2])
@pytest.mark.parametrize("at", [3.9, 4.2])
def test_kerbs_come_between_two_prints(height, at):
    pose = walked(kerb(height, at), frames=np.arange(1.0, 160.0, 0.25))
    assert over_ground(pose, kerb(height, at)).min() > -1e-3 and hangs_over(pose, kerb(height, at)) == 0.0
    assert greatest_kick(pose, 96.0) < 2.2 * NATURAL
    gaps = np.sort(prints_in_order(walker(kerb(height, at)), 5.0)[:, 0] - at)
    assert gaps[gaps < 0.0].max() < -0.2 and gaps[gaps > 0.0].min() > 0.1


@pytest.mark.parametrize("depth", [0.2, 0.4, 0.6])
def test_gaps_are_stepped_over(depth):
    ground = Surface(
        lambda places: np.where(np.abs(places[:, 0] - 4.0 - 0.5 * depth) < 0.5 * depth, np.nan, 0.0)
    )
    pose = walked(ground, frames=np.arange(1.0, 160.0, 0.25))
    places = prints_in_order(walker(ground), 5.0)
    for points in (places[:, 0] + BODY.heel[0, 0], places[:, 0] + BODY.ball[0, 0]):
        assert not ((points > 4.0) & (points < 4.0 + depth)).any()
    assert greatest_slip(BODY, pose) < 1e-9 and greatest_kick(pose, 96.0) < 1.5 * NATURAL


@pytest.mark.parametrize(("height", "depth"), [(0.1, 0.1), (0.25, 0.1), (0.15, 0.3)])
def test_obstacles_are_stepped_over_with_both_feet(height, depth):
    ground = Surface(
        lambda places: np.where((places[:, 0] > 4.0) & (places[:, 0] < 4.0 + depth), height, 0.0)
    )
    pose = walked(ground, frames=np.arange(1.0, 160.0, 0.25))
    assert (np.abs(prints_in_order(walker(ground), 5.0)[:, 2]) < 1e-9).all(), "nobody steps on it"
    assert over_ground(pose, ground).min() > -3e-3, "a corner, for an instant"
    assert greatest_slip(BODY, pose) < 1e-9
    assert greatest_kick(pose, 96.0) < 2.2 * NATURAL and greatest_reach(BODY, pose) <= 0.999


@pytest.mark.parametrize("speed", [0.8, 1.2, 1.6])
def test_who_steps_over_something_is_slower_then_and_takes_his_steps_as_long_as_ever(speed):
    ground = Surface(lambda places: np.where((places[:, 0] > 6.0) & (places[:, 0] < 6.1), 0.25, 0.0))
    way = walker(ground, speed=speed).rhythm
    rate = (
        np.interp([1.0, 5.95, 12.0], way.distance, way.speed),
        np.interp([1.0, 5.95, 12.0], way.distance, way.stride),
    )
    assert np.allclose(rate[0][[0, 2]], speed, rtol=1e-3) and 0.7 * speed < rate[0][1] < 0.85 * speed
    assert np.allclose(rate[1], rate[1][0], rtol=0.06)


def test_ledges_are_found_where_they_are_and_nowhere_else():
    def along(distance: np.ndarray) -> np.ndarray:
        return np.stack([distance, 0.0 * distance, 0.0 * distance], -1)

    found = ledges_along(stairs(33.0), along, (0.0, 9.0), LEG)
    assert_allclose(found.at, 4.0 + np.arange(10) * RISER / np.tan(np.radians(33.0)), atol=2e-3)
    assert_allclose(found.rise, RISER, atol=1e-9)
    hills = Surface(lambda places: 0.36 * places[:, 0] + 0.1 * np.sin(4.0 * places[:, 0]))
    assert not len(ledges_along(hills, along, (0.0, 9.0), LEG).at)
    hole = Surface(lambda places: np.where(np.abs(places[:, 0] - 5.0) < 0.3, np.nan, 0.0))
    assert_allclose(ledges_along(hole, along, (0.0, 9.0), LEG).at, [4.7, 5.3], atol=2e-3)
    step = Surface(
        lambda places: np.where(
            np.abs(places[:, 0] - 5.0) < 0.3, np.nan, np.where(places[:, 0] > 5.0, 0.3, 0.0)
        )
    )
    found = ledges_along(step, along, (0.0, 9.0), LEG)
    assert_allclose(found.before, [0.0, found.after[0]], atol=1e-9)
    assert_allclose(
        found.after, [-DEPTH * LEG, 0.3], atol=1e-9, err_msg="a gap is deeper than both its edges"
    )
    wide = Surface(lambda places: np.where(np.abs(places[:, 0] - 5.0) < 1.0, np.nan, 0.0))
    assert not len(ledges_along(wide, along, (0.0, 9.0), LEG).at), "over what is wider nobody steps"
