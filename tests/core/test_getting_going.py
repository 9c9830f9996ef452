"""Keyed speeds as a body can follow them, drawn at random; and the steps of who is keyed to start and stop
within a frame."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.body.feet import SWING
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.gait.timing.speed import BRAKES, HASTENS, STEPS_OUT, within_reach
from tests.core.walk_measures import greatest_slip, knee_angle
from tests.core.walk_styles import keyed
from tests.core.walkers import BODY, BY_SPEED, RUNNING, WALKING

CLOCK = Clock(24.0, 1.0)
LEG = BODY.leg_length
G = 9.81
KNEES = 110.0  # rad/s^2 of an easy walk
FINE = np.arange(-300.0, 900.0, 0.25)


def drawn(seed: int) -> StyleTrack:
    """Return speeds keyed at random: leaps, ramps and standstills."""
    random = np.random.default_rng(seed)
    frames = np.cumsum(random.choice([0.25, 1.0, 7.0, 40.0, 120.0], 8)) + random.uniform(-50.0, 50.0)
    return keyed("speed", list(frames), list(random.choice([0.0, 0.0, 0.6, 1.3, 2.5, 6.0], 8)))


def kick(pose: WalkPose) -> float:
    """Return the greatest angular acceleration of a knee in rad/s^2, at 96 frames a second."""
    return max(float(np.abs(np.diff(knee_angle(pose, side), 2)).max()) * 96.0**2 for side in "LR")


@pytest.mark.parametrize("seed", range(40))
def test_no_speed_changes_faster_than_a_body_or_is_higher_than_keyed(seed):
    track = drawn(seed)
    found = within_reach(track, CLOCK, LEG)
    speed, wanted = found.at("speed", FINE), track.at("speed", FINE)
    rate = np.diff(speed) / 0.25 * CLOCK.fps / G
    assert rate.max() < HASTENS * 1.001 and -rate.min() < BRAKES * 1.001
    assert rate[np.maximum(speed[1:], speed[:-1]) < 1.4].max(initial=0.0) < STEPS_OUT * 1.001
    if wanted.max() < 1.4:
        assert -rate.min() < STEPS_OUT * 1.001, "walkers stop as they set off"
    at_knots = found.curves["speed"][0]
    assert (found.at("speed", at_knots) <= track.at("speed", at_knots) + 1e-9).all()
    assert (speed >= 0.0).all()
    assert (speed[wanted <= 0.0] <= 1e-9).all(), "who is keyed to stand, stands"


def test_a_leap_becomes_a_ramp_that_begins_where_a_start_is_keyed_and_ends_where_a_stop_is():
    found = within_reach(keyed("speed", [24, 24.01, 144, 144.01], [0.0, 1.0, 1.0, 0.0]), CLOCK, LEG)
    ramp = STEPS_OUT * G / CLOCK.fps
    wanted = np.clip(np.minimum(ramp * (FINE - 24.0), ramp * (144.0 - FINE)), 0.0, 1.0)
    assert_allclose(found.at("speed", FINE), wanted, atol=0.03)
    runs = within_reach(keyed("speed", [24, 24.01], [2.0, 5.0]), CLOCK, LEG)
    assert_allclose(
        runs.at("speed", FINE), np.clip(2.0 + HASTENS * G * (FINE - 24.0) / CLOCK.fps, 2.0, 5.0), atol=0.03
    )


def test_what_a_body_can_do_stays_as_it_is_to_the_bit():
    gentle = keyed("speed", [10, 60, 200], [0.0, 1.2, 0.4])
    assert within_reach(gentle, CLOCK, LEG) is gentle
    steady = StyleTrack(Style(speed=1.3))
    assert within_reach(steady, CLOCK, LEG) is steady
    statue = keyed("speed", [10, 11], [0.0, 1.3], idle=0.0)
    assert within_reach(statue, CLOCK, LEG) is statue


def test_what_a_body_does_it_can_do():
    for seed in range(10):
        once = within_reach(drawn(seed), CLOCK, LEG)
        again = within_reach(once, CLOCK, LEG)
        assert_allclose(again.at("speed", FINE), once.at("speed", FINE), atol=0.01)


@pytest.mark.parametrize("speed", [0.8, 1.25, 1.8])
def test_who_is_keyed_to_walk_and_stop_within_a_frame_takes_no_lunge(speed):
    """At 1.8 m/s hips fell by 0.6 m, the first step was 113 cm long and knees had 1037 rad/s^2."""
    leaps = keyed("speed", [20, 21, 120, 121], [0.0, speed, speed, 0.0])
    steady = walk(BODY, StyleTrack(Style(speed=speed)), CLOCK, np.arange(0.0, 48.0, 0.25), WALKING)
    pose = walk(BODY, leaps, CLOCK, np.arange(1.0, 150.0, 0.25), WALKING)
    lowest = steady.motions["pelvis"].position[:, 2].min()
    assert pose.motions["pelvis"].position[:, 2].min() > lowest - 0.05
    assert kick(pose) < 3.4 * max(kick(steady), KNEES)
    stands = (pose.frames < 20.0) | (pose.frames > 121.0)
    assert (pose.ground_speed[stands] == 0.0).all()


def trunk_lean(pose: WalkPose) -> np.ndarray:
    """Return how far the trunk leans forward from the hips `(f,)`, in degrees."""
    hips = 0.5 * (pose.motions["thigh.L"].position + pose.motions["thigh.R"].position)
    trunk = pose.motions["neck"].position - hips
    return np.degrees(np.arctan2(trunk[:, 0], trunk[:, 2]))


def sprint(**style: float) -> np.ndarray:
    """Return how the trunk of one leans who runs up, runs and stops, averaged over steps: frames 1 to 220."""
    track = keyed("speed", [30, 70, 150, 180], [0.0, 3.5, 3.5, 0.0], **style)
    lean = trunk_lean(walk(BODY, track, CLOCK, np.arange(1.0, 221.0), RUNNING))
    return np.convolve(lean, np.ones(9) / 9.0, mode="same")


@pytest.mark.parametrize("speed", [3.5, 4.0])
def test_a_quick_stop_from_a_run_is_taken_up_by_a_foot_far_ahead(speed):
    """Five of one man from 3.5 m/s: feet .53 to .67 legs ahead, knees 75 to 101 degrees, trunks 24 to 31."""
    pose = walk(BODY, keyed("speed", [60, 79], [speed, 0.0]), CLOCK, np.arange(50.0, 120.0, 0.25), BY_SPEED)
    hips = 0.5 * (pose.motions["thigh.L"].position + pose.motions["thigh.R"].position)
    ankles = np.stack([pose.motions[f"foot.{side}"].position for side in "LR"], axis=1)
    stands = pose.pivot != SWING
    ahead = np.where(stands, ankles[..., 0] - hips[:, None, 0], 0.0).max() / LEG
    bent = np.where(stands, np.stack([knee_angle(pose, side) for side in "LR"], -1), 0.0).max()
    assert ahead > 0.45 and np.degrees(bent) > 70.0 and np.ptp(trunk_lean(pose)) > 18.0
    assert greatest_slip(BODY, pose) < 1e-9 and pose.ground_speed[pose.frames > 84.0].max() < 0.1


def test_trunks_lean_into_speeding_up_and_back_in_braking():
    lean, upright, late = sprint(), sprint(lean_into=0.0), sprint(anticipation=0.0)
    fast, steady, brakes = (lean[begin:end].mean() for begin, end in ((44, 64), (96, 120), (140, 170)))
    assert fast > steady + 4.0 and brakes < min(0.0, steady - 4.0)
    assert_allclose(lean[96:120], upright[96:120], atol=0.2)
    assert (lean - late)[26:40].max() > 0.3, "a moment before the feet"
