"""The stored curves of the run: runners' joint angles, and feet that swing clear of the ground by themselves
and evenly."""

import numpy as np
import pytest

from neurarig_addon.core.character.body import LEFT
from neurarig_addon.core.ground.lifts import CLEARANCE
from neurarig_addon.core.human.adult import human_body
from neurarig_addon.training.gait import run_norms
from neurarig_addon.training.gait.human_gait import ROW, RUN_STORE, HumanGait
from neurarig_addon.training.gait.identify_run import SPEEDS
from neurarig_addon.training.gait.norms import rms
from neurarig_addon.training.gait.run_goal import RunGoal, goal_of
from neurarig_addon.training.gait.run_misfit import jerks, low_soles
from neurarig_addon.training.gait.trial import joint_angles, soles_unguarded, walked

BODY, GAIT, STORED = human_body("DOWN"), HumanGait.load(RUN_STORE), run_norms.load()
SUNK = 0.01  # leg lengths that a sole may swing below the ground before the guard lifts it
# strides per cycle^3 (RMS) of the ankle's jerk in a jog; two thirds of runners stay below 300, one in twenty
# reaches 450
SUDDEN = 450.0


def goal(speed: float) -> RunGoal:
    return goal_of(STORED, speed, BODY)


@pytest.mark.parametrize("row", range(len(SPEEDS)), ids=[f"{speed} m/s" for speed in SPEEDS])
def test_no_foot_swings_through_the_ground_unless_it_is_lifted(row):
    share, heights = soles_unguarded(BODY, goal(SPEEDS[row]), GAIT.coefficients[row])
    assert heights[share > 0.0].min() > -SUNK * BODY.leg_length


@pytest.mark.parametrize(
    "row", [row for row, speed in enumerate(SPEEDS) if speed in run_norms.SPEEDS.values()]
)
def test_the_run_has_runners_angles(row):
    wanted = goal(SPEEDS[row])
    angles = joint_angles(walked(BODY, wanted, GAIT.coefficients[row]))
    for name in ("thigh", "knee", "ankle"):
        assert rms(angles[name] - getattr(wanted, name)) < 5.0, name


@pytest.mark.parametrize("row", [row for row, speed in enumerate(SPEEDS) if 2.0 <= speed <= 4.5])
def test_no_ankle_turns_suddenly(row):
    found = jerks(walked(BODY, goal(SPEEDS[row]), GAIT.coefficients[row]))
    assert np.sqrt(2.0) * rms(found) < SUDDEN


def test_a_jerk_is_known_of_a_path_that_is_a_sine():
    wanted = goal(3.5)
    pose = walked(BODY, wanted, GAIT.coefficients[4])
    wave = np.zeros((len(pose.frames), 3))
    wave[:, 2] = pose.stride[0] * np.sin(2.0 * np.pi * np.arange(len(wave)) / len(wave))
    pose.motions["foot.L"].position[:] = wave
    assert rms(jerks(pose)) == pytest.approx(0.5 * (2.0 * np.pi) ** 3, rel=0.01)


def test_soles_without_a_guard_are_those_of_the_walk_where_it_lifts_nothing_and_lower_where_it_does():
    wanted, curves = goal(3.5), GAIT.coefficients[4].copy()
    curves[ROW["foot.roll"]] = 0.0  # the guard looks at feet that do not roll
    for lowered in (0.0, 0.08):
        curves[ROW["foot.z"], 3] -= lowered  # twice a cycle, so also in the swing
        share, heights = soles_unguarded(BODY, wanted, curves)
        foot = walked(BODY, wanted, curves).motions["foot.L"]
        heel = foot.carry(BODY.heel[LEFT])[:, 2]
        # a lift reaches two tenths of the swing around what lacks
        around = np.abs(share[:, None] - share) < 0.25
        lowest = np.where(around & (share > 0.0), heights.min(axis=1), np.inf).min(axis=1)
        free = (share > 0.3) & (share < 0.7) & (lowest > CLEARANCE * BODY.leg_length)
        np.testing.assert_allclose(heel[free], heights[free, 0], atol=1e-9)
        # Near the swing's ends, hips that leave a foot behind draw it along.
        assert free.any() and (heel >= heights[:, 0] - 1e-9)[share > 0.0].all()
    assert (
        low_soles(BODY, wanted, curves).min()
        < 0.0
        <= low_soles(BODY, wanted, GAIT.coefficients[4]).min() + SUNK
    )
