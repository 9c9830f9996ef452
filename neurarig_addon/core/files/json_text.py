"""JSON that somebody gives us: what can be written down again, and nothing else."""

import json
import re
from typing import Any

_HALF = re.compile(r"\\u[dD][89a-fA-F]")  # of a character that UTF-16 writes as two; alone it is none, and no text of Blender's can hold it


def parsed(text: str | bytes, **options: Any) -> Any:
    """Return what a JSON text holds; `options`: as `json.loads` has them.

    Raises ValueError where it is none or a text in it is not Unicode, RecursionError where it is nested too deeply.
    """
    written = text.decode("utf-8-sig") if isinstance(text, bytes) else text
    found = json.loads(written, **options)
    if _HALF.search(written):
        json.dumps(found, ensure_ascii=False).encode("utf-8")
    return found


def document(text: str | bytes, format_name: str, version: int, called: str) -> dict[str, Any]:
    """Return the object in a text of ours, which says its format and version; raises ValueError, saying in words what is wrong with it."""
    try:
        content = parsed(text)
    except (ValueError, RecursionError):
        raise ValueError("it is damaged or cut off") from None
    if not isinstance(content, dict) or content.get("format") != format_name or content.get("version") != version:
        raise ValueError(f"it is not {called} of version {version}")
    return content
