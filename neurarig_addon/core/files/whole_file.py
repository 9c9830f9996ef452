"""Writing files: the old one stays until the new one is complete."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR
from pathlib import Path
from secrets import token_hex

from ..errors import NeuraRigError


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Give a block the path of a new file to write, which then replaces the old one; if the block fails, the
    old one stays.

    The new file is beside the old one, under a unique name with the same extension and permissions; a link is
    followed, and stays. Raises NeuraRigError, naming the file, if it cannot be written.
    """
    unfinished = None
    try:
        target = _target(path)
        if target.is_dir():
            raise IsADirectoryError(EISDIR, "there is a folder of that name")
        old = target.is_file()
        unfinished = target.with_name(f"neurarig-{token_hex(8)}{target.suffix[:20]}")
        unfinished.touch(exist_ok=False)
        if old:
            shutil.copymode(target, unfinished)
        yield unfinished
        with unfinished.open("rb+") as written:  # else a power cut may leave the new name with nothing in it
            os.fsync(written.fileno())
        unfinished.replace(target)
    except (OSError, UnicodeError) as problem:
        raise NeuraRigError(
            f"'{path}' cannot be written: {getattr(problem, 'strerror', None) or problem}."
        ) from problem
    finally:
        if unfinished is not None:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file in UTF-8; raises NeuraRigError like `written_whole`."""
    with written_whole(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")


def _target(path: Path) -> Path:
    """Return the target file, with all links resolved; raises NeuraRigError if the path is not one."""
    if not path.name:
        raise NeuraRigError(f"'{path}' is a folder; add a file name.")
    try:
        return path.resolve()
    except (ValueError, RuntimeError) as problem:  # invalid characters; a cycle of links
        raise NeuraRigError(
            f"'{path}' cannot be written: it is not a path ({problem}); choose another file."
        ) from None
