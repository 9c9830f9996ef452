"""What is said of controls that do not carry a walk: the worst first, with the bone."""

from dataclasses import replace

import pytest

from neurarig_addon.core.controls.tryout import Verdict

GOOD = Verdict(slip=0.0, penetration=0.0, missed=0.0)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, ""),
        ({"missed": 50.0, "slip": 50.0}, "the feet miss their footprints by 50.0 %"),
        ({"slip": 50.0, "penetration": 50.0}, "planted feet slip by 50.00 %"),
        ({"penetration": 50.0}, "the feet sink into the ground by 50.00 %"),
        ({"missed": float("nan")}, "the feet miss"),
        ({"slip": float("nan")}, "planted feet slip"),
        ({"penetration": float("nan")}, "the feet sink"),
    ],
)
def test_the_reason_is_the_worst_that_was_seen(changes, reason):
    found = replace(GOOD, **changes).reason
    assert found.startswith(reason) and bool(found) == bool(reason)
