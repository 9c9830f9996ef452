"""The walk straight ahead on level ground, and a retargeted clip, are what they were to 1e-9 m and rad."""

import numpy as np
import pytest

from tests.core import golden_walks

CASES = golden_walks.cases()
# Metres and radians of a sampled frame; of a sum over all frames, where curves with corners have slopes that rounding moves by 1e-9.
SAME = np.array([1e-9, 1e-9, 5e-9, 5e-9])


@pytest.mark.parametrize("name", CASES)
def test_it_is_what_it_was(name: str) -> None:
    with np.load(golden_walks.RECORD) as record:
        was = record[name] * golden_walks.STEP
    now = golden_walks.condensed(CASES[name]())
    assert now.shape == was.shape
    assert (np.abs(now - was).max(axis=1) < SAME).all()


def test_the_record_is_of_these_walks() -> None:
    with np.load(golden_walks.RECORD) as record:
        assert set(record.files) == set(CASES)
