"""Logic profiles: reading, sides, phases, constants, results of muParser, and speed."""

import json
import warnings
from pathlib import Path
from time import process_time

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.contract.inputs import DILATED_INPUTS, WALK_INPUTS
from neurarig_addon.core.logic.contract import arrange, quantities, random_inputs
from neurarig_addon.core.logic.profile import FOLDER, Profile
from tests.core.small_profiles import loaded, small
from tests.refusals import refuses

SHIPPED = sorted(FOLDER.glob("*.json"))
WALKER = np.array([[1.3, 0.42, 0.42, 0.0, 0.09, 0.42, 0.42, 0.5, 0.09]])


@pytest.fixture(params=SHIPPED, ids=lambda path: path.stem)
def shipped(request: pytest.FixtureRequest) -> Path:
    return request.param


def cycle(profile: Profile, cycles: float, frames: int) -> tuple[np.ndarray, np.ndarray]:
    """Return times `(frames,)` and inputs of the plain walker over some cycles."""
    period = profile.period(arrange(profile, WALKER, np.zeros(1), np.zeros(1)))
    seconds = np.linspace(0.0, cycles * float(period[0]), frames)
    return seconds, arrange(profile, WALKER, seconds, seconds)


def test_logic_phases_and_sides() -> None:
    profile = loaded(small())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = profile.evaluate(np.array([[4.0, -3.0], [-1.0, 9.0], [20.0, 1.0]]))
    assert found.shape == (3, 12) and found.dtype == np.float64
    assert_array_equal(found[:, 0], [2.0, -1.0, 0.0])
    assert_array_equal(found[:, 6], [-5.0, 3.0, 1.0])
    # Slots are filled in the order of the formulas, whatever their names.
    assert_array_equal(found[:, 1], [7.0, np.inf, 0.0])
    active = profile.active_phases(np.array([[4.0, -3.0], [20.0, 1.0]]))
    assert active["foot_r"].tolist() == [1, -1] and active["foot_l"].tolist() == [0, 1]
    assert profile.phase_names["foot_r"] == ("low", "high")


def test_names_of_columns() -> None:
    profile = loaded(small())
    assert profile.inputs == ("right", "left")
    assert profile.outputs[:6] == tuple(f"foot_r.{axis}" for axis in ("x", "y", "z", "pitch", "yaw", "roll"))
    assert (profile.name, profile.version, profile.text) == ("Small", 2, "")


def test_constants_are_edited_and_reset() -> None:
    profile = loaded(small())
    edited = profile.with_constants(gain=5.0)
    at = np.array([[-1.0, -1.0]])
    assert edited.evaluate(at)[0, 0] == -4.0 and profile.evaluate(at)[0, 0] == -1.0
    assert edited.defaults == profile.constants
    assert edited.with_constants(**edited.defaults).to_json() == profile.to_json()
    assert Profile.from_json(edited.to_json()).constants == {"gain": 5.0}
    for wrong in ({"gian": 1.0}, {"gain": np.nan}):
        with refuses(r"gian|gain"):
            profile.with_constants(**wrong)


def test_round_trip_keeps_what_it_does_not_know(shipped: Path) -> None:
    profile = Profile.load(shipped)
    assert json.loads(profile.to_json()) == json.loads(shipped.read_text(encoding="utf-8"))
    data = small()
    data["Author"] = {"Name": "Zoë"}
    assert json.loads(loaded(data).to_json()) == data


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "marked.json"
    path.write_text(json.dumps(small()), encoding="utf-8-sig")
    assert Profile.load(path).name == "Small"


@pytest.mark.parametrize("phases", [[], [{"id": "always", "condition": "1", "x": "0"}]])
def test_rules_without_a_binding_may_be_broken(phases: list) -> None:
    data = small()
    data["Schema"]["Rules"].append({"Name": "old", "Logic": {"a": "missing + 1"}, "Phases": phases})
    notes = loaded(data).notes
    assert len(notes) == 1 and "'old'" in notes[0] and "missing" in notes[0]


def test_twelve_inputs_and_a_spine() -> None:
    wader = Profile.load(FOLDER / "3_stalking_wader.json")
    assert (len(wader.inputs), len(wader.outputs)) == (12, 36)
    assert quantities(wader) is DILATED_INPUTS and wader.outputs[30] == "spine.x"
    plain = Profile.load(FOLDER / "1_plain_biped.json")
    assert (len(plain.inputs), len(plain.outputs)) == (11, 30) and quantities(plain) is WALK_INPUTS


