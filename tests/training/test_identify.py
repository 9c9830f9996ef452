"""The stored curves of the walk: what they were searched for, and how far they are from it."""

import numpy as np
import pytest

from neurarig_addon.core.human.adult import human_body
from neurarig_addon.training.gait import identify, norms
from neurarig_addon.training.gait.human_gait import HumanGait
from neurarig_addon.training.gait.misfit import (
    EARLY,
    LATE,
    SEEN_SPREAD,
    first_above,
    joint_angles,
    kicks,
    misfit,
    seen,
    walked,
)
from neurarig_addon.training.gait.walk_goal import SAMPLES, goal_of

BODY, GAIT, STORED = human_body("DOWN"), HumanGait.load(), norms.load()


@pytest.mark.parametrize("number", range(5))
def test_the_walk_has_people_s_angles_and_knees_that_do_not_kick(number):
    goal = goal_of(STORED["speeds"][number], STORED)
    pose = walked(BODY, goal, GAIT.coefficients[number])
    angles, period = joint_angles(pose), float(pose.period[0])
    # hips that go evenly, and knees that do not kick, cost the fast ones some of their angles
    fast = number > 2
    for name, most in (
        ("thigh", 5.5 if fast else 4.5),
        ("knee", 7.0 if fast else 5.5),
        ("ankle", 8.5 if fast else 5.0),
    ):
        assert norms.rms(angles[name] - getattr(goal, name)) < most, name
    knee, people = (
        np.abs(np.diff(np.radians(one), 2)).max() * (SAMPLES / period) ** 2
        for one in (angles["knee"], goal.knee)
    )
    assert knee < people + (190.0 if fast else 80.0)
    late, early = seen(BODY, pose, float(pose.duty[0, 0])) * SEEN_SPREAD + [LATE, EARLY]
    assert late + early < (0.05 if number == 0 else 0.04), (
        "cycles that a foot is seen to stand longer than it does; people's 0.02"
    )


def test_a_knee_that_moves_as_people_s_does_not_kick_and_one_with_a_corner_does():
    goal = goal_of(STORED["speeds"][2], STORED)
    assert np.abs(kicks(goal.knee, goal, 1.1)).max() == 0.0
    corner = goal.knee + 2.0 * (np.arange(SAMPLES) == 60)
    assert np.abs(kicks(corner, goal, 1.1)).max() > 2.0


def test_where_values_go_above_a_limit_is_told_between_two_of_them():
    assert first_above(np.array([0.0, 0.0, 1.0, 3.0]), 2.0, 0) == pytest.approx(2.5)
    assert first_above(np.array([5.0, 0.0, 1.0]), 2.0, 0) == 0.0


def test_refining_a_speed_keeps_the_others_and_does_not_lose(monkeypatch):
    monkeypatch.setattr(identify, "MOST_TRIED", 2)
    found = identify.refine(GAIT, [3], report=lambda _: None)
    kept = [row for row in range(5) if row != 3]
    np.testing.assert_array_equal(found.coefficients[kept], GAIT.coefficients[kept])
    goal = goal_of(STORED["speeds"][3], STORED)
    before, after = (float(np.sum(misfit(BODY, goal, gait.coefficients[3]) ** 2)) for gait in (GAIT, found))
    assert after < 1.1 * before, "curves follow the feet's path, of which eight harmonics are kept"
