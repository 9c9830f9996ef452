"""The bundled acts: they are what the recordings and keys named by the library give, and what acts have to
be."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.acts.act import BODY, STAND, STEP
from neurarig_addon.core.acts.act_file import SHIPPED, read_act, shipped_acts, to_json
from neurarig_addon.training.acts.commands import ENTRIES, file_name, made
from neurarig_addon.training.acts.finish import GESTURES
from neurarig_addon.training.acts.mean import mean_arm
from tests.shared_data import shared_path

LARGEST = 60_000  # bytes


@pytest.mark.few(2)
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_the_acts_that_ship_are_learned_from_the_recordings(entry):
    folder = shared_path("data")
    if not all((folder / shown.clip).exists() for shown in entry.shows):
        pytest.skip("recordings are missing")
    found, shipped = made(entry, folder), read_act(SHIPPED / file_name(entry.number, entry.name))
    at = np.linspace(0.0, found.seconds, 100)
    assert (found.base, len(found.contacts)) == (shipped.base, len(shipped.contacts))
    assert shipped.seconds == pytest.approx(found.seconds, abs=1e-3)
    assert_allclose(shipped.curves(at), found.curves(at), atol=5e-3)


@pytest.mark.parametrize("gesture", GESTURES, ids=lambda gesture: gesture.name)
def test_the_gestures_that_ship_are_made_of_the_keys(gesture):
    shipped = read_act(SHIPPED / file_name(gesture.number, gesture.name))
    assert to_json(shipped) == to_json(gesture.act())
    assert shipped.base == BODY and "made" in shipped.description


@pytest.mark.parametrize("name", shipped_acts())
def test_every_act_begins_and_ends_as_its_base_says(name):
    act = shipped_acts()[name]
    assert (
        SHIPPED / next(path.name for path in SHIPPED.glob(f"*_{name.lower()}.json"))
    ).stat().st_size < LARGEST
    assert not act.curves.values[[0, -1]].any() and act.description and act.credit
    for side in "lr":
        feet = act.of(f"foot_{side}")
        if act.base == STAND:
            assert feet[0].begin == 0.0 and feet[-1].end == act.seconds
        assert bool(feet) == (act.base != BODY)
    if act.base == STEP:
        assert (
            act.of("foot_r")[0].begin == 0.0
            and act.of("foot_l")[-1].end == act.seconds
            and act.flight is not None
        )


def test_the_mean_of_arms_is_the_mean_of_their_directions():
    forward, half = np.zeros((1, 30, 5)), np.linspace(0.0, 1.0, 30)
    forward[0, :, 0], forward[0, :, 3] = half, 1.2 * half
    assert_allclose(mean_arm(forward)[:, [0, 3]], forward[0][:, [0, 3]], atol=1e-9)
    both = np.concatenate([0.5 * forward, 1.5 * forward])
    assert_allclose(mean_arm(both)[:, 0], half, atol=1e-9)
