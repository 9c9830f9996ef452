"""The stored curves of the run: runners' joint angles, and feet that swing clear of the ground by themselves
and evenly."""

import numpy as np
import pytest

from neurarig_addon.core.human.adult import human_body
from neurarig_addon.training.gait import run_goal
from neurarig_addon.training.gait.human_gait import RUN_STORE, HumanGait
from neurarig_addon.training.gait.identify_run import SPEEDS
from neurarig_addon.training.gait.misfit import joint_angles, soles_unguarded, walked
from neurarig_addon.training.gait.norms import rms
from neurarig_addon.training.gait.run_goal import RunGoal, goal_of, jerks

BODY, GAIT, STORED = human_body("DOWN"), HumanGait.load(RUN_STORE), run_goal.load()
SUNK = 0.01  # leg lengths that a sole may swing below the ground before the guard lifts it


def goal(speed: float) -> RunGoal:
    return goal_of(STORED, speed, BODY)


@pytest.mark.parametrize("row", range(len(SPEEDS)), ids=[f"{speed} m/s" for speed in SPEEDS])
def test_no_foot_swings_through_the_ground_unless_it_is_lifted(row):
    share, heights = soles_unguarded(BODY, goal(SPEEDS[row]), GAIT.coefficients[row])
    assert heights[share > 0.0].min() > -SUNK * BODY.leg_length


@pytest.mark.parametrize(
    "row", [row for row, speed in enumerate(SPEEDS) if speed in run_goal.SPEEDS.values()]
)
def test_the_run_has_runners_angles(row):
    wanted = goal(SPEEDS[row])
    angles = joint_angles(walked(BODY, wanted, GAIT.coefficients[row]))
    for name in ("thigh", "knee", "ankle"):
        assert rms(angles[name] - getattr(wanted, name)) < 5.0, name


def test_a_jerk_is_known_of_a_path_that_is_a_sine():
    wanted = goal(3.5)
    pose = walked(BODY, wanted, GAIT.coefficients[4])
    wave = np.zeros((len(pose.frames), 3))
    wave[:, 2] = pose.stride[0] * np.sin(2.0 * np.pi * np.arange(len(wave)) / len(wave))
    pose.motions["foot.L"].position[:] = wave
    assert rms(jerks(pose)) == pytest.approx(0.5 * (2.0 * np.pi) ** 3, rel=0.01)
