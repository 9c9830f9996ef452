"""Pictures of the site: each has its size before it is there, and only the first film is loaded at once."""

import re
from pathlib import Path
from typing import Any

import imagesize
from sphinx.application import Sphinx

FIRST = "first.webp"


def setup(app: Sphinx) -> dict[str, bool]:
    """Complete the pictures of each page."""
    app.connect("html-page-context", _complete)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _complete(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    def told(found: re.Match[str]) -> str:
        name = Path(found[1]).name
        width, height = imagesize.get(Path(app.srcdir) / "images" / name)
        when = 'fetchpriority="high"' if name == FIRST else 'loading="lazy"'
        return f'{found[0]} width="{width}" height="{height}" {when}'

    if "body" in context:
        context["body"] = re.sub(r'<img\b[^>]*?\bsrc="([^"]+)"', told, context["body"])
