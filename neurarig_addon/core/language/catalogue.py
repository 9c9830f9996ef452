"""A catalogue of translations: a .po file, as GNU gettext and Blender's translators write it."""

import json
from collections.abc import Iterator
from pathlib import Path

from ..errors import NeuraRigError

LARGEST = 4_000_000  # bytes
# A text and the context in which it stands: '' for any, else one of Blender's, as 'Operator'.
Message = tuple[str, str]
_KEYWORDS = ("msgctxt", "msgid", "msgstr")


def read(path: Path) -> dict[Message, str]:
    """Return the translated texts of a catalogue; raises NeuraRigError, with the line, where it is none."""
    with path.open("rb") as file:
        content = file.read(LARGEST + 1)
    try:
        if len(content) > LARGEST:
            raise ValueError("it is too long")
        return {
            (context, text): said
            for context, text, said in _entries(content.decode("utf-8").splitlines())
            if text and said
        }
    except ValueError as problem:
        raise NeuraRigError(f"The catalogue '{path.name}' cannot be read: {problem}.") from None


def _entries(lines: list[str]) -> Iterator[tuple[str, str, str]]:
    """Yield context, text and translation of every entry, the head as one without a text."""
    entry: dict[str, str] = {}
    keyword = ""
    for number, line in enumerate([*lines, ""], 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            if "msgid" in entry:
                yield entry.get("msgctxt", ""), entry["msgid"], entry.get("msgstr", "")
            entry, keyword = {}, ""
            continue
        if not stripped.startswith('"'):
            keyword, _, stripped = stripped.partition(" ")
        if keyword not in _KEYWORDS or not stripped.startswith('"'):
            raise ValueError(f"line {number} is no entry of a .po file")
        try:
            entry[keyword] = entry.get(keyword, "") + json.loads(stripped)
        except ValueError:
            raise ValueError(f"the text in line {number} does not end, or has an unknown escape") from None
