"""Files that are written: the old one stays until the new one is whole."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR
from pathlib import Path
from secrets import token_hex

from ..errors import NeuraRigError


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Give a block the path of a new file to write, which then takes the place of the old one; where the block fails, that stays.

    The new file lies beside the old one, under a name that nobody has and with the same ending and rights; a link is followed, and stays.
    Raises NeuraRigError, naming the file, where it cannot be written.
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
        unfinished.replace(target)
    except (OSError, UnicodeError) as problem:
        raise NeuraRigError(f"'{path}' cannot be written: {getattr(problem, 'strerror', None) or problem}.") from problem
    finally:
        if unfinished is not None:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file in UTF-8; raises NeuraRigError as `written_whole`."""
    with written_whole(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")


def _target(path: Path) -> Path:
    """Return the file that is meant, at the end of all links."""
    if not path.name:
        raise NeuraRigError(f"'{path}' is a folder; add a file name.")
    try:
        return path.resolve()
    except (ValueError, RuntimeError) as problem:  # letters that no path may have; links that go round
        raise NeuraRigError(f"'{path}' cannot be written: it is not a path ({problem}); choose another file.") from None
