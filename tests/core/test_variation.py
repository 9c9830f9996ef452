"""Strides that differ: by as much as people's and with their memory, the same for the same seed, planted all
the same."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.character.body import LEFT, RIGHT
from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.gait.kinds.natural import SOLE_LEG_SHARE
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.sliders.variation import coloured
from neurarig_addon.core.gait.steps.footsteps import Steps, footsteps
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import LEVEL
from neurarig_addon.core.path.path import STRAIGHT
from neurarig_addon.core.styles.cycle import PHASES
from neurarig_addon.core.styles.likeness import joint_angles, soles_of
from tests.core.walk_measures import knee_angle
from tests.core.walkers import BODY, RUNNING, WALKING

GAITS = {"walk": (WALKING, 1.3), "run": (RUNNING, 3.5)}
CLOCK = Clock(fps=60.0, start=0.0)
STRIDES = 512
ADULT_CM = 0.92 / SOLE_LEG_SHARE / BODY.leg_length * 1e2  # of an adult with 0.92 m from hip to sole
# Standard deviations from stride to stride: percent, percent, centimetres, degrees, percent; and the exponent
# of the long memory.
TIME, LENGTH, WIDTH_CM, TOE_OUT, HEIGHT, ALPHA = 1.75, 2.0, 2.25, 1.75, 5.0, 0.75
NOTHING_M = 1e-9


def track(speed: float, variation: float = 1.0, seed: int = 0, strides: int = 16) -> StyleTrack:
    return StyleTrack(Style(speed=speed, variation=variation), strides_seed=seed, strides=strides)


def steps_of(gait: Gait, speed: float, seed: int) -> tuple[Walker, Steps]:
    """Return the steps of a long walk."""
    walker = Walker.of(BODY, track(speed, seed=seed, strides=STRIDES), CLOCK, gait, STRAIGHT, LEVEL)
    return walker, footsteps(walker, np.array([[1.0, 1.0], [501.0, 501.0]])).steps


def memory(values: np.ndarray) -> float:
    """Return the exponent alpha of detrended fluctuation analysis (Peng et al. 1994): 0.5 without memory, 1
    of flicker noise."""
    profile = np.cumsum(values - values.mean())
    sizes = np.unique(np.round(np.geomspace(8, len(values) // 4, 14)).astype(int))
    spread = []
    for size in sizes:
        boxes = profile[: len(profile) // size * size].reshape(-1, size).T
        line = np.stack([np.arange(size), np.ones(size)], axis=1)
        spread.append(np.sqrt(np.mean((boxes - line @ np.linalg.lstsq(line, boxes, rcond=None)[0]) ** 2)))
    return float(np.polyfit(np.log(sizes), np.log(spread), 1)[0])


def differs(one: WalkPose, other: WalkPose) -> float:
    """Return how far any joint of one walk is from where it is in another, in metres."""
    return max(
        float(np.abs(one.motions[role].position - other.motions[role].position).max()) for role in one.motions
    )


@pytest.mark.parametrize("seed", [0, 1, 7])
@pytest.mark.parametrize("name", GAITS)
def test_strides_spread_as_those_of_people_and_remember(name, seed):
    gait, speed = GAITS[name]
    walker, steps = steps_of(gait, speed, seed)
    times = np.diff(walker.rhythm.seconds_when(steps.contact), axis=0)
    lengths = np.diff(steps.place[..., 0], axis=0)
    for side in (LEFT, RIGHT):
        assert 1e2 * times[:, side].std() / times[:, side].mean() == pytest.approx(TIME, rel=0.2)
        assert 1e2 * lengths[:, side].std() / lengths[:, side].mean() == pytest.approx(LENGTH, rel=0.2)
        assert np.degrees(steps.heading[:, side].std()) == pytest.approx(TOE_OUT, rel=0.2)
        assert 1e2 * steps.step_height[:, side].std() == pytest.approx(HEIGHT, rel=0.2)
        assert memory(times[:, side]) == pytest.approx(ALPHA, abs=0.1)
    pace = lengths / times
    assert memory(pace[:, LEFT]) < 0.5  # what is too fast is made up for: the speed is held
    assert np.corrcoef(times[:, LEFT], lengths[:, LEFT])[0, 1] > 0.7
    if name == "walk":
        width = steps.place[:, LEFT, 1] - steps.place[:, RIGHT, 1]
        assert ADULT_CM * width.std() == pytest.approx(WIDTH_CM, rel=0.2)


def test_curves_differ_in_shape_from_stride_to_stride_in_every_part():
    """People's by 1.8 degrees, RMS over joints and phase; without curves of their own, strides by 1.0, above
    the legs by a tenth."""
    frames = np.arange(0.0, 900.0)
    pose = walk(BODY, track(1.3), CLOCK, frames, WALKING)
    angles, phase = joint_angles(pose.motions, soles_of(pose)), pose.phase[:, LEFT]
    cycles = np.arange(1.0, 11.0)[:, None] + PHASES
    shapes = {
        name: np.interp(np.interp(cycles, phase, frames), frames, angle) for name, angle in angles.items()
    }
    shapes = {name: curves - curves.mean(axis=1, keepdims=True) for name, curves in shapes.items()}
    apart = {
        name: np.mean([np.mean(np.square(np.subtract(*pair))) for pair in combinations(of, 2)])
        for name, of in shapes.items()
    }
    assert 1.5 < np.sqrt(np.mean(list(apart.values()))) < 2.2
    for part in ("pelvis yaw", "chest yaw", "head pitch", "upper_arm.L", "upper_arm.R"):
        assert np.sqrt(apart[part]) > 0.5, part


def test_without_variation_nothing_is_another_and_one_stride_cannot_differ():
    frames = np.arange(-3.0, 90.0, 0.7)
    plain = walk(BODY, StyleTrack(Style(speed=1.3)), CLOCK, frames, WALKING)
    for other in (track(1.3, 0.0, seed=5), track(1.3, 1.0, strides=1)):
        same = walk(BODY, other, CLOCK, frames, WALKING)
        assert all(
            (same.motions[role].position == plain.motions[role].position).all() for role in plain.motions
        )
        assert all(
            (same.motions[role].rotation == plain.motions[role].rotation).all() for role in plain.motions
        )


def test_a_seed_is_one_walk_in_any_order_and_another_seed_another():
    frames = np.arange(0.0, 400.0, 3.3)
    one = walk(BODY, track(1.3, seed=4), CLOCK, frames, WALKING)
    rows = np.random.default_rng(1).permutation(len(frames))
    again = walk(BODY, track(1.3, seed=4), CLOCK, frames[rows], WALKING)
    alone = walk(BODY, track(1.3, seed=4), CLOCK, frames[17:18], WALKING)
    for role, motion in one.motions.items():
        assert (motion.position[rows] == again.motions[role].position).all()
        assert_allclose(motion.position[17], alone.motions[role].position[0], atol=1e-12)
    assert differs(one, walk(BODY, track(1.3, seed=5), CLOCK, frames, WALKING)) > 0.01


@pytest.mark.parametrize("name", GAITS)
def test_it_repeats_after_its_strides_and_goes_as_far(name):
    gait, speed = GAITS[name]
    frames = np.array([0.0, 5.0, 13.25, 40.0])
    for strides in (2, 7, 16):
        one = walk(BODY, track(speed, strides=strides), CLOCK, frames, gait)
        lap = one.lap * one.period[0] * CLOCK.fps
        assert one.lap == strides and lap == pytest.approx(round(lap))
        later = walk(BODY, track(speed, strides=strides), CLOCK, frames + round(lap), gait)
        assert differs(one, later) < NOTHING_M
        assert_allclose(
            later.root.position - one.root.position, [[speed * lap / CLOCK.fps, 0.0, 0.0]] * 4, atol=NOTHING_M
        )


@pytest.mark.parametrize("speed", [0.7, 1.3, 1.8])
def test_knees_are_hardly_more_hurried_than_in_an_even_walk(speed):
    """Of 64 strides at the worst; recorded people's peaks are from 82 to 263 rad/s²."""

    def peak(variation: float) -> float:
        pose = walk(BODY, track(speed, variation, strides=64), CLOCK, np.arange(0.0, 800.0, 0.5), WALKING)
        return max(float(np.abs(np.diff(knee_angle(pose, side), 2)).max()) for side in "LR")

    even = peak(0.0)
    assert peak(1.0) < 1.5 * even and peak(2.0) < 1.7 * even


def test_the_draw_has_no_mean_and_a_spread_of_one():
    for count in (2, 3, 16, 513):
        drawn = coloured(3, 0, count)
        assert drawn.mean() == pytest.approx(0.0, abs=1e-12) and drawn.std() == pytest.approx(1.0)
    assert coloured(3, 0, 1).tolist() == [0.0]
