"""Faults in a running bpy: in the functions that Blender calls; one scenario of each room has its turn first; all is undone."""

from neurarig_addon.blender.interface import report_text
from tests.mutants import lines, within
from tests.mutants.__main__ import ROOT
from tests.mutants.faults import faults_of


def test_every_fault_of_a_file_finds_its_function_in_memory() -> None:
    path = "blender/interface/report_text.py"
    faults = faults_of((ROOT / path).read_bytes())
    assert faults
    for fault in faults:
        code = within.mutated(path, fault)
        live = within.live_functions(path, fault)
        assert code is not None and live
        assert all(each.__code__.co_freevars == code.co_freevars for each in live)


def test_a_fault_is_found_by_what_it_changes_and_undone(monkeypatch) -> None:
    monkeypatch.setattr(within, "play", lambda _name, _limit_s: [] if report_text.warning("Hero", {}) == "" else ["words"])
    path = "blender/interface/report_text.py"
    fault = next(each for each in faults_of((ROOT / path).read_bytes()) if each.function == "warning")
    live = within.live_functions(path, fault)
    before = [each.__code__ for each in live]
    code = (lambda _name, _report: "told").__code__
    assert within.tried(live, code, ["walks: one"], {"walks: one": 1.0}) == "walks: one > words"
    assert [each.__code__ for each in live] == before
    assert within.tried(live, before[0], ["walks: one"], {"walks: one": 1.0}) == ""


def test_one_of_each_room_has_its_turn_first_within_the_time() -> None:
    names = ["walks: a", "walks: b", "clips: a", "walks: c", "poses: a"]
    turns = within.in_turns(names)
    assert turns == ["walks: a", "clips: a", "poses: a", "walks: b", "walks: c"]
    assert within.within(turns, dict.fromkeys(names, 2.0), 5.0) == turns[:2]
    assert within.within(turns, dict.fromkeys(names, 9.0), 5.0) == turns[:1]


def test_a_fault_belongs_to_the_lines_of_its_statement() -> None:
    source = b"def f(a):\n    if (\n        a > 1\n    ):\n        return [\n            a,\n            1,\n        ]\n    return 2\n"
    found = {fault.line: lines.statement(source, fault) for fault in faults_of(source)}
    assert found[3] == range(2, 5) and found[7] == range(5, 9) and found[9] == range(9, 10)


def test_lines_that_run_are_noted() -> None:
    with lines.noted("blender/interface") as run:
        report_text.warning("Hero", {})
    assert list(run) == ["blender/interface/report_text.py"]
    first = report_text.warning.__code__.co_firstlineno
    assert all(first < row < first + 20 for row in run["blender/interface/report_text.py"])
