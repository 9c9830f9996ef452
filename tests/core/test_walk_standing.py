"""Standing, setting off and stopping: feet side by side, shorter steps, weight that shifts, a body that
lives, and feet that never slip."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.body.feet import FLAT, SWING
from neurarig_addon.core.gait.kinds.gait import PLAIN, Gait
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.idle import idle_loop
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.steps.footsteps import Steps, footsteps
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import LEVEL
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.core.path.path import STRAIGHT, Path
from tests.core.walk_measures import deepest, greatest_reach, greatest_slip, knee_angle
from tests.core.walk_paths import LEG
from tests.core.walk_styles import WALKS
from tests.core.walkers import BODY, HUMAN, WALKING


def way(metres: float) -> Curve:
    """Return a path straight on, from standing to standing."""
    return Curve.through(np.array([[0.0, 0.0, 0.0], [metres, 0.0, 0.0]]), LEG, starts=True)


def walked(path: Path, frames: np.ndarray, gait: Gait = WALKING, seed: int = 0, **style: float) -> WalkPose:
    return walk(BODY, StyleTrack(Style(**{"speed": 1.3, **style}), seed=seed), Clock(), frames, gait, path)


def steps_of(path: Path, speed: float) -> tuple[Walker, Steps]:
    track = StyleTrack(Style(speed=speed))
    walker = Walker.of(BODY, track, Clock(), WALKING, path, LEVEL)
    return walker, footsteps(walker, walker.rhythm.phases_at(np.linspace(0.0, 24.0, 300))).steps


@pytest.mark.few(3)
@pytest.mark.parametrize("gait", [WALKING, PLAIN], ids=["network", "plain"])
@pytest.mark.parametrize("speed", [0.6, 1.3])
@pytest.mark.parametrize("metres", [0.8, 2.0, 5.3])
def test_who_sets_off_and_stops_keeps_the_feet_planted_and_ends_with_both_side_by_side(gait, speed, metres):
    frames = np.arange(-20.0, 120.0 + metres / speed * 24.0, 0.5)
    pose = walked(way(metres), frames, gait, speed=speed)
    assert (
        greatest_slip(BODY, pose) < 1e-9
        and deepest(BODY, pose) < 1e-9
        and greatest_reach(BODY, pose) <= 0.999
    )
    for row, place in ((0, 0.0), (-1, metres)):
        ankles = [pose.root.carried(pose.motions[f"foot.{side}"].position)[row] for side in "LR"]
        assert_allclose(ankles[0] * [1, -1, 1], ankles[1], atol=1e-9, err_msg="side by side")
        assert ankles[0][0] == pytest.approx(place, abs=1e-6) and (pose.pivot[row] == FLAT).all()


@pytest.mark.parametrize("start", [0.0, 0.3, 0.5, -0.4])
@pytest.mark.parametrize("limp", [-1.0, 0.0, 1.0])
def test_whatever_the_phase_both_feet_are_down_before_the_first_step(start, limp):
    pose = walked(way(3.0), np.arange(-30.0, 2.0), phase=start, asymmetry=limp)
    assert not (pose.pivot == SWING).any()
    assert np.abs(pose.root.position).max() < 1e-12


def test_the_weight_goes_over_the_leg_that_stands_before_the_other_is_lifted():
    for phase, sign in ((0.0, 1.0), (0.5, -1.0)):
        pose = walked(way(5.0), np.arange(-60.0, 40.0, 0.25), phase=phase, idle=1e-9)
        lifted = int(np.argmax((pose.pivot == SWING).any(axis=1)))
        assert pose.pivot[lifted, 1 if sign > 0 else 0] == SWING, "half a cycle later it is the other foot"
        assert 12.0 < pose.frames[lifted] < 26.0, "half a second to a second after the start"
        aside = sign * pose.motions["pelvis"].position[:, 1]
        assert abs(aside[pose.frames < 0.0]).max() < 2e-3 and 0.02 < aside[lifted] < 0.05


@pytest.mark.parametrize("speed", [0.6, 1.3, 1.6])
def test_first_and_last_steps_are_shorter(speed):
    _, steps = steps_of(way(8.0), speed)
    place = np.unique(np.sort(steps.place[..., 0].reshape(-1)).round(6))
    lengths = np.diff(place)
    whole = float(np.median(lengths))
    assert 0.3 * whole < lengths[0] < 0.75 * whole and lengths[0] < lengths[1] < 1.001 * whole
    assert 0.3 * whole < lengths[-1] < 0.8 * whole, (
        "what the stop lacks of a cycle makes the strides before it longer or shorter"
    )


@pytest.mark.few(2)
@pytest.mark.parametrize("metres", [1.0, 2.0, 4.0, 6.0, 10.0, 14.0])
def test_short_walks_are_as_slow_as_those_of_people(metres):
    """v0 (1 - exp(-(d / 3.3)^0.55)), within a tenth of the mean speeds from start to stop that Seethapathi
    and Srinivasan measured."""
    pose = walked(way(metres), np.arange(1.0, 600.0, 0.05))
    seconds = np.ptp(pose.frames[pose.ground_speed > 0.0]) / 24.0
    assert metres / seconds == pytest.approx(1.3 * (1.0 - np.exp(-((metres / 3.3) ** 0.55))), rel=0.1)


# rad/s^2, seen at 96 frames a second, of legs that stay straight as people's do; a walk straight on has 83 to
# 114.
KNEES_AT_ENDS = 380.0


@pytest.mark.few(3)
@pytest.mark.parametrize("speed", [0.6, 1.2, 1.5])
@pytest.mark.parametrize("metres", [4.0, 5.0, 5.3, 5.6])
def test_knees_do_not_kick_where_a_walk_begins_and_ends(speed, metres):
    pose = walked(way(metres), np.arange(1.0, 100.0 + metres / speed * 24.0, 0.25), speed=speed)
    assert max(np.abs(np.diff(knee_angle(pose, side), 2)).max() * 96.0**2 for side in "LR") < KNEES_AT_ENDS


def test_a_keyed_stop_closes_the_feet_too_and_sets_off_without_a_lunge():
    """Against 495 rad/s^2 of who stands in mid-step."""
    pose = walk(BODY, WALKS["start and stop"], Clock(), np.arange(-20.0, 140.0, 0.25), WALKING)
    assert greatest_slip(BODY, pose) < 1e-9
    for row in (0, -1):
        ankles = [pose.motions[f"foot.{side}"].position[row] for side in "LR"]
        assert_allclose(ankles[0][0], ankles[1][0], atol=1e-9)
    assert max(np.abs(np.diff(knee_angle(pose, side), 2)).max() * 96.0**2 for side in "LR") < 330.0


def test_idling_is_quiet_sway_breath_and_weight_and_the_feet_stay():
    """Root mean squares of quiet stance: 4 to 6 mm ahead, 2 to 4 mm aside besides the shifts of weight;
    nobody moves more than a hand."""
    pose = walked(STRAIGHT, np.arange(0.0, 24.0 * 64.0, 2.0), speed=0.0)
    hips = pose.motions["pelvis"].position
    assert 0.004 < hips[:, 0].std() < 0.006
    assert 0.01 < hips[:, 1].std() < 0.025 and np.abs(hips[:, 1]).max() < 0.05
    for side in "LR":
        assert np.ptp(pose.motions[f"foot.{side}"].position, axis=0).max() < 1e-12
    quick = np.abs(np.diff(pose.motions["head"].position, axis=0)).max() * 12.0
    assert 0.005 < quick < 0.15, "metres a second"


def test_idling_repeats_after_whole_frames_and_another_seed_is_another():
    frames = np.arange(0.0, 100.0, 5.0)
    loop = round(idle_loop(Clock(), LEG) * 24.0)
    now, later, other = (
        walked(STRAIGHT, at, HUMAN, seed, speed=0.0).motions["pelvis"].position
        for at, seed in ((frames, 0), (frames + loop, 0), (frames, 5))
    )
    assert_allclose(now, later, atol=1e-9)
    assert np.abs(now - other).max() > 0.005


def test_who_does_not_idle_is_a_statue_and_who_walks_is_not_touched():
    still = walked(way(2.0), np.arange(200.0, 260.0), idle=0.0)
    assert all(np.ptp(motion.position, axis=0).max() < 1e-12 for motion in still.motions.values())
    frames = np.arange(1.0, 60.0)
    walking, statue = (walked(STRAIGHT, frames, idle=idle) for idle in (1.0, 0.0))
    for role, motion in walking.motions.items():
        assert (motion.position == statue.motions[role].position).all(), role


def test_idle_goes_over_into_the_walk_without_a_jump():
    """Against 24 to 31 m/s^2 of the walk straight on."""
    pose = walked(way(2.0), np.arange(-60.0, 200.0, 0.25), HUMAN)
    for role in ("pelvis", "head", "hand.L", "spine.3"):
        speed = np.diff(pose.root.carried(pose.motions[role].position), axis=0) * 96.0
        assert np.linalg.norm(np.diff(speed, axis=0), axis=-1).max() * 96.0 < 60.0, role
