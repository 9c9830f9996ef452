"""The language of formulas: muParser's operators, functions and constants, on arrays of float64.

Truth is a number, as in muParser: comparisons give 0 or 1, and anything other than 0 is true, NaN too.
"""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import NamedTuple

import numpy as np

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
