"""Everything answers what it answered: a wide record of walks, retargeting, detection, controls, poses, files and messages.

What is here to be noticed is a slip.  Where an answer is meant to be another, `python -m tests.core.record` records it anew.
"""

import pytest

from tests.core.record import record
from tests.core.record.scenarios import scenarios

SCENARIOS = scenarios()
KNOWN = record.read()


@pytest.mark.parametrize("name", SCENARIOS)
def test_it_answers_what_it_answered(name: str) -> None:
    assert name in KNOWN, "is not in the record: python -m tests.core.record"
    assert record.differences(name, SCENARIOS[name](), KNOWN[name]) == []


def test_the_record_is_of_these_scenarios() -> None:
    assert KNOWN.keys() == SCENARIOS.keys()
