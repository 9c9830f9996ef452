"""The language of formulas: muParser's operators, functions and constants, on arrays of float64.

Truth is a number, as in muParser: comparisons give 0 or 1, and anything other than 0 is true, NaN too.
"""

import re
from collections.abc import Callable, Mapping
from functools import reduce
from math import isfinite
from typing import NamedTuple

import numpy as np

from ..errors import NeuraRigError

Value = np.ndarray | np.float64
Operation = Callable[..., Value]

MANY = 1_000  # arguments; more than fit in a formula


class Function(NamedTuple):
    """A function and the number of arguments it takes, `fewest` to `most`."""

    apply: Operation
    fewest: int
    most: int


class Operator(NamedTuple):
    """A left-associative binary operator; higher `binding` means higher precedence."""

    apply: Operation
    binding: int


def _truth(test: Operation) -> Operation:
    """Return a comparison whose results are numbers, 0 or 1."""
    return lambda a, b: np.multiply(test(a, b), 1.0)


def _both(a: Value, b: Value) -> Value:
    return np.multiply(np.logical_and(a, b), 1.0)


def _either(a: Value, b: Value) -> Value:
    return np.multiply(np.logical_or(a, b), 1.0)


def choose(condition: Value, then: Value, otherwise: Value) -> Value:
    """Return `condition ? then : otherwise`, row by row."""
    return np.where(np.not_equal(condition, 0.0), then, otherwise)


# Comparisons with NaN are false: so min, max, clamp and sign treat it as C++ does, which numpy's own do not.
def _smaller(a: Value, b: Value) -> Value:
    return np.where(np.less(b, a), b, a)


def _larger(a: Value, b: Value) -> Value:
    return np.where(np.less(a, b), b, a)


def _clamp(value: Value, low: Value, high: Value) -> Value:
    return np.where(np.less(value, low), low, np.where(np.less(high, value), high, value))


def _sign(value: Value) -> Value:
    return np.subtract(np.greater(value, 0.0), np.less(value, 0.0), dtype=float)


def _round(value: Value) -> Value:
    """Round to whole numbers; halves go up, also below zero."""
    return np.floor(np.add(value, 0.5))


def _sum(*values: Value) -> Value:
    return reduce(np.add, values)


def _average(*values: Value) -> Value:
    return np.divide(_sum(*values), float(len(values)))


OPERATORS: Mapping[str, Operator] = {
    "||": Operator(_either, 1),
    "&&": Operator(_both, 2),
    "<": Operator(_truth(np.less), 3),
    ">": Operator(_truth(np.greater), 3),
    "<=": Operator(_truth(np.less_equal), 3),
    ">=": Operator(_truth(np.greater_equal), 3),
    "==": Operator(_truth(np.equal), 3),
    "!=": Operator(_truth(np.not_equal), 3),
    "+": Operator(np.add, 4),
    "-": Operator(np.subtract, 4),
    "*": Operator(np.multiply, 5),
    "/": Operator(np.divide, 5),
}
LOOSEST = 1
# `^` is handled apart: right-associative, and before a sign on its left, so that -a^2 is -(a^2) and a^-b is
# a^(-b).
power, negative = np.power, np.negative

_ONE = {
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "exp": np.exp,
    "ln": np.log,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "sqrt": np.sqrt,
    "abs": np.abs,
    "sign": _sign,
    "rint": _round,
}
_TWO = {"atan2": np.arctan2, "fmod": np.fmod, "pow": np.power}
_ANY = {
    "min": lambda *values: reduce(_smaller, values),
    "max": lambda *values: reduce(_larger, values),
    "sum": _sum,
    "avg": _average,
}
FUNCTIONS: Mapping[str, Function] = {
    **{name: Function(apply, 1, 1) for name, apply in _ONE.items()},
    **{name: Function(apply, 2, 2) for name, apply in _TWO.items()},
    **{name: Function(apply, 1, MANY) for name, apply in _ANY.items()},
    "clamp": Function(_clamp, 3, 3),
}

# muParser built with GCC cuts pi off here; 8e-13 rad does not matter to a foot, and results agree to the last
# digits.
CONSTANTS: Mapping[str, float] = {"_pi": 3.141592653589, "_e": float(np.e)}


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
