"""The faults that `make mutants` puts in: each is Python and another program, and the slips that people make
are among them."""

import ast

import pytest

from tests.mutants.faults import faults_of
from tests.mutants.trials import PACKAGE, REPOSITORY, Callers

SOURCE = b'''
LIMIT = 2.0  # a tuned figure

class Leg:
    def bent(self, angle: float, rows: list[float] = [1.0]) -> float:
        """Say < and + here."""
        if angle < 0.0 and not rows:
            raise ValueError(f"{angle + 1.0}")
        total = max(rows) - rows[0]
        total += 0.07
        return total * self.hip[LEFT]
'''
SLIPS = {
    "angle < 0.0 and": "angle > 0.0 and",
    "0.0 and not": "0.0 or not",
    "not rows": "rows",
    "max(rows)": "min(rows)",
    ") - rows[0]": ") + rows[0]",
    "rows[0]": "rows[1]",
    "total += 0.07": "pass",
    "total * self": "total / self",
    "[LEFT]": "[RIGHT]",
    'raise ValueError(f"{angle + 1.0}")': "pass",
}


@pytest.mark.parametrize("old", SLIPS)
def test_the_slips_that_people_make_are_drawn(old):
    wanted = " ".join(SOURCE.decode().replace(old, SLIPS[old], 1).split())
    assert wanted in {" ".join(fault.put_into(SOURCE).decode().split()) for fault in faults_of(SOURCE)}


def test_sentences_types_defaults_and_tuned_figures_are_left_alone():
    for fault in faults_of(SOURCE):
        assert fault.function == "Leg.bent"
        new = fault.put_into(SOURCE).decode()
        for kept in ("LIMIT = 2.0", "float = [1.0]".replace("float", "list[float]"), "Say < and +"):
            assert kept in new
        assert "+= 0.07" in new or "pass" in new
        assert "{angle + 1.0}" in new or "pass" in new


@pytest.mark.few
@pytest.mark.parametrize("room", ["core/retarget", "link"])
def test_a_fault_leaves_other_python_and_stays_on_its_lines(room):
    for path in sorted((REPOSITORY / PACKAGE / room).glob("*.py")):
        source = path.read_bytes()
        plain = ast.dump(ast.parse(source))
        for fault in faults_of(source)[::7]:
            changed = fault.put_into(source)
            assert fault.is_python(source)
            assert ast.dump(ast.parse(changed)) != plain, (path.name, fault.shown(source))
            assert changed.count(b"\n") == source.count(b"\n")


def test_what_runs_as_a_file_is_imported_is_asked_of_all_who_use_that_file():
    """Whichever test file happens to import it first."""
    calls = {
        "test_first.py": ["core/tables.py::made", "core/tables.py::used"],
        "test_first.py::test_else": ["core/other.py::run"],
        "test_second.py::test_wide": ["core/other.py::run", "core/tables.py::used"],
        "test_second.py::test_narrow": ["core/tables.py::used"],
    }
    callers = Callers({test: 1.0 for test in calls if "::" in test}, calls, {})
    assert callers.tests_of("core/tables.py::made", 60.0) == [
        "test_second.py::test_narrow",
        "test_second.py::test_wide",
        "test_first.py::test_else",
    ]
    assert callers.tests_of("core/other.py::run", 1.0) == ["test_first.py::test_else"], (
        "the narrowest that there is time for"
    )
    assert callers.tests_of("core/nowhere.py::run", 60.0) == []


def test_every_file_has_its_turn_before_the_narrowest_of_one_use_up_the_time():
    narrow = [f"test_one.py::test_{number}" for number in range(9)]
    calls = {test: ["core/a.py::run"] for test in narrow} | {
        "test_two.py::test_wide": ["core/a.py::run", "core/b.py::run"]
    }
    callers = Callers(dict.fromkeys(calls, 1.0), calls, {})
    assert callers.tests_of("core/a.py::run", 5.0) == [*narrow[:3], "test_two.py::test_wide", narrow[3]]


def test_what_is_started_on_its_own_is_asked_of_who_names_it():
    calls = {"test_command.py::test_run": [], "test_other.py::test_run": ["link/contract.py::now"]}
    named = {"test_command.py": {"neurarig_addon.link"}, "test_other.py": {"neurarig_addon.link.contract"}}
    callers = Callers(dict.fromkeys(calls, 1.0), calls, {}, named)
    assert callers.tests_of("link/__main__.py::main", 60.0) == ["test_command.py::test_run"]
    assert callers.tests_of("link/contract.py::now", 60.0) == ["test_other.py::test_run"]


def test_a_guard_against_slips_elsewhere_is_left_alone():
    source = b"def pairs(a, b):\n    return list(zip(a, b, strict=True)), sorted(a, reverse=True)\n"
    assert [
        fault.put_into(source) for fault in faults_of(source) if b"strict=False" in fault.put_into(source)
    ] == []
    assert [fault for fault in faults_of(source) if b"reverse=False" in fault.put_into(source)]
