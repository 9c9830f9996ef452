"""One formula, compiled: muParser's language on arrays, without Python's own compiler.

Parsing gives a list of steps in postfix order, evaluated in a loop on a stack; so neither parsing nor
evaluating can run anything but the functions of `vocabulary`, and a long formula nests no deeper than a short
one.
"""

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import NamedTuple

import numpy as np

from .vocabulary import (
    CONSTANTS,
    END,
    FUNCTIONS,
    LOOSEST,
    NAME,
    NUMBER,
    OPERATORS,
    SIGN,
    FormulaError,
    Operation,
    Token,
    Value,
    choose,
    negative,
    power,
    tokens,
)

DEEPEST = 40  # nested brackets, choices and powers
_NAMES_COMPARED = 500  # when searching for a similar name


class Step(NamedTuple):
    """One step: apply an operation to the last `values` values; without an operation push a named value, or
    the number."""

    operation: Operation | None
    values: int
    name: str = ""
    number: np.float64 = np.float64(0.0)

    @property
    def is_number(self) -> bool:
        """Return whether the step only pushes a number."""
        return self.operation is None and not self.name


class Expression:
    """A formula ready to evaluate; `names` are the values it needs."""

    def __init__(self, text: str, known: Collection[str]):
        """Parse a formula that may use the `known` names; raises FormulaError."""
        self.text = text
        self._steps = tuple(_Reader(text, known).read())
        self.names = frozenset(step.name for step in self._steps if step.name)

    def evaluate(self, values: Mapping[str, Value]) -> Value:
        """Return the formula's value for named values, each `(rows,)` or a single number; `(rows,)` if any
        value used is.

        Both sides of a choice are evaluated: call it inside `numpy.errstate(all="ignore")`.
        """
        stack: list[Value] = []
        for operation, count, name, number in self._steps:
            if operation is None:
                stack.append(values[name] if name else number)
            elif count == 1:
                stack[-1] = operation(stack[-1])
            else:
                arguments = stack[-count:]
                del stack[-count:]
                stack.append(operation(*arguments))
        return stack[0]


class _Reader:
    """Recursive descent parser: reads tokens from left to right and writes steps.

    choice := joined ["?" choice ":" choice] joined := factors joined by the binary operators, by precedence
    factor := ["+" | "-"] raised                    raised := single ["^" factor]
    """

    def __init__(self, text: str, known: Collection[str]):
        self._tokens = tokens(text)
        self._known = known
        self._at = 0
        self._depth = 0
        self._steps: list[Step] = []

    def read(self) -> list[Step]:
        if self._next.kind == END:
            raise FormulaError("the formula is empty, write 0 if you mean 0", 1)
        with np.errstate(all="ignore"):  # for constants folded while parsing
            self._choice()
        if self._next.kind != END:
            raise self._unexpected()
        return self._steps

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def _choice(self) -> None:
        self._deeper(self._next)
        self._joined(LOOSEST)
        if self._next.text == "?":
            mark = self._take()
            self._choice()
            if self._next.text != ":":
                raise FormulaError("this '?' has no ':' with the other value", mark.column)
            self._take()
            self._choice()
            self._apply(choose, 3)
        self._depth -= 1

    def _joined(self, loosest: int) -> None:
        self._factor()
        while (operator := OPERATORS.get(self._next.text)) and operator.binding >= loosest:
            self._take()
            self._joined(operator.binding + 1)
            self._apply(operator.apply, 2)

    def _factor(self) -> None:
        sign = self._take().text if self._next.text in ("+", "-") else ""
        if sign and self._next.text in ("+", "-"):
            raise FormulaError("two signs in a row, put the second in brackets", self._next.column)
        self._raised()
        if sign == "-":
            self._apply(negative, 1)

    def _raised(self) -> None:
        self._single()
        if self._next.text == "^":
            self._deeper(self._take())
            self._factor()
            self._apply(power, 2)
            self._depth -= 1

    def _single(self) -> None:
        token = self._take()
        if token.kind == NUMBER:
            self._steps.append(Step(None, 0, number=np.float64(token.text)))
        elif (
            token.kind == NAME
            and token.text in FUNCTIONS
            and self._next == Token(SIGN, "(", token.column + len(token.text))
        ):
            self._call(token)
        elif token.kind == NAME:
            self._named(token)
        elif token.text == "(":
            self._choice()
            self._close(token)
        else:
            self._at -= 1
            raise self._unexpected()

    def _named(self, token: Token) -> None:
        if token.text in self._known:
            self._steps.append(Step(None, 0, token.text))
        elif token.text in CONSTANTS:
            self._steps.append(Step(None, 0, number=np.float64(CONSTANTS[token.text])))
        elif token.text in FUNCTIONS:
            raise FormulaError(
                f"the function {token.text} needs its bracket right after it, as in '{token.text}(x)'",
                token.column,
            )
        else:
            raise FormulaError(f"{token.text!r} is not known here{self._meant(token)}", token.column)

    def _meant(self, token: Token) -> str:
        """Return advice on an unknown name."""
        if self._next.text == "(":
            close = get_close_matches(token.text, FUNCTIONS, 1)
            return (
                f", did you mean {close[0]!r}"
                if close
                else f", the functions are {', '.join(sorted(FUNCTIONS))}"
            )
        names = [*CONSTANTS, *sorted(self._known)[:_NAMES_COMPARED]]
        close = get_close_matches(token.text, names, 1)
        return (
            f", did you mean {close[0]!r}"
            if close
            else ", define it in Constants, Variables or earlier in Logic"
        )

    def _call(self, name: Token) -> None:
        function = FUNCTIONS[name.text]
        bracket = self._take()
        count = 0
        while self._next.text != ")" or count:
            self._choice()
            count += 1
            if self._next.text != ",":
                break
            self._take()
        self._close(bracket)
        if not function.fewest <= count <= function.most:
            wanted = f"{function.fewest}{' or more' if function.most > function.fewest else ''}"
            raise FormulaError(
                f"the number of values for {name.text} must be {wanted} and is {count}", name.column
            )
        self._apply(function.apply, count)

    def _close(self, bracket: Token) -> None:
        if self._next.kind == END:
            raise FormulaError("this '(' has no ')'", bracket.column)
        if self._next.text != ")":
            raise self._unexpected()
        self._take()

    def _apply(self, operation: Operation, count: int) -> None:
        """Add an operation; on numbers alone it is folded at once."""
        last = self._steps[-count:]
        if all(step.is_number for step in last):
            self._steps[-count:] = [
                Step(None, 0, number=np.float64(operation(*(step.number for step in last))))
            ]
        else:
            self._steps.append(Step(operation, count))

    def _deeper(self, token: Token) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise FormulaError(f"more than {DEEPEST} brackets are nested, split the formula", token.column)

    def _unexpected(self) -> FormulaError:
        token = self._next
        before = self._tokens[self._at - 1] if self._at else token
        after_value = self._at > 0 and (before.kind != SIGN or before.text == ")")
        if token.kind == END:
            problem = "a value is missing at the end"
        elif token.text == ":":
            problem = "this ':' has no '?' before it"
        elif token.text == ")" and after_value:
            problem = "this ')' closes nothing"
        elif token.text == "," and after_value:
            problem = "a ',' belongs between the values of a function"
        elif token.kind == SIGN and token.text != "(":
            problem = f"a value is missing before {token.text!r}"
        else:
            problem = f"an operator is missing before {token.text[:20]!r}"
        return FormulaError(problem, token.column)
