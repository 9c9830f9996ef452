"""Profiles made to hurt: a sentence or a valid load, never a traceback, a hang or a flood of memory (damaged ones: `tests.damage`)."""

import json
import sys
from time import perf_counter

import numpy as np
import pytest

from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.logic.document import LARGEST_FILE, MOST_FORMULAS
from neurarig_addon.core.logic.profile import FOLDER, Profile

SLOWEST = 5.0  # seconds for one, on a busy machine
MOST_MEMORY = 200 << 20  # bytes that all of them together may add


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.json"))]


def peak_memory() -> int:
    """Return the most memory that this process has ever held, in bytes; 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def try_one(text: str) -> bool:
    """Load a profile and, where it is valid, use it; say whether it was."""
    start = perf_counter()
    try:
        profile = Profile.from_json(text)
    except NeuraRigError as error:
        assert "\n" not in str(error) and len(str(error)) < 800, error
        valid = False
    else:
        inputs = np.random.default_rng(1).uniform(-1.0, 2.0, (3, len(profile.inputs)))
        assert profile.evaluate(inputs).shape == (3, len(profile.outputs))
        profile.check(inputs)
        assert Profile.from_json(profile.to_json()).outputs == profile.outputs
        valid = True
    assert perf_counter() - start < SLOWEST
    return valid


def many_formulas(formula: str, count: int, template: str) -> str:
    data = json.loads(template)
    data["Schema"]["Rules"][0]["Logic"] |= {f"more_{n}": formula for n in range(count)}
    return json.dumps(data)


def test_profiles_made_to_hurt(texts: list[str]) -> None:
    plain = texts[0]
    before = peak_memory()
    wide = plain.replace('"Size": 6', '"Size": 1000000')
    assert not try_one("[" * 100_000)
    assert not try_one('{"Profile":' * 50_000)
    assert not try_one(" " * (LARGEST_FILE + 1))
    assert not try_one(wide)
    assert not try_one(many_formulas("phase", MOST_FORMULAS, plain))
    assert not try_one(plain.replace('"foot"', '"' + "foot" * 100_000 + '"', 1))
    assert not try_one(plain.replace("1.35", "9" * 10_000))
    # The most that is allowed still works, and a long list of rows takes no more memory than a short one.
    largest = many_formulas("+".join(["sin(phase)"] * 5), MOST_FORMULAS - 100, plain)
    assert try_one(largest)
    Profile.from_json(largest).evaluate(np.ones((5_000, 11)))
    assert peak_memory() - before < MOST_MEMORY
