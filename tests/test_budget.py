"""How large the code may grow: Python tokens without comments, docstrings and layout.

An issue that needs more raises its number in its own commit and says there what it buys.
"""

import tokenize
from collections import Counter
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
LIMITS = {"neurarig_addon": 880_650, "tests": 681_960, "benchmarks": 61_360}
LAYOUT = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENDMARKER, tokenize.ENCODING),
}


def tokens(path: Path) -> int:
    """Return how many tokens a source has; a string that stands alone is a docstring."""
    number, before = 0, tokenize.ENCODING
    with tokenize.open(path) as source:
        for token in tokenize.generate_tokens(source.readline):
            is_docstring = token.type == tokenize.STRING and before in LAYOUT
            number += token.type not in LAYOUT and not is_docstring
            before = token.type
    return number


@pytest.mark.parametrize("folder", LIMITS)
def test_the_code_is_no_larger_than_it_may_be(folder: str) -> None:
    rooms: Counter[str] = Counter()
    for path in (REPOSITORY / folder).rglob("*.py"):
        rooms["/".join(path.parent.relative_to(REPOSITORY).parts[:3])] += tokens(path)
    table = "\n".join(f"{number:8,d}  {room}" for room, number in rooms.most_common())
    total = sum(rooms.values())
    assert total <= LIMITS[folder], f"{total:,d} tokens, {LIMITS[folder]:,d} allowed:\n{table}"
