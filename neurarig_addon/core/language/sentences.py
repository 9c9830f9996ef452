"""Sentences in another language: found by what is the same in each, filled with the names and figures in it.

The code writes its messages in English, with names and figures already in them. A catalogue holds them with
fields, `"'{name}' has no {0}."`; a message is one of them if it has the same words around its fields.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from .catalogue import Message

FIELD = re.compile(r"\{(\w+)\}")
_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?:;]) (?=\S)")
_QUOTES = "'\""
_MOST_AT_ONCE = 4  # sentences that are one text of the catalogue
_FEWEST_LETTERS = 2  # a pattern with fewer says nothing of the sentence


class Sentences:
    """Every text of a language, and the same by their patterns."""

    def __init__(self, texts: Mapping[Message, str]):
        self._texts = {text: said for (context, text), said in texts.items() if not context}
        patterns = [(text, FIELD.split(text)[::2]) for text in self._texts if FIELD.search(text)]
        telling = [one for one in patterns if _letters(one) >= _FEWEST_LETTERS]
        # the most particular first, as a short one may fit as well
        self._patterns = sorted(telling, key=_letters, reverse=True)
        self.said = lru_cache(maxsize=1024)(self._said)

    def _said(self, sentence: str) -> str:
        """Return a message in this language, as far as it has it."""
        return self._found(sentence) or self._piecewise(sentence) or sentence

    def _found(self, sentence: str) -> str:
        if exact := self._texts.get(sentence):
            return exact
        for text, words in self._patterns:
            if not all(word in sentence for word in words):  # told without an expression, which costs more
                continue
            if found := re.fullmatch("(.*?)".join(map(re.escape, words)), sentence, re.DOTALL):
                spans = map(found.span, range(1, len(words)))
                fields = {
                    name: self._word(sentence, *span)
                    for name, span in zip(FIELD.findall(text), spans, strict=True)
                }
                return FIELD.sub(lambda field, fields=fields: fields[field[1]], self._texts[text])
        return ""

    def _word(self, sentence: str, start: int, end: int) -> str:
        """Return what stands in a field: names, which stand in quotes, as they are."""
        word = sentence[start:end]
        is_quoted = sentence[start - 1 : start] in _QUOTES and start > 0
        return word if is_quoted or word == sentence else self.said(word)

    def _piecewise(self, message: str) -> str:
        """Return a message of several sentences, in the fewest of them that are a text; '' for one."""
        pieces = _BETWEEN_SENTENCES.split(message)
        if len(pieces) == 1:
            return ""
        done: list[str] = []
        while pieces:
            tried = ((many, self._found(" ".join(pieces[:many]))) for many in range(1, _MOST_AT_ONCE + 1))
            many, found = next((one for one in tried if one[1]), (1, pieces[0]))
            done.append(found)
            del pieces[:many]
        return " ".join(done)


def _letters(pattern: tuple[str, list[str]]) -> int:
    return sum(map(str.isalpha, "".join(pattern[1])))
