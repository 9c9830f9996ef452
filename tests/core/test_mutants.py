"""The faults that `make mutants` puts in: each is Python and another program, and the slips that people make
are among them."""

import ast

import pytest

from tests.mutants.faults import faults_of
from tests.mutants.suites import PACKAGE, REPOSITORY

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


def test_a_guard_against_slips_elsewhere_is_left_alone():
    source = b"def pairs(a, b):\n    return list(zip(a, b, strict=True)), sorted(a, reverse=True)\n"
    assert [
        fault.put_into(source) for fault in faults_of(source) if b"strict=False" in fault.put_into(source)
    ] == []
    assert [fault for fault in faults_of(source) if b"reverse=False" in fault.put_into(source)]
