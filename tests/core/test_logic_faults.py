"""Profiles with faults: each is named with its place."""

import re
from pathlib import Path

import numpy as np
import pytest

from neurarig_addon.core.logic.contract import quantities
from neurarig_addon.core.logic.profile import Profile
from tests.core.small_profiles import loaded, small
from tests.refusals import refuses

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "profiles.md"


def changed(*path, value) -> dict:
    """Return the small profile with one place changed; the last step of a path may be a new key."""
    data = small()
    owner = data
    for step in path[:-1]:
        owner = owner[step]
    owner[path[-1]] = value
    return data


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (
            changed("Schema", "Rules", 0, "Logic", "next", value="scaled + tan(q)"),
            r"'foot', Logic 'next': .*column 14, 'q' is not known",
        ),
        (
            changed("Schema", "Rules", 0, "Phases", 1, "x", value="sqrt(given"),
            r"phase 'high', formula 'x': .*column 5, this '\('",
        ),
        (
            changed("Schema", "Rules", 0, "Phases", 0, "condition", value="given <"),
            r"phase 'low', condition: .*column 8",
        ),
        (changed("Schema", "Rules", 0, "Logic", "bad name", value="1"), "'bad name' in Logic of rule 'foot'"),
        (
            changed("Schema", "Rules", 0, "Logic", "next", value=["1"]),
            "'next' of Logic of rule 'foot' must be a formula in quotes and is a list",
        ),
        (
            changed("Schema", "Bindings", 0, "Target", value="fot"),
            "'foot_r' has the Target 'fot', which is missing; did you mean 'foot'",
        ),
        (changed("Schema", "Bindings", 0, "Size", value=-1), "must be a whole number"),
        (changed("Schema", "Bindings", 0, "Size", value=0), "as many columns as it fills"),
        (
            changed("Schema", "Parameters", "Constants", value={f"c{n}": 1 for n in range(2_001)}),
            "constants and variables",
        ),
        (changed("Schema", "Bindings", 0, "Size", value=True), "must be a whole number"),
        (changed("Schema", "Bindings", 1, "Offset", value=3), "overlap"),
        (changed("Schema", "Bindings", 1, "Offset", value=8), "beyond the 12 Outputs"),
        (changed("Schema", "Bindings", value=[]), "no Bindings"),
        (changed("Schema", "Inputs", 1, "Name", value="right"), "stands twice in Inputs"),
        (
            changed("Schema", "Parameters", "Variables", "given", value=["right", "lefft"]),
            "'lefft', which is missing; did you mean 'left'",
        ),
        (changed("Schema", "Parameters", "Variables", "given", value=["right"] * 3), "lists 3 inputs"),
        (changed("Schema", "Parameters", "Variables", "gain", value="right"), "a constant and a variable"),
        (
            changed("Schema", "Parameters", "Constants", "gain", value="2"),
            "constant 'gain' must be a finite number and is '2'",
        ),
        (changed("Schema", "Parameters", "Constants", "gain", value=10**400), "must be a finite number"),
        (changed("Schema", "Rules", value={}), "must be a list"),
        (
            changed("Documentation", value={"Constants": {"gain": {"Min": 3, "Max": 1}}}),
            "Max must be the larger",
        ),
        ({"Profile": "x"}, "Schema is missing"),
        ([], "must be an object"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(data: dict, says: str) -> None:
    with refuses(says) as caught:
        loaded(data)
    assert str(caught.value).endswith((".", "?")) and "\n" not in str(caught.value)


def test_files_that_are_no_profiles_are_named(tmp_path: Path) -> None:
    contents = {
        "picture.json": b"\x89PNG\r\n\x1a\n\xff",
        "empty.json": b"",
        "text.json": b"not { json",
        "list.json": b"[1]",
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
        with refuses(name):
            Profile.load(tmp_path / name)
    for missing in (tmp_path / "nowhere.json", tmp_path):
        with refuses("cannot be read"):
            Profile.load(missing)


def test_inputs_must_fit() -> None:
    profile = loaded(small())
    for wrong in (np.zeros(2), np.zeros((3, 3))):
        with refuses("2 inputs"):
            profile.evaluate(wrong)
    with refuses("takes 2 inputs"):
        quantities(profile)


def test_check_names_the_formula_that_divides_by_nothing() -> None:
    found = loaded(small()).check(np.array([[-1.0, 2.0], [3.0, 99.0]]))
    assert len(found) == 2
    assert "phase 'low', formula 'y' for 'foot_r': not finite in 1 of 1" in found[0]
    assert "for 'foot_l': no phase holds in 1 of 2" in found[1]


def test_more_formulas_than_slots_are_noted() -> None:
    data = small()
    data["Schema"]["Rules"][0]["Phases"][0] |= dict.fromkeys("abcdef", "1")
    profile = loaded(data)
    assert "no slot is left for 'e'" in profile.notes[0]
    assert profile.evaluate(np.array([[-1.0, -1.0]])).shape == (1, 12)


def test_a_period_needs_its_name() -> None:
    assert loaded(small()).period(np.zeros((1, 2))) is None
    assert loaded(changed("Schema", "Rules", 0, "Logic", "T_gait", value="1.5")).period(
        np.zeros((2, 2))
    ).tolist() == [1.5, 1.5]


def test_the_example_of_the_guide_is_a_profile() -> None:
    example = re.search(r"```json\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    profile = Profile.from_json(example[1])
    assert not profile.notes and len(profile.outputs) == 12
    mistaken = example[1].replace('"-reach * cos', '"-raech * cos')
    with refuses() as caught:
        Profile.from_json(mistaken)
    assert str(caught.value) in GUIDE.read_text(encoding="utf-8"), "the guide shows this message"
