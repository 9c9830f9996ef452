"""How many cases of a costly parametrised test run: a few by default, all of them for `CASES=all`.

A test of a second or more that is played in dozens of cases is marked `@pytest.mark.few`.  Which cases run is drawn from their names and
`SEED` (0 where none is given): the same commit always runs the same, and a new case changes no other function's.  The draw is among what is
asked for, so a case that is named on the command line runs.
"""

import hashlib
import os
from collections.abc import Sequence

import pytest

FEW = 3  # cases of one function


def chosen(names: Sequence[str], few: int, seed: str) -> set[str]:
    """Return which of some cases run, by their names."""
    return set(sorted(names, key=lambda name: hashlib.sha256(f"{seed} {name}".encode()).digest())[:few])


@pytest.hookimpl(trylast=True)  # of what `-k` and the like have left
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out all but the chosen cases."""
    if os.environ.get("CASES") == "all":
        return
    cases: dict[str, list[str]] = {}
    for item in items:
        if item.get_closest_marker("few"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item.nodeid)
    left_out = {name for names in cases.values() for name in set(names) - chosen(names, FEW, os.environ.get("SEED", "0"))}
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in left_out])
    items[:] = [item for item in items if item.nodeid not in left_out]
