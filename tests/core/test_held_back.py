"""Step rate and time on the ground: what they do to a walk and a run, what no body does, and that feet stay
planted throughout."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.body.feet import SWING
from neurarig_addon.core.gait.kinds.gait import Gait
from neurarig_addon.core.gait.kinds.law import FLYING_DUTY, LEAST_WALKING_DUTY, run_duty, run_stride
from neurarig_addon.core.gait.kinds.natural import natural_duty, natural_stride
from neurarig_addon.core.gait.limits import held_back
from neurarig_addon.core.gait.sliders.style import Clock, Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walk
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.ground.surface import LEVEL
from neurarig_addon.core.path.path import STRAIGHT
from tests.core.walk_measures import deepest, greatest_slip
from tests.core.walk_styles import keyed
from tests.core.walkers import BODY, RUNNING, WALKING

LEG = BODY.leg_length
CLOCK = Clock(fps=60.0, start=0.0, whole_frames=False)
FRAMES = np.arange(0.0, 150.0, 0.5)


def told(gait: Gait, **style: float) -> str:
    return " ".join(held_back(Walker.of(BODY, StyleTrack(Style(**style)), CLOCK, gait, STRAIGHT, LEVEL), 0.0))


CASES = [(WALKING, 1.3, natural_stride, natural_duty), (RUNNING, 3.5, run_stride, run_duty)]


@pytest.mark.parametrize(("gait", "speed", "stride", "duty"), CASES)
def test_factors_of_what_people_do(gait, speed, stride, duty):
    pose = walk(BODY, StyleTrack(Style(speed=speed, cadence=1.2, duty_factor=0.9)), CLOCK, FRAMES, gait)
    assert_allclose(pose.stride, stride(speed, LEG) / 1.2)
    assert_allclose(pose.period, stride(speed, LEG) / 1.2 / speed)
    assert_allclose(pose.duty, 0.9 * duty(speed, LEG))
    assert greatest_slip(BODY, pose) < 1e-9 and deepest(BODY, pose) < 1e-9
    assert not told(gait, speed=speed, cadence=1.2, duty_factor=0.9)


def test_a_walk_keeps_a_foot_down_and_a_run_leaves_the_ground():
    light = walk(BODY, StyleTrack(Style(speed=1.3, duty_factor=0.3)), CLOCK, FRAMES, WALKING)
    assert np.allclose(light.duty, LEAST_WALKING_DUTY) and (light.pivot != SWING).any(axis=1).all()
    heavy = walk(BODY, StyleTrack(Style(speed=3.5, duty_factor=2.0)), CLOCK, FRAMES, RUNNING)
    assert np.allclose(heavy.duty, FLYING_DUTY) and (heavy.pivot == SWING).all(axis=1).any()
    assert "Set Gait to Run" in told(WALKING, speed=1.3, duty_factor=0.3)
    assert "Set Gait to Walk" in told(RUNNING, speed=3.5, duty_factor=2.0)


def test_legs_go_no_faster_and_reach_no_farther_than_they_can():
    hurried = walk(BODY, StyleTrack(Style(speed=2.0, cadence=5.0)), CLOCK, FRAMES, WALKING)
    assert 120.0 / hurried.period[0] == pytest.approx(313.0, rel=0.01)
    assert "313" in told(WALKING, speed=2.0, cadence=5.0)
    slow = walk(BODY, StyleTrack(Style(speed=2.0, cadence=0.3)), CLOCK, FRAMES, WALKING)
    assert slow.stride[0] == pytest.approx(2.6 * LEG) and "Raise Step Rate" in told(
        WALKING, speed=2.0, cadence=0.3
    )
    assert not told(WALKING, speed=0.0) and not told(WALKING, speed=1.3)


@pytest.mark.parametrize(("slider", "values"), [("cadence", [0.8, 1.3]), ("duty_factor", [0.85, 1.2])])
@pytest.mark.parametrize(("gait", "speed"), [(WALKING, 1.3), (RUNNING, 3.5)])
def test_keyed_they_leave_prints_where_they_are(gait, speed, slider, values):
    pose = walk(BODY, keyed(slider, [0, 70], values, speed=speed), CLOCK, FRAMES, gait)
    assert greatest_slip(BODY, pose) < 1e-9 and deepest(BODY, pose) < 1e-9
