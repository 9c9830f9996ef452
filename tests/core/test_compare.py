"""What differs between two things that were seen is named, and what is rounding is not."""

import numpy as np
import pytest

from tests.compare.differences import difference, differences

BONES = {"Hips": np.eye(4), "Head": np.full((4, 4), 2.0)}


@pytest.mark.parametrize(
    "value",
    [0.0, 3, True, "a sentence.", None, [1.0, "x"], BONES, np.array([1.0, np.nan, np.inf]), {"a": [1, {}]}],
)
def test_the_same_does_not_differ(value):
    assert difference(value, value) == ""


def test_rounding_of_single_precision_does_not_differ_and_more_does():
    large = np.linspace(-300.0, 300.0, 7)
    assert difference(large, large.astype(np.float32).astype(float)) == ""
    assert difference(large, large + 1e-2) == "by 0.01"
    assert difference(0.5, 0.5000001) == "" and difference(0.5, 0.501) == "0.5 became 0.501"


def test_the_bone_that_differs_most_is_named():
    moved = {"Hips": BONES["Hips"] + 0.25, "Head": BONES["Head"] + 0.5}
    assert difference(BONES, moved) == "Head by 0.5, and 1 more"
    assert difference(BONES, {"Hips": BONES["Hips"]}).startswith("Head ")


def test_parts_and_paths_are_compared_whichever_side_has_them():
    found = differences(
        {"told": {"1 bake": ["Done."]}, "keys": {"x": 1.0}},
        {"told": {"1 bake": ["Baked."]}, "bones": {"y": 2.0}},
    )
    assert [(one.part, one.path) for one in found] == [("told", "1 bake"), ("keys", "x"), ("bones", "y")]
    assert "'Done.' became 'Baked.'" in str(found[0])
