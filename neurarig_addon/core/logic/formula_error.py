"""A syntax error in a formula, with its place."""

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
