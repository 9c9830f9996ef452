"""Damaged profiles: a sentence or a valid load, and never a traceback, a hang or a flood of memory.

NEURARIG_FUZZ says how many are tried; the full run is 20 000.
"""

import json
import os
import sys
from copy import deepcopy
from random import Random
from time import perf_counter
from typing import Any

import numpy as np
import pytest

from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.logic.document import LARGEST_FILE, MOST_FORMULAS
from neurarig_addon.core.logic.profile import FOLDER, Profile
from tests.core.random_formulas import damaged

COUNT = int(os.environ.get("NEURARIG_FUZZ", "1500"))
SLOWEST = 5.0  # seconds for one, on a busy machine
MOST_MEMORY = 200 << 20  # bytes that all of them together may add
PIECES = (
    *("{", "}", "[", "]", '"', ":", ",", "\\", "\\ud800", "\x00", "null", "true", "-1", "1e999", "NaN", "9" * 5_000, "0.5", "é", "\ufeff"),
    *("(", ")", "?", "^", "* *", "sin(", "__class__", "fmod(", "max()", "1/0", "((((((((", "phase"),
    *('"Size": 1000000000', '"Offset": 99999'),
)
VALUES = (
    *(None, True, -1, 0, 1e308, 10**30, [], {}, [[]], {"a": {}}),
    *("", "x", "_pi", "(" * 60, "sum(" + "1," * 900 + "1)", "2^2^2^2^2^2", "\ud800"),
)


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


def places(data: Any) -> list[tuple[Any, Any]]:
    """Return every place of JSON data as its owner and key."""
    keys = list(data) if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    return [place for key in keys for place in ((data, key), *places(data[key]))]


def hurt(rng: Random, text: str) -> str:
    """Return a profile's text damaged as text, in its structure, or in its formulas."""
    if rng.random() < 0.3:
        return damaged(rng, text, rng.randint(1, 5), PIECES)
    data = json.loads(text)
    for _ in range(rng.randint(1, 3)):
        owner, key = rng.choice(places(data) or [({}, "nothing")])
        kind = rng.random()
        if kind < 0.5 and isinstance(owner.get(key) if isinstance(owner, dict) else owner[key], str):
            owner[key] = damaged(rng, owner[key], rng.randint(1, 4), PIECES)
        elif kind < 0.8:
            owner[key] = deepcopy(rng.choice(VALUES))
        elif isinstance(owner, dict):
            owner[damaged(rng, str(key), 1, PIECES)] = owner.pop(key, "1")
        else:
            owner.insert(key, owner[rng.randrange(len(owner))])
    return json.dumps(data)


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


def test_damaged_profiles(texts: list[str]) -> None:
    rng, before = Random(COUNT), peak_memory()
    valid = sum(try_one(hurt(rng, rng.choice(texts))) for _ in range(COUNT))
    assert 0 < valid < COUNT
    assert peak_memory() - before < MOST_MEMORY


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
