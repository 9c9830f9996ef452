"""What the words of a bone's name tell about it, beyond any one table: all tables together are a vocabulary.

A table fits a rig or it does not; but `thigh`, `Knie` and `腿` mean the same on any rig. A word's votes are
counted: the number of
tables in which it stands for each part.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..shipped import shipped
from ..skeleton.naming import plain_names
from ..skeleton.roles import ARM_PARTS, LEG_PARTS, NECK, SPINE
from .conventions import Convention, conventions

PARTS = ("pelvis", SPINE, NECK, "head", *LEG_PARTS, *ARM_PARTS)
OTHER = len(PARTS)  # column for none of these
_DOUBT = 0.15  # tables added to each part's count: one table alone does not make a word certain
_CERTAIN = 4.0  # greatest log likelihood ratio that a name gives a part
_SHORTEST = 3  # fewest letters of a word that is searched in others
_LATIN = "\u2fff"  # a single character above this counts as a word
_LISTED = 4.0  # the number of tables that a listed word without a part counts as


@dataclass(frozen=True)
class _Vocabulary:
    """The known words: `votes` word -> votes, `begun` beginning of a word -> the shortest word with that
    beginning."""

    votes: Mapping[str, np.ndarray]
    begun: Mapping[str, str]


def word_votes(names: Sequence[str]) -> np.ndarray:
    """Return `(bones, 13)` the natural log by which each bone's name makes each of PARTS, and none of them,
    likelier than no name does."""
    return _word_votes(tuple(names), conventions())


@lru_cache(maxsize=4)
def _word_votes(names: tuple[str, ...], tables: tuple[Convention, ...]) -> np.ndarray:
    known, votes = _vocabulary(tables), {}
    bone_words = [tuple([word for word in name.words if not word.isdecimal()]) for name in plain_names(names)]
    for words in set(bone_words):
        votes[words] = _meaning(words, known)
    return np.array([votes[words] for words in bone_words]).reshape(-1, OTHER + 1)


def _meaning(words: Sequence[str], vocabulary: _Vocabulary) -> np.ndarray:
    """Return the votes of one name's words: those of the words joined if that is a known word, else the sum
    over them."""
    known = vocabulary.votes
    joined = "".join(words)
    if joined in known:
        return known[joined]
    votes = np.zeros(OTHER + 1)
    for word in words:
        for piece in [word] if word in known else _pieces(word, known) or _begun(word, vocabulary):
            votes += known.get(piece, 0.0)
    return np.clip(votes, -_CERTAIN, _CERTAIN)


def _pieces(word: str, known: Mapping[str, np.ndarray]) -> list[str]:
    """Return the known words of which a word is composed, as far as they go, or nothing."""
    for cut in range(len(word) - 1, _SHORTEST - 1, -1):
        if word[:cut] in known:
            rest = word[cut:]
            return [word[:cut], *([rest] if rest in known else _pieces(rest, known))]
    return []


def _begun(word: str, vocabulary: _Vocabulary) -> list[str]:
    """Return the shortest known word that begins with this one, or nothing: names use shortened words
    (`clav`, `abdo`)."""
    return [vocabulary.begun[word]] if word in vocabulary.begun else []


@lru_cache(maxsize=4)
def _vocabulary(tables: tuple[Convention, ...]) -> _Vocabulary:
    """Return the vocabulary of the tables, counted over them: each name's words, and its words joined."""
    counts: dict[str, np.ndarray] = {}
    for table in tables:
        columns_of: dict[str, np.ndarray] = {}
        for part, names in table.words.items():
            for words in names:
                plain = [word for word in words if not word.isdecimal() and (len(word) > 1 or word > _LATIN)]
                for word in {"".join(plain), *plain} - {""}:
                    column = columns_of.setdefault(word, np.zeros(OTHER + 1))
                    column[PARTS.index(part)] = max(column[PARTS.index(part)], 1.0)
        for word, columns in columns_of.items():
            counts[word] = counts.get(word, 0.0) + columns
    for word in shipped("words")["other"]:
        counts.setdefault(word, np.zeros(OTHER + 1))[OTHER] += _LISTED
    begun: dict[str, str] = {}
    for word in sorted(counts, key=len):
        for letters in range(_SHORTEST, len(word)):
            begun.setdefault(word[:letters], word)
    return _Vocabulary({word: _votes(found) for word, found in counts.items()}, begun)


def _votes(counts: np.ndarray) -> np.ndarray:
    """Return the natural log by which a word makes each part likelier than chance."""
    share = (counts + _DOUBT) / (counts + _DOUBT).sum()
    return np.clip(np.log(share * (OTHER + 1)), -_CERTAIN, _CERTAIN)
