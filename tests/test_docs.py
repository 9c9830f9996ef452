"""The documentation names what exists: imports of its examples, files, commands and links."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]
OURS = ("neurarig_addon", "tests", "benchmarks", "demo", "examples")
SOURCES = [path for folder in OURS for path in (REPOSITORY / folder).rglob("*.py")]
MODULES = {
    ".".join(path.relative_to(REPOSITORY).with_suffix("").parts).removesuffix(".__init__"): path
    for path in SOURCES
}
# Paths on the reader's own computer.
ELSEWHERE = {"neurarig_addon/data/conventions/my_studio.json", "extensions/user_default/neurarig"}

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(REPOSITORY).as_posix())


def imports_of_examples(page: Path) -> Iterator[tuple[str, str]]:
    """Yield `(module, name)` of what a page's Python examples import from this repository."""
    for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        for line in re.findall(r"^from neurarig_addon[^\n]*", block, re.MULTILINE):
            (statement,) = ast.parse(line).body
            assert isinstance(statement, ast.ImportFrom) and statement.module
            yield from ((statement.module, alias.name) for alias in statement.names)


def defines(path: Path, name: str) -> bool:
    """Say whether a source file has a function, class or variable of that name at its top."""
    return bool(
        re.search(rf"^(def {name}|class {name}|{name})\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    )


@pages
def test_examples_import_what_exists(page: Path) -> None:
    for module, name in imports_of_examples(page):
        assert f"{module}.{name}" in MODULES or defines(MODULES[module], name), f"from {module} import {name}"


@pages
def test_commands_start_what_exists(page: Path) -> None:
    for module, word in re.findall(r"python -m ([a-z_.]+)(?: ([a-z_]+))?", page.read_text(encoding="utf-8")):
        assert module in MODULES or f"{module}.__main__" in MODULES, f"python -m {module}"
        if module == "benchmarks" and word:
            assert f"benchmarks.{word}" in MODULES, f"python -m benchmarks {word}"


@pages
def test_files_that_are_named_exist(page: Path) -> None:
    tree = [
        path.relative_to(REPOSITORY)
        for folder in (*OURS, "docs")
        for path in (REPOSITORY / folder).rglob("*")
    ]
    known = {f"/{path.as_posix()}" for path in tree} | {
        f"/{path.with_suffix('').as_posix()}" for path in tree
    }
    for named in (
        set(re.findall(r"`([A-Za-z_]\w*(?:/\w+)+(?:\.\w+)?)`", page.read_text(encoding="utf-8"))) - ELSEWHERE
    ):
        # `core/character/character.Character` is a class of a file.
        assert any(path.endswith((f"/{named}", f"/{named.rsplit('.', 1)[0]}")) for path in known), named


@pages
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", page.read_text(encoding="utf-8")):
        linked = page.parent / target if target else page
        assert linked.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", linked.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {
                re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings
            }, anchor
