"""Somebody, not the mean: the same for the same seed, as different as recorded people are, planted all the same, and nothing at 0."""

import numpy as np
import pytest

from benchmarks.human_body import human_body
from neurarig_addon.core.gait.gait import Gait
from neurarig_addon.core.gait.individual import TRAITS, individual
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.run_law import RUN
from neurarig_addon.core.gait.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.human.gait_network import BUNDLED_RUN, GaitNetwork
from neurarig_addon.core.path.path import STRAIGHT
from tests.core.walk_measures import deepest, greatest_slip
from tests.core.walk_paths import circle
from tests.core.walk_styles import keyed

BODY = human_body()
WALKING, RUNNING = Gait(GaitNetwork.load()), Gait(GaitNetwork.load(BUNDLED_RUN), RUN)
CLOCK = Clock(fps=60.0, start=0.0)
FRAMES = np.arange(0.0, 150.0, 0.5)
PEOPLE = range(400)
# Standard deviations between the nine people, less what their own clips differ by: logarithms, then degrees.
BETWEEN = {"stride": 0.029, "stance_width": 0.32, "bounce": 0.13, "arm_swing": 0.30, "lean": 0.72, "elbow_bend": 3.9, "foot_splay": 2.9}


def somebody(seed: int, much: float = 1.0, speed: float = 1.3, gait: Gait = WALKING, path=STRAIGHT) -> WalkPose:
    return walk(BODY, StyleTrack(Style(speed=speed, individual=much), person=seed), CLOCK, FRAMES, gait, path)


def apart(one: WalkPose, other: WalkPose) -> float:
    """Return how far joints are apart, in metres, at the worst frame."""
    return max(float(np.abs(one.motions[role].position - other.motions[role].position).max()) for role in one.motions)


def test_the_mean_is_nobody_whoever_is_drawn():
    mean = walk(BODY, StyleTrack(Style(speed=1.3)), CLOCK, FRAMES, WALKING)
    nobody = somebody(5, 0.0)
    for role, motion in mean.motions.items():
        assert (motion.position == nobody.motions[role].position).all() and (motion.rotation == nobody.motions[role].rotation).all()


def test_a_seed_is_a_person_and_half_of_one_is_half_way():
    assert apart(somebody(3), somebody(3)) == 0.0
    assert apart(somebody(3), somebody(4)) > 0.02
    mean, half, whole = (somebody(3, much).stride[0] for much in (0.0, 0.5, 1.0))
    assert abs(half - np.sqrt(mean * whole)) < 0.01 * mean


@pytest.mark.parametrize("trait", BETWEEN)
def test_people_differ_as_recorded_ones_do(trait):
    drawn = np.array([individual(seed).traits[trait] for seed in PEOPLE])
    assert drawn.std() == pytest.approx(BETWEEN[trait], rel=0.2) and abs(drawn.mean()) < 0.15 * BETWEEN[trait]


def test_nobody_is_a_caricature():
    traits = np.array([[individual(seed).traits[name] for name in TRAITS] for seed in PEOPLE])
    assert (np.abs(traits) < 3.6 * traits.std(axis=0)).all()


@pytest.mark.parametrize("path", [STRAIGHT, circle(2.0)], ids=["straight", "circle"])
@pytest.mark.parametrize(("gait", "speed"), [(WALKING, 1.3), (RUNNING, 3.0)])
@pytest.mark.parametrize("seed", range(4))
def test_feet_stay_planted(seed, gait, speed, path):
    pose = somebody(seed, 1.0, speed, gait, path)
    assert greatest_slip(BODY, pose) < 1e-9 and deepest(BODY, pose) < 1e-9
    assert apart(pose, somebody(seed, 0.0, speed, gait, path)) > 0.01


def test_the_sides_of_somebody_differ():
    pose = somebody(2)
    swings = [np.ptp(pose.motions[f"hand.{side}"].position[:, 0] - pose.motions[f"upper_arm.{side}"].position[:, 0]) for side in "LR"]
    assert abs(np.log(swings[0] / swings[1])) == pytest.approx(abs(individual(2).arm), rel=0.35)


def test_keyed_somebody_becomes_another_without_a_slip():
    pose = walk(BODY, keyed("individual", [0, 60], [0.0, 1.0], speed=1.3), CLOCK, FRAMES, WALKING)
    assert greatest_slip(BODY, pose) < 1e-9
