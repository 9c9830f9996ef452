"""Comparable bone names: namespace, layer and side removed, words and numbers in one spelling."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

# Generated rigs repeat a limb in layers; the first complete one names the roles.
LAYERS = ("def", "org", "", "fk", "mch", "ik", "str", "wgt", "vis")
SIDE_WORDS = {
    **dict.fromkeys(("left", "l", "le", "lf", "lft", "左", "왼", "왼쪽"), "L"),
    **dict.fromkeys(("right", "r", "ri", "rt", "rgt", "右", "오른", "오른쪽"), "R"),
}
_MIDDLE_WORDS = {"c", "m", "x", "center", "centre"}
# Vicon and Daz write the side as a bare first letter: it counts only before a word of anatomy ('lowerback' is
# not left).
_AFTER_BARE_SIDE = re.compile(
    r"^[lr](?=(hipjoint|femur|thigh|shin|tibia|fibula|foot|toes?|clavicle|collar|humerus|radius|wrist|hand|fingers?|thumb|"
    r"shoulder|shldr|upperarm|forearm|buttock|metatarsals?|eye|hip|knee|ankle|elbow|leg|arm)\d*$)"
)
_GLUED_SIDE = re.compile(r"^(left|right)(?=[^\W\d_]{3,})")
_UNSPACED_SIDE = re.compile(r"(左|右|왼쪽?|오른쪽?|^[LR](?=[UF]Arm))")
_LAYERED = re.compile(r"[A-Za-z]+[-_.]")
_CODED = re.compile(r"FBXASC(\d{3})")
_BEFORE_NAME = re.compile(r"[:|]")
_BRACKETED = re.compile(r"\[[^\[\]]*\]")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_ACCENTED = re.compile(r"[À-ɏ]")
# least share of names that end with a number, and of these numbers that are unique, for serial numbers
_NUMBERED, _DIFFERENT = 0.85, 0.95
LONGEST = 256  # characters of a name that are read; Blender's have at most 63, or 255
_MOST_WORDS = 16  # words of a name that are read
_MOST_BONES = 0.6  # share of names: a word that starts (or ends) more of them tells nothing about the bone


class PlainName(NamedTuple):
    """A parsed bone name: `layer` (one of LAYERS), `side` (`L`, `R` or empty) and the remaining lower-case
    `words`.

    `helper`: the name starts with an underscore, the mark of an auxiliary bone beside the real one.
    """

    layer: str
    side: str
    words: tuple[str, ...]
    helper: bool = False

    @property
    def core(self) -> str:
        """The words joined: `LeftUpLeg`, `up_leg.L` and `upleg_l` all give `upleg`."""
        return "".join(self.words)


def plain_name(name: str, side_words: Mapping[str, str] = SIDE_WORDS) -> PlainName:
    """Return a parsed bone name, from at most its last LONGEST characters; `side_words`: lower-case word ->
    `L` or `R`."""
    return _plain_english(name) if side_words is SIDE_WORDS else _taken_apart(name, side_words)


@lru_cache(maxsize=4096)
def _plain_english(name: str) -> PlainName:
    return _taken_apart(name, SIDE_WORDS)


def _taken_apart(name: str, side_words: Mapping[str, str]) -> PlainName:
    name = name[-LONGEST:]
    words = list(_words(name))
    layer = ""
    if len(words) > 1 and words[0] in LAYERS and _LAYERED.match(name):
        layer, words = words[0], words[1:]
    side, words = _take_side(words, side_words)
    if not side and len(words) > 1:
        words = [word for word in words if word not in _MIDDLE_WORDS]
    return PlainName(layer, side, tuple(words), name.startswith("_"))


def plain_names(names: Sequence[str], side_words: Mapping[str, str] = SIDE_WORDS) -> list[PlainName]:
    """Return a skeleton's parsed names, without words that most of them start or end with (`Bip01`, `Neo_`,
    `_link`)."""
    if side_words is SIDE_WORDS:
        return list(_plain_english_names(tuple(names)))
    return shortened([plain_name(name, side_words) for name in names])


@lru_cache(maxsize=4)
def _plain_english_names(names: tuple[str, ...]) -> list[PlainName]:
    """Return what `plain_names` does; a skeleton's names are asked for by table, by word and for eyes."""
    return shortened([_plain_english(name) for name in names])


