"""All is seen that was seen: a wide record of walks, prints, bakes, clips, poses, rigs, buttons and command lines in Blender.

What is here to be noticed is a slip.  Where something is meant to be other, `python -m tests.blender.record` records it anew.
"""

import bpy
import pytest

from tests.blender.record.record import FILE, MADE_WITH, differences
from tests.blender.record.scenarios import played, scenarios
from tests.core.record import record

pytestmark = [
    pytest.mark.skipif(bpy.app.version[:2] != MADE_WITH, reason="the record is made with bpy 5.0"),
    pytest.mark.skipif(not FILE.exists(), reason="there is no record yet: python -m tests.blender.record"),
]
SCENARIOS = scenarios()
KNOWN = record.read(FILE) if FILE.exists() else {}


@pytest.mark.parametrize("name", SCENARIOS)
def test_it_is_seen_that_was_seen(name: str) -> None:
    assert name in KNOWN, "is not in the record: python -m tests.blender.record"
    assert differences(played(SCENARIOS[name]), KNOWN[name]) == []


def test_the_record_is_of_these_scenarios() -> None:
    assert KNOWN.keys() == SCENARIOS.keys()
