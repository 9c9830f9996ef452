"""Words that the search finds a page by and that its text need not say: search_words.toml."""

import re
import tomllib
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

TABLE = Path(__file__).with_suffix(".toml")


def setup(app: Sphinx) -> dict[str, bool]:
    """Give pages their words as they are read."""
    words = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    app.connect("env-before-read-docs", lambda app, env, names: _look(app, set(words) - env.found_docs))
    app.connect("doctree-read", lambda app, tree: _add(tree, words.get(app.env.docname, [])))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _look(app: Sphinx, without_page: set[str]) -> None:
    if without_page:
        raise ValueError(f"{TABLE.name} has words for no page: {sorted(without_page)}")


def _add(tree: nodes.document, phrases: list[str]) -> None:
    """Add phrases as entries of the index, which the search compares whole, and their words as keywords."""
    if not phrases:
        return
    page = next(iter(tree.findall(nodes.section)))
    entries = [("single", phrase, "", "main", None) for phrase in phrases]
    words = sorted({word for phrase in phrases for word in re.findall(r"\w+", phrase)})
    page.insert(1, addnodes.index(entries=entries))
    page.insert(1, nodes.meta(name="keywords", content=", ".join(words)))
