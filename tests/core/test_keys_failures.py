"""Changes of keys that failed are not tried again as long as they are known to fail."""

import numpy as np
import pytest

from neurarig_addon.core.keys.reduction import Failures

COUNT, ROWS = 20, (4, 7, 12)


def eased(move: float, wider: float, at: int, worst: float = 1.5) -> bool:
    """Return whether what failed by `worst` is tried again after values moved, and limits widened, on one frame."""
    failures = Failures()
    failures.note(ROWS, worst)
    moved, factor = np.zeros(COUNT), np.ones(COUNT)
    moved[at], factor[at] = move, wider
    failures.ease(moved, factor)
    return ROWS not in failures


@pytest.mark.parametrize("at", [4, 8, 12])
def test_what_may_succeed_now_is_tried_again(at):
    assert eased(0.5, 1.0, at) and eased(0.0, 1.5, at) and eased(0.3, 1.3, at)


def test_what_must_fail_still_or_lies_elsewhere_is_not():
    assert not eased(0.4, 1.0, 8) and not eased(0.0, 1.4, 8) and not eased(0.0, 0.5, 8)
    assert not eased(9.0, 9.0, 3) and not eased(9.0, 9.0, 13)


def test_small_moves_add_up():
    failures = Failures()
    failures.note(ROWS, 1.5)
    for number in range(3):
        assert (ROWS in failures) == (number < 3)
        failures.ease(np.full(COUNT, 0.2), np.ones(COUNT))
    assert ROWS not in failures
