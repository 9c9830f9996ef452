"""Blender's handler lists, each with a function at most once."""

from collections.abc import Iterable

Handlers = Iterable[tuple[list, object]]


def add(handlers: Handlers) -> None:
    """Add each function to its list, unless already there."""
    for functions, function in handlers:
        if function not in functions:
            functions.append(function)


def remove(handlers: Handlers) -> None:
    """Remove each function from its list, if it is there."""
    for functions, function in handlers:
        if function in functions:
            functions.remove(function)
