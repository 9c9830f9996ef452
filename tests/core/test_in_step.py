"""In step with what is ahead: phases come to marks as these say, smoothly, and nobody walks back in time for
it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.gait.timing.in_step import NO_MARKS, Marks, in_step

DISTANCE = np.linspace(-2.0, 30.0, 4001)
PHASE = DISTANCE / 1.4


def marks(at: list[float], phase: float, every: float = 0.5, follows: bool = False) -> Marks:
    """Return marks, each of which follows the one before, or none."""
    count = len(at)
    return Marks(
        np.array(at),
        np.full(count, phase),
        np.full(count, every),
        np.arange(count) > (0 if follows else count),
    )


@pytest.mark.parametrize("every", [0.5, 1.0])
def test_phases_are_as_marked(every):
    draw = np.random.default_rng(3)
    for _ in range(40):
        wanted = marks(np.sort(draw.uniform(2.0, 28.0, 4)).tolist(), draw.uniform(0.0, 1.0), every)
        if np.diff(wanted.at).min() < 3.0:
            continue
        phase = in_step(wanted, PHASE, DISTANCE, 0.0)
        off = (np.interp(wanted.at, DISTANCE, phase) - wanted.phase) / every
        assert_allclose(off, np.round(off), atol=1e-3)
        rate = np.diff(phase) / np.diff(PHASE)
        assert rate.min() > 0.85, "strides are seldom longer, and little"
        assert rate.max() < 1.9


def test_marks_that_follow_are_a_step_apart():
    treads = marks((10.0 + 0.3 * np.arange(8)).tolist(), 0.33, follows=True)
    phase = in_step(treads, PHASE, DISTANCE, 0.0)
    assert_allclose(np.diff(np.interp(treads.at, DISTANCE, phase)), 0.5, atol=1e-3)


def test_what_is_before_stays_and_what_comes_after_goes_on():
    phase = in_step(marks([20.0], 0.7), PHASE, DISTANCE, 0.0)
    before, after = DISTANCE < 20.0 - 2.9, DISTANCE > 20.1
    assert_array_equal(phase[before], PHASE[before])
    assert np.ptp((phase - PHASE)[after]) < 1e-12


def test_without_marks_nothing_lacks():
    assert len(NO_MARKS.between(-np.inf, np.inf).at) == 0
    both = marks([5.0, 9.0], 0.2).and_those(marks([7.0], 0.4))
    assert both.at.tolist() == [5.0, 7.0, 9.0] and both.phase.tolist() == [0.2, 0.4, 0.2]
    assert both.between(5.0, 7.0).at.tolist() == [7.0]
