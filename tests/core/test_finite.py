"""What is a number, where a script or a file may give anything."""

import numpy as np
import pytest

from neurarig_addon.core.files.json_text import is_finite
from neurarig_addon.core.gait.inputs.print_edits import PrintEdit, require_edit
from tests.refusals import refuses


@pytest.mark.parametrize("value", [0, -3, 2.5, 1e308, -1e308, 10**308, np.float64(0.1)])
def test_numbers(value: float) -> None:
    assert is_finite(value)


@pytest.mark.parametrize(
    "value", [True, None, "1", [1], 1j, float("nan"), float("inf"), -float("inf"), 10**309, -(10**400)]
)
def test_what_no_float_holds_is_no_number(value: object) -> None:
    assert not is_finite(value)


def test_a_print_with_a_number_beyond_all_is_refused_in_a_sentence() -> None:
    with refuses("must be a number"):
        require_edit(PrintEdit(0, 2, along=10**400))
