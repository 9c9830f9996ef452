"""The one exception that reaches a user."""

from collections.abc import Iterator
from contextlib import contextmanager


class NeuraRigError(Exception):
    """A condition the user can mend: one clear sentence that names the bone (or file) and the remedy."""


@contextmanager
def about(name: str) -> Iterator[None]:
    """Put the name of a file before what is said of its content."""
    try:
        yield
    except NeuraRigError as problem:
        raise NeuraRigError(f"'{name}': {problem}") from problem
