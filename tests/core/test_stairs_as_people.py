"""Joints on slopes and stairs are as people's: the benchmark's figures; the table of stairs is not part of the repository."""

import pytest

from benchmarks import slopes_and_stairs
from tests.shared_data import shared_path


def test_joints_on_slopes_are_within_eight_degrees_of_people():
    assert not [row for row in slopes_and_stairs.slope_rows() if not row.passed]


@pytest.mark.parametrize("way", ["ascending", "descending"])
def test_joints_on_stairs_are_within_eight_degrees_of_people_and_a_stride_takes_as_long(way):
    shared_path("data", "gait-norms", f"bovi2011_{way}_stairs_adult.csv")
    found = [row for row in slopes_and_stairs.stair_rows() if way in row.what and "stands" not in row.what]
    assert len(found) == 4 and not [row for row in found if not row.passed]
