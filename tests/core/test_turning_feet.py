"""Legs in turns of facing: no print lies across or touches the one beside it, and feet and shins pass each
other at a distance, also where quick sidesteps cross."""

import numpy as np
import pytest

from neurarig_addon.core.character.body import LEFT, RIGHT
from neurarig_addon.core.gait.inputs.proportions import natural_spacing
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.steps.footsteps import footsteps
from neurarig_addon.core.gait.synthesis import walked
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.geometry.rotation import yaw_of
from neurarig_addon.core.ground.surface import LEVEL
from neurarig_addon.core.path.path import STRAIGHT, Path
from tests.core.walk_paths import PATHS
from tests.core.walkers import BODY, WALKING

WIDTH = 2.0 * natural_spacing(BODY)
FRAMES = np.arange(20.0, 160.0, 0.5)
GRID = np.arange(-20.0, 260.0, 0.25)


def turning(seed: int, path: Path = STRAIGHT) -> Walker:
    """Return who turns once, from a drawn side to another, in a drawn time, walking at a drawn speed."""
    draw = np.random.default_rng(seed)
    before, after = draw.uniform(-180.0, 180.0, 2)
    start, lasts = draw.uniform(50.0, 75.0), np.exp(draw.uniform(0.0, np.log(48.0)))
    facing = np.interp(GRID, [start, start + lasts], [before, after])
    track = StyleTrack(Style(speed=draw.uniform(0.5, 1.1)), {"facing": (GRID, facing)})
    return Walker.of(BODY, track, Clock(), WALKING, path, LEVEL)


def distance(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Return the least distance of the segments from a to b and from c to d `(..., 3)`."""
    one, other, between = b - a, d - c, a - c
    aa, ab, bb, at, bt = (
        (u * v).sum(-1)
        for u, v in ((one, one), (one, other), (other, other), (one, between), (other, between))
    )
    s = np.clip((ab * bt - bb * at) / np.maximum(aa * bb - ab * ab, 1e-12), 0.0, 1.0)
    s = np.clip((ab * np.clip((ab * s + bt) / bb, 0.0, 1.0) - at) / aa, 0.0, 1.0)
    t = np.clip((ab * s + bt) / bb, 0.0, 1.0)
    return np.linalg.norm(between + s[..., None] * one - t[..., None] * other, axis=-1)


def between_segments(pose: WalkPose, upper: str, lower: str) -> float:
    left, right = ([pose.motions[f"{role}.{side}"].position for role in (upper, lower)] for side in "LR")
    return float(distance(*left, *right).min())


@pytest.mark.few(8)
@pytest.mark.parametrize("seed", range(200, 230))
def test_feet_and_shins_keep_their_distance_while_it_turns(seed):
    pose = walked(turning(seed), FRAMES)
    assert between_segments(pose, "foot", "toe") > 0.55 * WIDTH
    assert between_segments(pose, "shin", "foot") > 0.5 * WIDTH


@pytest.mark.parametrize("speed", [1.25, 1.9])
def test_quick_sidesteps_cross_and_shins_pass_at_a_distance(speed):
    """Recorded strafes: 150 to 171 steps a minute, shins 0.13 to 0.17 leg lengths apart, pelvis turned by 18
    degrees."""
    track = StyleTrack(Style(speed=speed, facing=90.0))
    pose = walked(Walker.of(BODY, track, Clock(), WALKING, STRAIGHT, LEVEL), FRAMES)
    left, right = (pose.motions[f"foot.{side}"].position[:, 1] / BODY.leg_length for side in "LR")
    assert (left - right).max() > 0.6 and (left - right).min() < -0.1
    assert 140.0 < 120.0 / pose.period[0] < 190.0
    assert between_segments(pose, "shin", "foot") > 0.12 * BODY.leg_length
    assert np.ptp(yaw_of(pose.motions["pelvis"].rotation)) > np.radians(10.0)


@pytest.mark.parametrize("path", ["circle of 2 m", "S"])
@pytest.mark.parametrize("seed", range(200, 206))
def test_prints_in_a_turn_neither_touch_nor_cross(seed, path):
    who = turning(seed, PATHS[path])
    steps = footsteps(who, np.arange(1.0, 9.0)[:, None] + [0.1, 0.6]).steps
    ahead = np.stack([np.cos(steps.heading), np.sin(steps.heading), np.zeros(steps.heading.shape)], axis=-1)
    heel, toe = (steps.place + point[:, :1] * ahead for point in (who.sole.heel, who.sole.toe))
    order = np.argsort(who.rhythm.phase_when(steps.contact), axis=None)
    heel, toe = heel.reshape(-1, 3)[order][1:-1], toe.reshape(-1, 3)[order][1:-1]
    assert distance(heel[1:], toe[1:], heel[:-1], toe[:-1]).min() > 0.4 * WIDTH
    middle = 0.5 * (heel + toe)
    course = steps.course.ravel()[order][1:-1]
    course = 0.5 * (course[1:] + course[:-1])
    side = np.where(np.tile([LEFT, RIGHT], len(steps.contact))[order][2:-1] == LEFT, 1.0, -1.0)
    assert (
        side
        * (
            (middle[1:] - middle[:-1]) * np.stack([-np.sin(course), np.cos(course), 0.0 * course], axis=-1)
        ).sum(-1)
    ).min() > 0.0


@pytest.mark.parametrize("seed", [3, 4])
def test_a_print_is_where_it_is_whichever_steps_are_asked_for(seed):
    who = turning(seed)
    phase = np.arange(0.0, 8.0)[:, None] + [0.1, 0.6]
    together = footsteps(who, phase)
    for row in range(len(phase)):
        alone = footsteps(who, phase[row : row + 1])
        for following in (0, 1):
            one, same = (
                plan.steps.take(plan.under_way(phase[row : row + 1]) + following)
                for plan in (alone, together)
            )
            np.testing.assert_allclose(one.place, same.place, atol=1e-9)