def shortened(names: Sequence[PlainName]) -> list[PlainName]:
    """Return the names without serial numbers and the words that most of them start or end with."""
    plain = _without_serials(list(names))
    for end in (0, -1):
        word = _common_word(plain, end)
        while word:
            plain = [_without(name, word, end) for name in plain]
            word = _common_word(plain, end)
    return plain


@lru_cache(maxsize=4096)
def _words(name: str) -> tuple[str, ...]:
    if "FBXASC" in name:
        name = _CODED.sub(lambda code: chr(int(code[1])), name)
    if not name.isascii():
        name = _ACCENTED.sub(_plain_letter, unicodedata.normalize("NFKC", name))
    name = _BRACKETED.sub("", _BEFORE_NAME.split(name)[-1])
    if not name.isascii() or name.startswith(("L", "R")):
        name = _UNSPACED_SIDE.sub(r" \1 ", name)
    found = _WORDS.findall(name)[-_MOST_WORDS:]
    return tuple([str(int(word)) if word.isdecimal() else word.lower() for word in found])


def _plain_letter(accented: re.Match[str]) -> str:
    """Return a Latin letter without its accent: `ü` would otherwise split 'Schlüssel' into three words."""
    return "ss" if accented[0] == "ß" else unicodedata.normalize("NFD", accented[0])[0]


def _take_side(words: list[str], side_words: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return the side and the words without it; the outermost side word counts."""
    candidates = [k for k, word in enumerate(words) if word in side_words]
    # 'L5' is a vertebra: a letter with only numbers beside it is not a side.
    if candidates and any(not word.isdecimal() for k, word in enumerate(words) if k not in candidates):
        k = candidates[0]
        return side_words[words[k]], words[:k] + words[k + 1 :]
    for k, word in enumerate(words):
        if word[0] not in "lr":
            continue
        glued = _GLUED_SIDE.match(word)
        if glued:
            return SIDE_WORDS[glued[1]], [*words[:k], word[glued.end() :], *words[k + 1 :]]
        if k == 0 and _AFTER_BARE_SIDE.match(word):
            return SIDE_WORDS[word[0]], [word[1:], *words[1:]]
    return "", words


def _without_serials(names: list[PlainName]) -> list[PlainName]:
    """Return the names without numbers that exporters add to all bones: one for each (`Hips_02`, `Spine1_03`)
    or the same (`Hips.001`)."""
    ends = [name.words[-1] for name in names if len(name.words) > 1 and name.words[-1].isdecimal()]
    different = len(set(ends))
    serial = different == 1 or different > _DIFFERENT * len(ends)
    if not serial or len(ends) < _NUMBERED * len(names):
        return names
    return [
        name._replace(words=name.words[:-1]) if len(name.words) > 1 and name.words[-1].isdecimal() else name
        for name in names
    ]


def _common_word(names: list[PlainName], end: int) -> str:
    """Return the word at that end (0 first, -1 last) of most names, or an empty string."""
    counts = Counter(name.words[end] for name in names if len(name.words) > 1)
    word, count = counts.most_common(1)[0] if counts else ("", 0)
    numbers = word.isdecimal() and end == -1  # 'spine_01', 'neck_01': a number that tells bones apart
    return word if count > _MOST_BONES * len(names) and not numbers else ""


def _without(name: PlainName, word: str, end: int) -> PlainName:
    if len(name.words) > 1 and name.words[end] == word:
        return PlainName(name.layer, name.side, name.words[1:] if end == 0 else name.words[:-1], name.helper)
    return name
