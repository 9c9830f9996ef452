"""The one exception that reaches a user."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

LONGEST = 1_000  # characters of a sentence
_LONGEST_WORD = 300  # of a run without blanks, such as a path
_CUT = " [...] "
_LONG_WORD = re.compile(rf"\S{{{_LONGEST_WORD + 1},}}")


class NeuraRigError(Exception):
    """A condition the user can mend: one clear sentence that names the bone (or file) and the remedy.

    What it quotes of names and files is cut where it is too long to read, and shown on one line.
    """

    def __init__(self, sentence: str):
        super().__init__(readable(sentence))


def readable(sentence: str) -> str:
    """Return a sentence, which may quote anything, on one line of at most LONGEST visible characters; its
    end, the remedy, stays."""
    begun = sentence if len(sentence) <= 2 * LONGEST else _without_middle(sentence, 2 * LONGEST)
    line = "".join(
        letter if letter.isprintable() else " " if letter.isspace() else "\ufffd" for letter in begun
    )
    shorter = _LONG_WORD.sub(lambda word: _without_middle(word[0], _LONGEST_WORD), line)
    return _without_middle(shorter, LONGEST) if len(shorter) > LONGEST else shorter


def _without_middle(text: str, length: int) -> str:
    end = length // 3
    return text[: length - len(_CUT) - end] + _CUT + text[-end:]


@contextmanager
def about(name: str) -> Iterator[None]:
    """Put the name of an object or file before what is said of it, unless that names it already."""
    try:
        yield
    except NeuraRigError as problem:
        if f"'{name}'" in str(problem):
            raise
        raise NeuraRigError(f"'{name}': {problem}") from problem
