"""A formula as tokens: numbers, names and signs; and the error in one, with its place."""

import re
from math import isfinite
from typing import NamedTuple

from ..errors import NeuraRigError

_SHOWN = 60  # characters of a formula in a message


class FormulaError(NeuraRigError):
    """A formula that cannot be parsed: the problem with the remedy, and the column, from 1."""

    def __init__(self, problem: str, column: int):
        super().__init__(f"column {column}: {problem}.")
        self.problem = problem
        self.column = column


def excerpt(text: str, column: int) -> str:
    """Return a formula in quotes; of a long one, the part around a column."""
    start = max(0, min(column - 1 - _SHOWN // 2, len(text) - _SHOWN))
    shown = text[start : start + _SHOWN]
    return repr(("..." if start else "") + shown + ("..." if start + _SHOWN < len(text) else ""))


NUMBER, NAME, SIGN, END = "number", "name", "sign", "end"
LONGEST_FORMULA = 4_000  # characters
LONGEST_NAME = 100  # muParser's limit

_TOKEN = re.compile(
    r"[ \t\r\n\f\v]*(?:"
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<sign><=|>=|==|!=|&&|\|\||[-+*/^<>?:(),])"
    r"|(?P<end>\Z))"
)
_NAME = re.compile(rf"[A-Za-z_][A-Za-z0-9_]{{0,{LONGEST_NAME - 1}}}\Z")
_ADVICE = {
    "=": "use '==' to compare",
    "!": "there is no '!', compare with '== 0'",
    "&": "write '&&'",
    "|": "write '||'",
    "%": "write fmod(a, b)",
    ";": "one formula has one value",
    ".": "a point belongs inside a number",
}


class Token(NamedTuple):
    """A piece of a formula; `column` counts from 1."""

    kind: str
    text: str
    column: int


def is_name(text: str) -> bool:
    """Return whether a formula could use a text as a name."""
    return bool(_NAME.match(text))


def tokens(text: str) -> list[Token]:
    """Return a formula's tokens, END last; raises FormulaError."""
    if len(text) > LONGEST_FORMULA:
        raise FormulaError(f"it is longer than {LONGEST_FORMULA} characters, split it over several", 1)
    found, at = [], 0
    while not found or found[-1].kind != END:
        match = _TOKEN.match(text, at)
        if match is None:
            raise _stray(text, at)
        kind = str(match.lastgroup)
        found.append(Token(kind, match[kind], match.start(kind) + 1))
        at = match.end()
        _check(found[-1], text[at : at + 1])
    return found


def _check(token: Token, following: str) -> None:
    """Raise FormulaError for numbers that run into a name or beyond float64, and for names longer than
    muParser takes."""
    if token.kind == NUMBER:
        if following and (following.isalnum() or following in "_."):
            raise FormulaError(
                f"'{following}' stands right after the number {token.text[:20]}, an operator is missing",
                token.column,
            )
        if not isfinite(float(token.text)):
            raise FormulaError("the number is too large", token.column)
    elif token.kind == NAME and len(token.text) > LONGEST_NAME:
        raise FormulaError(f"the name is longer than {LONGEST_NAME} characters", token.column)


def _stray(text: str, at: int) -> FormulaError:
    at += len(text[at:]) - len(text[at:].lstrip(" \t\r\n\f\v"))
    advice = _ADVICE.get(text[at], "take it out")
    return FormulaError(f"{text[at]!r} has no meaning here, {advice}", at + 1)
