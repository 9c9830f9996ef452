"""Files that somebody gives us to read: that they are files, how large, and how much may be made of them.

What is read costs memory and time in proportion to what lies on the disk, whatever the file says of itself: a header that promises a
million frames, an archive that unpacks to a thousand times its size, or lines that stand for more than they hold.
"""

import stat
from pathlib import Path

from ..errors import NeuraRigError

SMALL = 32 * 2**20  # bytes of numbers that any file may become
MOST = 2 * 2**30  # that no file may become more than
LARGEST_SCENE = 2**30  # bytes of a file of another program, with meshes and textures
_TIMES = 32  # a byte of a file may become so many: the shortest cell, a digit and a comma, is eight when read


def size_of(path: Path, most: int, remedy: str = "cut it into shorter clips") -> int:
    """Return the bytes of a file; raises NeuraRigError where there is none, it is no file (a folder, a device), or has more than `most`."""
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
    """Return what a short file holds; raises NeuraRigError as `size_of`, and where it cannot be read."""
    size = size_of(path, most, remedy)
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError as problem:
        raise _unreadable(path, problem) from None


def _unreadable(path: Path, problem: Exception) -> NeuraRigError:
    return NeuraRigError(f"'{path}' cannot be read: {getattr(problem, 'strerror', None) or problem}; choose another file.")


def exists(path: Path) -> bool:
    """Return whether there is a file of that path, which may be anything that somebody typed."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def worth(size: int) -> int:
    """Return the bytes of numbers (eight each) that a file of `size` bytes may become."""
    return min(max(SMALL, _TIMES * size), MOST)
