"""Untrusted files to read: whether they are files, their size, and how much data they may become.

Reading costs memory and time in proportion to the size on disk, whatever the file claims: a header that
promises a million frames, an archive that unpacks to a thousand times its size, or lines that stand for more
than they contain.
"""

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import NeuraRigError

SMALL = 32 * 2**20  # bytes of numbers that any file may become
MOST = 2 * 2**30  # bytes that no file may exceed as numbers
LARGEST_SCENE = 2**30  # bytes of another program's file, with meshes and textures
_TIMES = 32  # allowed bytes per byte of file: the shortest cell, a digit and a comma, becomes eight


def size_of(path: Path, most: int, remedy: str = "cut it into shorter clips") -> int:
    """Return a file's size in bytes; raises NeuraRigError if it is missing, not a file (a folder, a device),
    or larger than `most`."""
    try:
        found = path.stat()
    except (OSError, ValueError) as problem:
        raise _unreadable(path, problem) from None
    if not stat.S_ISREG(found.st_mode):
        raise NeuraRigError(f"'{path}' cannot be read: it is not a file.")
    if found.st_size > most:
        limit = f"{most // 2**20} MB" if most >= 2**20 else f"{most // 2**10} KB"
        raise NeuraRigError(f"'{path.name}' is larger than {limit}; {remedy}.")
    return found.st_size


def content_of(path: Path, most: int, remedy: str) -> bytes:
    """Return the content of a short file; raises NeuraRigError like `size_of`, and if it cannot be read."""
    size = size_of(path, most, remedy)
    with reading(path), path.open("rb") as file:
        return file.read(size)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Raise NeuraRigError, naming the file, where the system cannot read it meanwhile."""
    try:
        yield
    except OSError as problem:
        raise _unreadable(path, problem) from problem


def _unreadable(path: Path, problem: Exception) -> NeuraRigError:
    return NeuraRigError(
        f"'{path}' cannot be read: {getattr(problem, 'strerror', None) or problem}; choose another file."
    )


def exists(path: Path) -> bool:
    """Return whether there is a file at a path, which may be any text that a user typed."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def worth(size: int) -> int:
    """Return the most bytes of numbers (eight each) that a file of `size` bytes may become."""
    return min(max(SMALL, _TIMES * size), MOST)
