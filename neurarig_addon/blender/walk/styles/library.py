"""The library of styles: shipped ones, read-only, and the user's own, one file each."""

from functools import lru_cache
from pathlib import Path

from ....core.errors import NeuraRigError
from ....core.files.given_file import exists
from ....core.styles.learned_style import LearnedStyle
from ....core.styles.style_file import read_style, write_style
from ..sliders import presets
from ..sliders.presets import STYLE


def names() -> list[tuple[str, bool]]:
    """Return `(name, shipped)` of every style: the shipped ones in order, then the user's by name."""
    return presets.names(STYLE)


def load(name_or_path: str) -> LearnedStyle:
    """Return a style by name, or the one in a file; raises NeuraRigError if there is none."""
    path = presets.path_of(STYLE, name_or_path)
    if path is not None:
        return _read(path, path.stat().st_mtime_ns)
    given = Path(name_or_path)
    if given.suffix.lower() == ".json" and exists(given):
        return read_style(given)
    known = ", ".join(name for name, _ in names())
    raise NeuraRigError(f"There is no style named '{name_or_path}'; choose one of: {known}, or a style file.")


def save(style: LearnedStyle) -> Path:
    """Write a user style, replacing an older one of the same name; returns its file."""
    path = presets.own_file(STYLE, style.name)
    write_style(path, style)
    return path


def description(name: str) -> str:
    """Return a style's description; empty if it cannot be read."""
    try:
        style = load(name)
    except (NeuraRigError, OSError):
        return ""
    return " ".join(part for part in (style.description, f"({style.credit})" if style.credit else "") if part)


@lru_cache(maxsize=128)
def _read(path: Path, _written: int) -> LearnedStyle:
    return read_style(path)
