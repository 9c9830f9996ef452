"""The documentation names what exists: imports of its examples, files, commands and links."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from neurarig_addon.batch import __main__ as batch
from neurarig_addon.batch.options import require_training
from neurarig_addon.core.shipped import shipped
from tests import told_commands
from tests.command_lines import options_of

REPOSITORY = Path(__file__).resolve().parents[1]
PAGES = told_commands.PAGES
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
def test_commands_of_ours_have_the_options_that_are_named(page: Path) -> None:
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    for line in re.findall(r"-m neurarig_addon\.training ([^`#\n]+)", text):
        require_training(page.name, line.split())
    for line in re.findall(r"-m neurarig_addon\.batch ([^`#\n]+)", text):
        batch._parser().parse_args(line.split())
    for command, line in re.findall(r"--command neurarig ([a-z]+(?: learn| list)?)([^`\n]*)", text):
        known = {"--help", *shipped("command_line")[command]}
        assert set(re.findall(r"--[a-z-]+", line)) <= known, f"{command} {line}"


@pages
def test_commands_are_of_kinds_that_tests_run(page: Path) -> None:
    programs = {told_commands.words(command)[0] for command in told_commands.commands(page)}
    assert programs <= {*told_commands.PROGRAMS}
    unlabelled = re.findall(
        r"^```\n(?:[A-Z]+=\S+ )*([\w./-]+)", page.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert not {*told_commands.PROGRAMS} & {Path(word).name for word in unlabelled}, "a block of sh"


@pytest.mark.parametrize("given", told_commands.of("make"), ids=" ".join)
def test_make_knows_what_is_told(given: list[str]) -> None:
    """Whether it would begin; `make test` is what runs this."""
    if {"test", "test-all"}.isdisjoint(given):
        asked = subprocess.run(["make", "-n", *given], cwd=REPOSITORY, capture_output=True, text=True)
        assert asked.returncode == 0, asked.stderr
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    assert all(f"$({word.split('=')[0]})" in makefile for word in given if "=" in word)


def test_what_is_installed_by_hand_is_as_the_project_has_it() -> None:
    project = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    for _, *wanted in told_commands.of("pip"):
        assert all(f'"{name}"' in project for name in wanted)


@pytest.mark.parametrize("command", [name for name in shipped("command_line") if "training" not in name])
def test_every_option_of_every_command_is_on_its_page(command: str) -> None:
    page = (REPOSITORY / "docs/reference/command-line.md").read_text(encoding="utf-8")
    section = next(part for part in page.split("\n## ")[1:] if f"--command neurarig {command}" in part)
    for flag in shipped("command_line")[command]:
        named = flag if flag.startswith("--") else flag.upper()
        assert re.search(rf"{re.escape(named)}\b", section) or flag == "kind", f"{command} {flag}"


def test_every_option_of_batches_is_on_their_page() -> None:
    page = (REPOSITORY / "docs/reference/batch.md").read_text(encoding="utf-8")
    assert all(flag in page for flag in options_of(batch._parser()) if flag.startswith("--"))


def test_every_command_of_the_training_is_on_a_page() -> None:
    told = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    for name in shipped("command_line"):
        assert not name.startswith("training") or f"neurarig_addon.{name}" in told, name


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
