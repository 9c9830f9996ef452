"""Profiles made to hurt: a sentence or a valid load, never a traceback, and work and memory in proportion to
the text.

Work is counted in calls, which no machine makes slower; `python -m benchmarks profile_logic` measures
seconds.
"""

import sys
import tracemalloc
from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from neurarig_addon.core.errors import LONGEST, NeuraRigError
from neurarig_addon.core.logic.document import LARGEST_FILE, MOST_FORMULAS
from neurarig_addon.core.logic.profile import FOLDER, Profile
from tests.core.long_profiles import GROWN, largest

SHIPPED = [path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.json"))]
CALLS, CALLS_AT_LEAST = 10.0, 2_000  # for each character; whatever the text
BYTES, BYTES_AT_LEAST = 40.0, 200_000  # held at once, likewise
DRAWS = 25


def calls_in(work: Callable[[], object]) -> int:
    """Return how many calls of Python and C something takes, whether it is refused or not."""
    calls = 0

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    except NeuraRigError:
        pass
    finally:
        sys.setprofile(before)
    return calls


def most_held(work: Callable[[], object]) -> int:
    """Return the bytes that something holds at most, whether it is refused or not."""
    tracemalloc.start()
    try:
        work()
    except NeuraRigError:
        pass
    finally:
        held = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return held


def is_valid(text: str) -> bool:
    """Load a profile and, where it is valid, use it; say whether it was."""
    try:
        profile = Profile.from_json(text)
    except NeuraRigError as error:
        assert str(error).isprintable() and len(str(error)) <= LONGEST and str(error).endswith("."), error
        return False
    inputs = np.random.default_rng(1).uniform(-1.0, 2.0, (3, len(profile.inputs)))
    assert profile.evaluate(inputs).shape == (3, len(profile.outputs))
    profile.check(inputs)
    assert Profile.from_json(profile.to_json()).outputs == profile.outputs
    return True


def drawn(seed: int) -> str:
    """Return a profile of ours that has grown in one to three ways, or been cut off."""
    draw = Random(seed)
    text = draw.choice(SHIPPED)
    for grow in draw.sample(list(GROWN.values()), draw.randint(1, 3)):
        try:
            text = grow(text, int(10 ** draw.uniform(0.0, 2.0)))
        except (ValueError, RecursionError):  # no JSON any more
            break
    return text if draw.random() < 0.8 else text[: draw.randrange(len(text))]


@pytest.mark.parametrize("seed", range(DRAWS))
def test_what_hurts_is_refused_in_a_sentence_or_works(seed: int) -> None:
    is_valid(drawn(seed))


@pytest.mark.parametrize("seed", range(DRAWS))
def test_reading_costs_in_proportion_to_the_text(seed: int) -> None:
    text = drawn(seed)
    assert calls_in(lambda: Profile.from_json(text)) <= CALLS_AT_LEAST + CALLS * len(text)
    assert most_held(lambda: Profile.from_json(text)) <= BYTES_AT_LEAST + BYTES * len(text)


@pytest.mark.parametrize("way", GROWN)
def test_twice_as_much_costs_twice_as_much_at_most(way: str) -> None:
    once, twice = (GROWN[way](SHIPPED[0], size) for size in (30, 60))
    assert len(twice) >= len(once)
    assert calls_in(lambda: Profile.from_json(twice)) <= 2.1 * calls_in(lambda: Profile.from_json(once))


def test_what_is_beyond_all_bounds_is_refused() -> None:
    assert not is_valid("[" * 100_000)
    assert not is_valid('{"Profile":' * 50_000)
    assert not is_valid(" " * (LARGEST_FILE + 1))
    assert not is_valid(GROWN["wide"](SHIPPED[0], 100))
    assert not is_valid(GROWN["formulas"](SHIPPED[0], MOST_FORMULAS))
    assert not is_valid(GROWN["a long number"](SHIPPED[0], 100))


def test_the_most_that_is_allowed_works_and_many_rows_hold_no_more_than_their_answers() -> None:
    profile = Profile.from_json(largest(SHIPPED[0]))
    few, many = (np.ones((rows, len(profile.inputs))) for rows in (2_500, 7_500))
    answers = 8 * len(profile.outputs) * (len(many) - len(few))
    profile.evaluate(few)
    assert most_held(lambda: profile.evaluate(many)) - most_held(lambda: profile.evaluate(few)) <= 3 * answers


def test_the_bounds_notice_what_grows_with_the_square() -> None:
    text = "x" * 3_000
    assert calls_in(
        lambda: [len(text[:end]) for end in range(len(text)) for _ in range(end // 100)]
    ) > CALLS_AT_LEAST + CALLS * len(text)
    assert most_held(lambda: [text[:end] for end in range(len(text))]) > BYTES_AT_LEAST + BYTES * len(text)
