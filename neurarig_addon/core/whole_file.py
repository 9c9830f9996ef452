"""Files that are written: the old one stays until the new one is whole."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .errors import NeuraRigError


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Give a block the path of a new file to write, which then takes the place of the old one; where the block fails, that stays.

    Raises NeuraRigError, naming the file, where it cannot be written.
    """
    unfinished = path.with_name(path.name + ".part")
    try:
        yield unfinished
        unfinished.replace(path)
    except OSError as problem:
        raise NeuraRigError(f"'{path}' cannot be written: {problem.strerror or problem}.") from problem
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
