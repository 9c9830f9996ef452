"""What the words of a bone's name say of it, beyond any one table: all tables together are a vocabulary.

A table fits a rig or it does not; but `thigh`, `Knie` and `腿` mean what they mean on any rig.  How much a word says is counted: in
how many tables it stands for which part.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from ..skeleton.naming import PlainName, plain_names
from ..skeleton.roles import ARM_PARTS, LEG_PARTS, NECK, SPINE
from .conventions import Convention, conventions

PARTS = ("pelvis", SPINE, NECK, "head", *LEG_PARTS, *ARM_PARTS)
OTHER = len(PARTS)  # column of what is none of these
_FILE = Path(__file__).parents[2] / "data" / "words.json"
_DOUBT = 0.15  # tables that are added to each part's count: one table alone does not make a word certain
_CERTAIN = 4.0  # greatest log of what a name makes a part likelier
_SHORTEST = 3  # letters of a word that is looked for inside others
_LATIN = "\u2fff"  # a single letter above this is a word
_LISTED = 4.0  # tables that a listed word that means no part counts as


@dataclass(frozen=True)
class _Vocabulary:
    """What is known of words: `votes` word -> votes, `begun` beginning of a word -> the shortest word that begins so."""

    votes: Mapping[str, np.ndarray]
    begun: Mapping[str, str]


def word_votes(names: Sequence[str]) -> np.ndarray:
    """Return `(bones, 13)` how much likelier (natural log) its name makes each of PARTS, and none of them, than no name does."""
    return _word_votes(tuple(names), conventions())


@lru_cache(maxsize=4)
def _word_votes(names: tuple[str, ...], tables: tuple[Convention, ...]) -> np.ndarray:
    known = _vocabulary(tables)
    return np.array([_meaning(name, known) for name in plain_names(names)]).reshape(-1, OTHER + 1)


def _meaning(name: PlainName, vocabulary: _Vocabulary) -> np.ndarray:
    """Return the votes of one name: of its words joined where that is a word, else of all its words together."""
    known = vocabulary.votes
    words = [word for word in name.words if not word.isdecimal()]
    joined = "".join(words)
    if joined in known:
        return known[joined]
    votes = np.zeros(OTHER + 1)
    for word in words:
        for piece in [word] if word in known else _pieces(word, known) or _begun(word, vocabulary):
            votes += known.get(piece, 0.0)
    return np.clip(votes, -_CERTAIN, _CERTAIN)


def _pieces(word: str, known: Mapping[str, np.ndarray]) -> list[str]:
    """Return the known words that a word is put together of, or nothing."""
    for cut in range(len(word) - 1, _SHORTEST - 1, -1):
        if word[:cut] in known:
            rest = word[cut:]
            return [word[:cut], *([rest] if rest in known else _pieces(rest, known))]
    return []


def _begun(word: str, vocabulary: _Vocabulary) -> list[str]:
    """Return the shortest known word that begins with this one: people shorten words (`clav`, `abdo`)."""
    return [vocabulary.begun[word]] if word in vocabulary.begun else []


@lru_cache(maxsize=4)
def _vocabulary(tables: tuple[Convention, ...]) -> _Vocabulary:
    """Return the words of the tables, counted over them: names joined, and less what their words are one by one."""
    counts: dict[str, np.ndarray] = {}
    for table in tables:
        said: dict[str, np.ndarray] = {}
        for part, names in table.words.items():
            for words in names:
                plain = [word for word in words if not word.isdecimal() and (len(word) > 1 or word > _LATIN)]
                for word in {"".join(plain), *plain} - {""}:
                    column = said.setdefault(word, np.zeros(OTHER + 1))
                    column[PARTS.index(part)] = max(column[PARTS.index(part)], 1.0)
        for word, columns in said.items():
            counts[word] = counts.get(word, 0.0) + columns
    for word in json.loads(_FILE.read_text(encoding="utf-8"))["other"]:
        counts.setdefault(word, np.zeros(OTHER + 1))[OTHER] += _LISTED
    begun: dict[str, str] = {}
    for word in sorted(counts, key=len):
        for letters in range(_SHORTEST, len(word)):
            begun.setdefault(word[:letters], word)
    return _Vocabulary({word: _votes(found) for word, found in counts.items()}, begun)


def _votes(counts: np.ndarray) -> np.ndarray:
    """Return how much likelier a word makes each part than chance does."""
    share = (counts + _DOUBT) / (counts + _DOUBT).sum()
    return np.clip(np.log(share * (OTHER + 1)), -_CERTAIN, _CERTAIN)