def test_offsets_may_be_left_out_and_unsided_bindings_read_the_right() -> None:
    data = small()
    data["Schema"]["Bindings"] = [
        {"Name": "pelvis", "Target": "foot", "Size": 3},
        {"Name": "ball_L", "Target": "foot", "Size": 2},
    ]
    del data["Schema"]["Outputs"]
    profile = loaded(data)
    assert profile.outputs == ("pelvis.x", "pelvis.y", "pelvis.z", "ball_L.x", "ball_L.y")
    found = profile.evaluate(np.array([[-1.0, 9.0]]))
    assert found[0, 0] == -1.0 and found[0, 3] == 3.0


def test_the_period_is_what_the_formulas_before_it_make_it() -> None:
    data = small()
    logic = data["Schema"]["Rules"][0]["Logic"]
    logic |= {
        "twice": "2 * gain",
        "gain": "gain + 5",
        "T_gait": "twice + gain * given",
        "later": "T_gait / 0",
    }
    inputs = np.array([[3.0, 100.0], [0.5, 100.0]])
    assert_array_equal(loaded(data).period(inputs), 4.0 + 7.0 * inputs[:, 0])  # the right side's


def test_many_rows_are_those_of_one(shipped: Path) -> None:
    profile = Profile.load(shipped)
    inputs = random_inputs(profile, 3_000, 5)
    found = profile.evaluate(inputs)
    rows = [0, 1, 2047, 2048, 2999]
    assert_allclose(
        found[rows],
        np.concatenate([profile.evaluate(inputs[row : row + 1]) for row in rows]),
        rtol=0,
        atol=1e-12,
    )
    assert profile.evaluate(inputs[:0]).shape == (0, len(profile.outputs))


def test_shipped_profiles_are_sound(shipped: Path) -> None:
    profile = Profile.load(shipped)
    assert not profile.check(random_inputs(profile, 10_000, 1))
    assert profile.text and all(
        about.text and about.low <= profile.constants[name] <= about.high
        for name, about in profile.help.items()
    )
    still = random_inputs(profile, 50, 2)
    still[:, 0] = 0.0
    standing = profile.evaluate(still)
    assert np.isfinite(standing).all() and np.abs(standing).max() < 1e-3, "who stands does not move"


def test_shipped_profiles_have_no_jumps_and_planted_feet(shipped: Path) -> None:
    profile = Profile.load(shipped)
    seconds, inputs = cycle(profile, 2.0, 20_001)
    found = profile.evaluate(inputs)
    assert np.abs(np.diff(found, axis=0)).max() < 3e-3
    assert_allclose(found[0], found[-1], atol=1e-9)
    height, forward = (found[:, profile.outputs.index(f"foot_r.{axis}")] for axis in "zx")
    down = (height[1:] == 0.0) & (height[:-1] == 0.0)
    speed = np.diff(forward) / np.diff(seconds)
    assert np.count_nonzero(down) > 0.45 * len(down)
    assert_allclose(speed[down], -WALKER[0, 0], atol=1e-9)


def test_the_creature_is_on_the_ground_for_three_quarters() -> None:
    profile = Profile.load(FOLDER / "3_stalking_wader.json")
    _, inputs = cycle(profile, 1.0, 4_000)
    stance = profile.phase_names["foot_l"].index("stance")
    assert np.mean(profile.active_phases(inputs)["foot_l"] == stance) == pytest.approx(0.76, abs=0.002)


def test_a_call_for_many_rows_is_much_faster_than_many_calls(shipped: Path) -> None:
    """The figures are in the speed table; this is loose enough for a busy machine."""
    profile = Profile.load(shipped)
    inputs = random_inputs(profile, 250, 4)
    together, apart = [], []
    for _ in range(5):
        start = process_time()
        profile.evaluate(inputs)
        together.append(process_time() - start)
    for row in range(50):
        start = process_time()
        profile.evaluate(inputs[row : row + 1])
        apart.append(process_time() - start)
    assert 250 * np.median(apart) > 20 * min(together)
