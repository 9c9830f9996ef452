"""Untrusted JSON: only what can be written again."""

import json
import re
from typing import Any

_HALF = re.compile(r"\\u[dD][89a-fA-F]")  # half of a UTF-16 surrogate pair; alone it is invalid, and Blender cannot store it


def parsed(text: str | bytes, **options: Any) -> Any:
    """Return the value of a JSON text; `options`: those of `json.loads`.

    Raises ValueError if it is not JSON or a text in it is not Unicode, RecursionError if it is nested too deeply.
    """
    written = text.decode("utf-8-sig") if isinstance(text, bytes) else text
    found = json.loads(written, **options)
    if _HALF.search(written):
        json.dumps(found, ensure_ascii=False).encode("utf-8")
    return found


def document(text: str | bytes, format_name: str, version: int, called: str) -> dict[str, Any]:
    """Return the object of one of our own JSON texts, which gives its format and version; raises ValueError with the problem in words."""
    try:
        content = parsed(text)
    except (ValueError, RecursionError):
        raise ValueError("it is damaged or cut off") from None
    if not isinstance(content, dict) or content.get("format") != format_name or content.get("version") != version:
        raise ValueError(f"it is not {called} of version {version}")
    return content
