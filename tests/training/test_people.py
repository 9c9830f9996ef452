"""What individuals are drawn from is what the recorded walks say, and how far it can be trusted is said."""

import numpy as np

from neurarig_addon.core.gait.sliders.individual import TRAITS
from neurarig_addon.core.shipped import shipped
from neurarig_addon.training.gait import people
from tests.shared_data import shared_path


def test_the_people_that_ship_are_the_recorded_ones():
    found, known = people.reduce(shared_path("data", "gait-norms")), shipped("people")
    assert found["traits"] == known["traits"] == list(TRAITS) and found["people"] == known["people"] == 9
    for name in ("components", "rest", "explained_of_people_left_out"):
        np.testing.assert_allclose(known[name], found[name], atol=2e-4)


def test_who_is_left_out_is_explained_by_components_only_where_people_have_some_in_common():
    draw = np.random.default_rng(1)
    alike = draw.standard_normal((9, 3)) @ draw.standard_normal((3, 11))
    assert people.left_out(alike) > 0.99
    strangers = np.mean([people.left_out(draw.standard_normal((9, 11))) for _ in range(40)])
    assert 0.2 < strangers < 0.35
