"""Blender's lists of handlers: a function stands in each at most once."""

from collections.abc import Iterable

Handlers = Iterable[tuple[list, object]]


def add(handlers: Handlers) -> None:
    """Add each function to its list, unless it is there."""
    for functions, function in handlers:
        if function not in functions:
            functions.append(function)


def remove(handlers: Handlers) -> None:
    """Take each function off its list, where it is there."""
    for functions, function in handlers:
        if function in functions:
            functions.remove(function)
