"""Faults in a running Python: in the functions that are called; whoever runs the statement is asked; all is
undone."""

import json
from pathlib import Path
from types import FunctionType

import pytest

from neurarig_addon.core import errors
from tests.mutants import asked, lines
from tests.mutants.asked import Asker, Told
from tests.mutants.drawn import drawn
from tests.mutants.faults import Fault, faults_of
from tests.mutants.planted import TELLS, Planted, codes, told_of
from tests.mutants.reached import Reached
from tests.mutants.suites import ROOT

PATH = "core/errors.py"
FAULTS = [(PATH, fault) for fault in faults_of((ROOT / PATH).read_bytes())]


@pytest.fixture
def planted() -> Planted:
    return Planted(dict(enumerate(FAULTS)))


def test_every_fault_of_a_file_has_its_function_in_memory(planted: Planted) -> None:
    assert FAULTS and all(planted.faulty.values())
    assert all(function.__code__ is planted.plain[function] for function in planted.plain)


def test_the_statements_that_run_tell_and_answer_as_ever(planted: Planted) -> None:
    said = errors.readable("x" * 10_000)
    planted.tell()
    try:
        assert errors.readable("x" * 10_000) == said
    finally:
        planted.take_out()
    told = {FAULTS[number][1].function for number in planted.runs}
    assert "readable" in told and "about" not in told
    before = set(planted.runs)
    errors.readable("x")
    assert planted.runs == before, "nothing tells any more"


def test_only_the_branch_that_runs_tells() -> None:
    source = (
        b"def f(a):\n    if a > 1:\n        return a + 1\n    elif a < 0:\n        return a - 1\n   "
        b" return 0\n"
    )
    faults = dict(enumerate(faults_of(source)))
    runs: set[int] = set()
    branches = FunctionType(codes(told_of(source, faults), "branches.py")["f", 1], {TELLS: runs.add})
    rows = {}
    for given in (2, -1, 0):
        runs.clear()
        rows[given] = branches(given), {faults[number].line for number in runs}
    assert rows == {2: (3, {2, 3}), -1: (-2, {2, 4, 5}), 0: (0, {2, 4, 6})}


def asking(planted: Planted, file: Path, seconds: float = 60.0) -> tuple[Asker, Told]:
    told = Told(file)
    return Asker(planted, told, Reached(file.with_name("reached.jsonl")), seconds, seconds), told


def test_a_fault_is_found_by_who_runs_it_and_undone(planted: Planted, tmp_path: Path) -> None:
    asker, told = asking(planted, tmp_path / "told.jsonl")
    right = errors.readable("y" * 10_000)
    assert asker.ask("cut: long", lambda: "" if errors.readable("y" * 10_000) == right else "another") == ""
    found = {FAULTS[number][1].function for number in told.found}
    assert found == {"readable", "_without_middle"} and all(
        said == "cut: long > another" or "Error" in said for said in told.found.values()
    )
    assert all(function.__code__ is planted.plain[function] for function in planted.plain)
    assert told.ran >= told.found.keys() and told.asked == {"cut: long"}


def test_what_was_told_is_known_to_the_next_process(planted: Planted, tmp_path: Path) -> None:
    asker, told = asking(planted, tmp_path / "told.jsonl")
    asker.ask("cut: long", lambda: "" if len(errors.readable("y" * 10_000)) < 10_000 else "long")
    again = Told(tmp_path / "told.jsonl")
    assert (again.found, again.ran, again.asked) == (told.found, told.ran, told.asked)
    calls = []
    Asker(planted, again, asker.reached, 60.0, 60.0).ask("cut: long", lambda: calls.append(1) or "")
    assert not calls


def test_who_answers_otherwise_without_a_fault_is_not_believed(planted: Planted, tmp_path: Path) -> None:
    asker, told = asking(planted, tmp_path / "told.jsonl")
    assert asker.ask("cut: odd", lambda: errors.readable("z")) != ""
    assert not told.found and not told.ran and told.unlike == {"cut: odd": "z"}


def test_a_crash_counts_the_second_time(tmp_path: Path) -> None:
    file = tmp_path / "told.jsonl"
    for crashes in (0, 1):
        assert len(Told(file).found) == 0
        Told(file).add(asked.BEGUN, 3, "walks: one")
        Told(file).after_a_crash()
        assert Told(file).found == ({3: "walks: one > a crash"} if crashes else {})
    assert all(json.loads(row) for row in file.read_text(encoding="utf-8").splitlines())


def test_what_does_not_end_is_told() -> None:
    def endless() -> str:
        while True:
            pass

    assert asked._within(0.05, endless) == "it does not end"
    assert asked._within(5.0, lambda: "") == ""


def test_what_is_remembered_from_before_a_fault_is_not_asked(planted: Planted, tmp_path: Path) -> None:
    asker, told = asking(planted, tmp_path / "told.jsonl")
    remembered: dict[int, str] = {}

    def question() -> str:
        if not remembered:
            remembered[0] = errors.readable("y" * 10_000)
        return ""

    asker.ask("cut: remembered", question)
    assert told.times and not told.ran, "the plain play ran them, those with a fault did not"


def noting(planted: Planted, folder: Path, notes: bool = True) -> Asker:
    return Asker(
        planted, Told(folder / f"told{notes}.jsonl"), Reached(folder / "reached.jsonl", notes), 60.0, 60.0
    )


@pytest.fixture
def all_telling() -> Planted:
    return Planted(dict(enumerate(FAULTS)), [PATH])


def test_only_who_is_known_to_reach_an_open_fault_is_asked(all_telling: Planted, tmp_path: Path) -> None:
    asker, asked_later = noting(all_telling, tmp_path), []
    asker.ask("errors: cut", lambda: errors.readable("y" * 10_000) and "")
    asker.ask("errors: none", lambda: "")
    again = noting(Planted(dict(enumerate(FAULTS))), tmp_path, notes=False)
    assert (
        asker.told.times
        and again.reached.runs == asker.reached.runs
        and again.reached.runs["errors: cut"].is_sure
    )
    assert {again.planted.statements[number] for number in asker.told.times} <= again.reached.runs[
        "errors: cut"
    ].statements
    for name in ("errors: none", "errors: new", "errors: cut"):
        again.ask(name, lambda name=name: asked_later.append(name) or "")
    assert {*asked_later} == {"errors: new", "errors: cut"}, "who is not known is asked as well"
    assert "errors: new" not in again.reached.runs, "nothing is noted now"
    waiting, ordered = ["errors: none", "errors: new", "errors: cut", "errors: newer"], []
    while waiting:
        ordered.append(again.following(waiting))
        waiting.remove(ordered[-1])
    assert ordered == ["errors: cut", "errors: new", "errors: newer", "errors: none"]


def test_every_fault_of_two_named_lines_is_tried_once() -> None:
    first, last = FAULTS[0][1].line, FAULTS[-1][1].line
    assert first != last
    found = drawn([f"{PATH}:{first}", f"{PATH}:{last}"], 0, 0)
    assert {fault.line for _, fault in found} == {first, last} and len(found) == len({*found})


def test_a_fault_belongs_to_the_lines_of_its_statement() -> None:
    source = (
        b"def f(a):\n    if (\n        a > 1\n    ):\n        return [\n            a,\n            1,\n     "
        b"   ]\n    return 2\n"
    )
    found: dict[int, Fault] = {fault.line: fault for fault in faults_of(source)}
    assert lines.statement(source, found[3]) == range(2, 5)
    assert lines.statement(source, found[7]) == range(5, 9)
    assert lines.statement(source, found[9]) == range(9, 10)
