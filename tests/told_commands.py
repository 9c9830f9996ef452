"""The commands that README and docs tell to type."""

import re
import runpy
import shlex
import sys
from importlib import import_module, util
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
PAGES = [*sorted(REPOSITORY.glob("README*.md")), *sorted((REPOSITORY / "docs").rglob("*.md"))]
PROGRAMS = ("blender", "python", "make", "pip", "dask", "godot", "unzip")


def blocks(page: Path) -> list[str]:
    """Return the blocks of a page that are typed, each whole."""
    return re.findall(r"^```sh\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def lines(block: str) -> set[str]:
    """Return the commands of a block, without what is said of them."""
    typed = block.replace("\\\n", " ").splitlines()
    return {shlex.join(shlex.split(line, comments=True)) for line in typed} - {""}


def commands(page: Path) -> set[str]:
    """Return a page's commands: the lines of its blocks, and what stands in its sentences."""
    named = re.findall(rf"`((?:{'|'.join(PROGRAMS)}) [^`\n]+)`", page.read_text(encoding="utf-8"))
    return {line for block in [*blocks(page), *named] for line in lines(block)}


def words(command: str) -> list[str]:
    """Return a command's words from its program on: without variables before it, and brackets around what may
    be left out."""
    found = [word.strip("[]") for word in shlex.split(command)]
    while re.match(r"[A-Z_]+=", found[0]):
        del found[0]
    if found[0] == "torchrun":  # several of `python`
        return ["python", *found[found.index("-m") :]]
    return [Path(found[0]).name, *found[1:]]


def of(program: str) -> list[list[str]]:
    """Return all commands of a program, without its name."""
    told = sorted({command for page in PAGES for command in commands(page)})
    return [words(command)[1:] for command in told if words(command)[0] == program]


def missing(given: list[str], capsys: pytest.CaptureFixture) -> str:
    """Ask what follows `python` for its help, which has to name the options; return what this Python lacks
    for it, '' where nothing."""
    is_module = given[0] == "-m"
    name, *typed = given[is_module:]
    spec = util.find_spec(name) if is_module else None
    if spec and spec.submodule_search_locations:
        spec = util.find_spec(f"{name}.__main__")
    source = Path(spec.origin if spec and spec.origin else REPOSITORY / name)
    first = next((k for k, word in enumerate(typed) if not re.fullmatch("[a-z][a-z_-]+", word)), len(typed))
    try:
        if "parse_args" not in source.read_text(encoding="utf-8"):  # it would begin with its work
            assert spec and not typed
            import_module(spec.name)
            return ""
        if name == "benchmarks" and first:
            import_module(f"benchmarks.{typed[0]}")
        with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as ended:
            patch.setattr(sys, "argv", [name, *typed[:first], "--help"])
            if is_module:
                runpy.run_module(name, run_name="__main__")
            else:
                runpy.run_path(str(source), run_name="__main__")
    except ModuleNotFoundError as lacking:
        top = str(lacking.name).split(".")[0]
        if util.find_spec(top):
            raise
        return top
    said = capsys.readouterr()
    assert ended.value.code == 0, said.err
    for word in typed:
        assert not word.startswith("--") or re.search(rf"{word}\b", said.out), f"{name}: {word}"
    return ""
