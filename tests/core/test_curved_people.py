"""Curved walking is as people's: the benchmark's figures, on recordings that are not part of the repository."""

from benchmarks import curved_people
from tests.shared_data import shared_path


def test_lean_turns_feet_and_strides_in_bends_are_within_those_of_people():
    shared_path("mocap")
    found = curved_people.rows()
    assert len(found) == 33
    assert not [row for row in found if not row.passed]
    assert sum(row.value < 1.0 for row in found) > 28, "most of them in the midst of people's"
