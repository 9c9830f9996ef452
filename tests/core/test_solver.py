"""The solver: rules that it runs exactly, files that it refuses."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from neurarig_addon.core.learned.solver import Solver, read_solver_weights, write_solver_weights
from neurarig_addon.core.logic.profile import FOLDER, Profile
from neurarig_addon.core.network.safetensors import read_tensors, write_tensors
from tests.core.solver_weights import CURVES, PLAIN, random_weights
from tests.refusals import refuses


def inputs(rows: int) -> np.ndarray:
    rng = np.random.default_rng(2)
    found = rng.uniform(0.3, 0.6, (rows, 11))
    found[:, 9] = rng.uniform(0.0, 3.0, rows)
    return found


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "rule.safetensors"
    write_solver_weights(path, random_weights())
    return path


def test_a_batch_is_its_rows(stored: Path) -> None:
    solver, rows = Solver.load(stored, PLAIN.inputs), inputs(50)
    assert np.allclose(solver.predict(rows), [solver.predict(row) for row in rows], atol=1e-4)
    assert solver.predict(rows).shape == (50, 30)


def test_a_stride_closes(stored: Path) -> None:
    solver, rows = Solver.load(stored), inputs(50)
    later = rows.copy()
    later[:, 9] += CURVES.clock.periods(rows)[1]
    right = [column for group in CURVES.groups if group.side for column in group.columns]
    assert np.allclose(solver.predict(rows)[:, right], solver.predict(later)[:, right], atol=1e-3)


def test_what_is_read_is_what_was_written(stored: Path) -> None:
    found, weights = read_solver_weights(stored), random_weights()
    assert found.curves == weights.curves and found.profile == PLAIN.name
    assert all(
        np.array_equal(a, b)
        for one, other in zip(found.heads, weights.heads, strict=True)
        for a, b in zip(one, other, strict=True)
    )


def test_other_inputs_are_refused(stored: Path) -> None:
    wader = Profile.load(FOLDER / "3_stalking_wader.json")
    with refuses(r"'rule.safetensors' .* 11 inputs and the profile has 12"):
        Solver.load(stored, wader.inputs)
    with refuses("'velocity' as input 0, and the profile has 'speed' there"):
        Solver.load(stored, ("speed", *PLAIN.inputs[1:]))


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("version", "2", "version is not '1'"),
        ("format", "other", "format is not"),
        ("inputs", "5", "not a list of names"),
        ("inputs", "[", "does not fit"),
        ("inputs", '["velocity"]', "no input called"),
        ("features", '["speed"]', "features are not the ones"),
        ("outputs", "31", "do not share out"),
        ("outputs", "many", "does not fit"),
        ("clock", "[1, 2]", "wrong length"),
        ("clock", "[-1, -0.5, 0.5]", "clock is not valid"),
        ("clock", "[NaN, -0.5, 0.5]", "not finite"),
        ("bends", "[[0, 0]]", "bends are not valid"),
        ("groups", "[]", "do not share out"),
        ("groups", '[{"side": 2, "edges": [], "columns": [0]}]', "neither 0 nor 1"),
        ("groups", '[{"side": 1, "edges": [0.5, 0.5], "columns": [0]}]', "do not rise"),
        ("groups", '[{"side": 1, "edges": [], "columns": [true]}]', "not whole numbers"),
        ("groups", "[" * 10_000, "does not fit"),
        (None, None, "lacks"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused_in_a_sentence(
    stored: Path, name: str | None, value: str, sentence: str
) -> None:
    metadata, tensors = read_tensors(stored)
    write_tensors(
        stored,
        {key: text for key, text in metadata.items() if key != "clock"}
        if name is None
        else metadata | {name: value},
        tensors,
    )
    with refuses(sentence):
        read_solver_weights(stored)


@pytest.mark.parametrize(
    ("name", "shift", "factor"),
    [("low", 1e3, 1.0), ("high", -1e3, 1.0), ("scale", 0.0, 0.0), ("scale", 0.0, -1.0)],
)
def test_weights_that_cannot_normalise_are_refused(
    stored: Path, name: str, shift: float, factor: float
) -> None:
    metadata, tensors = read_tensors(stored)
    write_tensors(
        stored,
        metadata,
        tensors | {f"feature.{name}": factor * tensors[f"feature.{name}"] + np.float32(shift)},
    )
    with refuses("normalisation is not valid"):
        read_solver_weights(stored)


def test_weights_of_the_wrong_shape_are_refused(stored: Path) -> None:
    weights = random_weights()
    (weight, bias), *others = weights.heads
    write_solver_weights(stored, replace(weights, heads=((weight[:-1], bias), *others)))
    with refuses(r"'head0\.weight' has the shape"):
        read_solver_weights(stored)
