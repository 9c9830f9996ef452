"""Closed paths: a whole number of strides a lap, each lap as the one before, whichever way the body faces."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.gait.inputs.gaze import Gaze
from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.gait.pose import WalkPose
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walked
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import LEVEL
from neurarig_addon.core.path.curve import Curve
from tests.core.walk_measures import deepest, greatest_slip, knee_angle
from tests.core.walk_paths import circle, line
from tests.core.walkers import BODY, HUMAN, WALKING


def drawn(seed: int) -> Curve:
    """Return a closed line of a drawn shape."""
    draw = np.random.default_rng(seed)
    angle = np.linspace(0.0, 2.0 * np.pi, 60, endpoint=False)
    reach = draw.uniform(1.2, 3.5) * (
        1.0 + 0.2 * np.sin(2.0 * angle + draw.uniform(0.0, 6.0)) + 0.1 * np.cos(3.0 * angle)
    )
    return line(*zip(reach * np.sin(angle), -reach * np.cos(angle), strict=True), is_closed=True)


def walker(
    path: Curve, clock: Clock | None = None, face: Gaze | None = None, gait: Gait = HUMAN, **style: float
) -> Walker:
    return Walker.of(
        BODY, StyleTrack(Style(**{"speed": 1.1, **style})), clock or Clock(), gait, path, LEVEL, face
    )


def apart(one: WalkPose, other: WalkPose) -> float:
    """Return how far joints of two poses are from one another in space, in metres."""
    places = (
        [pose.root.carried(motion.position) for motion in pose.motions.values()] for pose in (one, other)
    )
    return float(np.abs(np.subtract(*map(np.array, places))).max())


@pytest.mark.few
@pytest.mark.parametrize("facing", [0.0, 90.0, 180.0, -40.0, "thing"])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("whole_frames", [True, False])
def test_every_lap_is_as_the_one_before(seed, facing, whole_frames):
    clock = Clock(whole_frames=whole_frames)
    face = Gaze(np.zeros(1), np.array([[0.5, 0.2, 1.0]])) if facing == "thing" else None
    who = walker(
        drawn(seed), clock, face, facing=0.0 if face else facing, speed=1.1 if facing == 0.0 else 0.8
    )
    lap = who.rhythm.lap_frames(clock)
    assert who.rhythm.lap >= 1 and (lap == round(lap) or not whole_frames)
    frames = clock.start + np.random.default_rng(seed).uniform(0.0, lap, 12)
    once = walked(who, frames)
    for laps in (1, 5, -2):
        again = walked(who, frames + laps * lap)
        assert apart(once, again) < 1e-8
        assert_allclose(again.phase, once.phase + laps * who.rhythm.lap, atol=1e-9)
    around = walked(who, clock.start + lap + np.arange(-12.0, 12.0, 0.25))
    assert greatest_slip(BODY, around) < 1e-9 and deepest(BODY, around) < 1e-9
    inside = walked(who, clock.start + np.arange(12.0, lap - 12.0, 0.25))
    jolts = [
        np.abs(np.diff(pose.root.carried(pose.motions["pelvis"].position), 3, axis=0)).max()
        for pose in (around, inside)
    ]
    assert jolts[0] < 1.5 * jolts[1] + 2e-4, "the seam is seen nowhere"


@pytest.mark.parametrize("radius", [0.7, 2.0, 5.0])
def test_the_stride_is_adapted_a_little_and_the_speed_is_kept(radius):
    closed, angle = circle(radius), np.linspace(0.0, 4.0 * np.pi, 192)
    open_one = line(*zip(radius * np.sin(angle), radius - radius * np.cos(angle), strict=True))
    frames = np.arange(60.0, 70.0)
    lap, way = (walked(walker(path), frames) for path in (closed, open_one))
    assert_allclose(lap.ground_speed, way.ground_speed, rtol=0.01)
    cycles = closed.length / way.stride.mean()
    assert_allclose(lap.stride / way.stride, cycles / round(cycles), rtol=0.02)


def test_corners_are_taken_in_step_and_the_lap_is_whole():
    square = line((2.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0), (0.0, 0.0), is_closed=True)
    who = walker(square, gait=WALKING)
    lap = who.rhythm.lap_frames(who.clock)
    pose = walked(who, np.arange(1.0, 1.0 + 2.0 * lap, 0.5))
    assert greatest_slip(BODY, pose) < 1e-9 and deepest(BODY, pose) < 1e-9
    assert max(np.abs(np.diff(knee_angle(pose, side), 2)).max() * 48.0**2 for side in "LR") < 300.0
    assert apart(walked(who, np.array([1.0])), walked(who, np.array([1.0 + lap]))) == 0.0


@pytest.mark.parametrize("style", [{"variation": 1.0}, {"speed": 0.0}])
def test_what_makes_laps_differ_is_walked_without_them(style):
    assert walker(circle(2.0), **style).rhythm.lap == 0
    keyed = StyleTrack(Style(speed=1.0), {"energy": (np.arange(0.0, 90.0), np.linspace(0.0, 1.0, 90))})
    assert Walker.of(BODY, keyed, Clock(), HUMAN, circle(2.0), LEVEL).rhythm.lap == 0
    moving = Gaze(np.array([1.0, 90.0]), np.array([[0.0, 2.0, 1.0], [1.0, 2.0, 1.0]]))
    assert walker(circle(2.0), face=moving).rhythm.lap == 0
