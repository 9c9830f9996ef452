"""The rows of a table of recorded points, converted one by one: a table takes no more memory than its numbers."""

import math
from array import array
from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np

from ..errors import NeuraRigError
from ..files.given_file import worth

_NUMBER_BYTES = 8


def read_rows(name: str, rows: Iterable[list[str]], columns: list[int], size: int) -> np.ndarray:
    """Return some columns of a table's first section `(f, columns)`, NaN for empty and missing cells.

    `name` and `size` in bytes are the file's; raises NeuraRigError, naming file and row, for a cell that is not a number, and if rows
    lack so many cells that a small file would become a large table.
    """
    found = array("d")
    most = worth(size) // _NUMBER_BYTES
    for number, row in enumerate(_of_numbers(_of_first_section(rows), columns), 1):
        try:
            found.extend([float(cell) if column < len(row) and (cell := row[column].strip()) else math.nan for column in columns])
        except ValueError as problem:
            raise NeuraRigError(f"'{name}' has a cell that is not a number in row {number} of its points ({problem}).") from None
        if len(found) > most:
            raise NeuraRigError(f"'{name}' has rows that lack most of its {len(columns)} columns; export it again with all of them.")
    return np.frombuffer(found, dtype=float).reshape(-1, len(columns))


def _of_numbers(rows: Iterator[list[str]], columns: list[int]) -> Iterator[list[str]]:
    """Return the rows, without a first row of units."""
    first = next(rows, None)
    return rows if first is None or not _holds_numbers(first, columns) else chain([first], rows)


def _of_first_section(rows: Iterable[list[str]]) -> Iterator[list[str]]:
    """Yield the rows that are not empty, up to the title of another table below."""
    count = 0
    for row in rows:
        filled = [cell for cell in row if cell.strip()]
        if len(filled) == 1 and count > 1 and filled[0].strip()[:1].isalpha():
            return
        if filled:
            count += 1
            yield row


def _holds_numbers(row: list[str], columns: list[int]) -> bool:
    """Return whether a row holds numbers; an empty row, with no point seen, counts too."""
    cells = [row[column].strip() for column in columns if column < len(row)]
    return not any(cells) or any(cell[:1].isdigit() or cell[:1] in "+-." or cell.lower() in ("nan", "inf") for cell in cells if cell)
