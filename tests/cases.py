"""How much of a costly test runs: a little by default, all of it for `CASES=all`.

Of a test in Blender, and of another that is marked `@pytest.mark.few`, one case runs; three where it is
marked `few(3)`; all of a cheap table, `few(30)`. Which cases run is drawn from their names, `SEED` and
`TURN` (0 where none is given, as in CI): the same numbers always run the same, and a new case changes no
other function's. The draw is among what is asked for, so a case that is named on the command line runs.
Tests that draw things themselves draw `some`, by `SEED`.
"""

import hashlib
import os
from collections.abc import Sequence

import pytest

FEW = 1  # cases of one function
IN_BLENDER = ("blender", "real_blender")  # the folders of tests that are costly
SHARE = 10  # of what is drawn, one in so many
SEED = int(os.environ.get("SEED") or 0)
TURN = os.environ.get("TURN") or "0"
ALL = os.environ.get("CASES") == "all"


def some(many: int) -> int:
    """Return how many things to draw where there are `many` in all."""
    return many if ALL else -(-many // SHARE)


def chosen(names: Sequence[str], few: int, seed: str = f"{SEED} {TURN}") -> set[str]:
    """Return which of some cases run, by their names."""
    return set(sorted(names, key=lambda name: hashlib.sha256(f"{seed} {name}".encode()).digest())[:few])


@pytest.hookimpl(trylast=True)  # of what `-k` and the like have left
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out all but the chosen cases."""
    if ALL:
        return
    cases: dict[str, list[str]] = {}
    few: dict[str, int] = {}
    for item in items:
        marker = item.get_closest_marker("few")
        if marker or item.path.parent.name in IN_BLENDER:
            function = item.nodeid.partition("[")[0]
            cases.setdefault(function, []).append(item.nodeid)
            few[function] = marker.args[0] if marker and marker.args else FEW
    left_out = {
        name for function, names in cases.items() for name in set(names) - chosen(names, few[function])
    }
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in left_out])
    items[:] = [item for item in items if item.nodeid not in left_out]
