"""Drawn faults in the functions of a running Python: which statements run, and what happens with one of them
in."""

import ast
import builtins
import gc
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from types import CodeType, FunctionType
from typing import Any

from .faults import Fault, functions
from .lines import statement
from .suites import PACKAGE, ROOT

TELLS = "__neurarig_fault_runs__"  # a built-in name while faults are planted
FORGETFUL = (PACKAGE, "tests")  # packages whose caches may hold what a fault changes
KEPT = ("tests.blender.situations",)  # what they know was there before anything of ours
Cache = type(lru_cache(int))
Codes = dict[FunctionType, CodeType]


def imported(rooms: Iterable[str]) -> None:
    """Import all modules of some rooms, so that their functions are in memory."""
    for room in {room.partition("/")[0].partition(":")[0] for room in rooms}:
        for path in sorted((ROOT / room).rglob("*.py")):
            import_module(
                ".".join((PACKAGE, *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
            )


class Planted:
    """Faults by number, in functions that tell when the statement of one runs.

    `statements`: number -> `path:line` of its statement.  `paths`: files of which every statement tells.
    """

    def __init__(self, faults: Mapping[int, tuple[str, Fault]], paths: Iterable[str] = ()) -> None:
        """Find the functions; `faults`: number -> path below the package, fault."""
        self.paths = frozenset(paths)
        self._runs: set[int | str] = set()
        sources = {path: (ROOT / path).read_bytes() for path, _ in faults.values()}
        self.paths_of = {number: path for number, (path, _) in faults.items()}
        self.statements = {
            number: f"{path}:{statement(sources[path], fault).start}"
            for number, (path, fault) in faults.items()
        }
        setattr(builtins, TELLS, self._runs.add)
        there = _functions_in_memory()
        self.telling: Codes = {}
        self.faulty: dict[int, Codes] = {}
        for path in sorted(self.paths | sources.keys()):
            own = {number: fault for number, (of, fault) in faults.items() if of == path}
            source = (ROOT / path).read_bytes()
            told = told_of(source, own, path if path in self.paths else "")
            live = there.get(str(ROOT / path), [])
            telling = _fitting(live, told)
            for number, fault in own.items():
                # A function within another is made anew by it; those that have been made stay as they are.
                names = {fault.function, fault.function.partition(".<locals>")[0]}
                named = [function for function in live if function.__code__.co_qualname in names]
                # It tells as well: what was remembered from before, it is never asked.
                self.faulty[number] = _fitting(named, told_of(fault.put_into(source), {number: fault}))
                self.telling |= {function: telling[function] for function in named if function in telling}
            if path in self.paths:
                self.telling |= telling
        self.plain = {function: function.__code__ for function in self.telling}
        self.caches: list[Any] = []

    @property
    def runs(self) -> set[int]:
        """Return the numbers of faults whose statement has run."""
        return {each for each in self._runs if isinstance(each, int)}

    @property
    def ran(self) -> set[str]:
        """Return the statements `path:line` that have run, of `paths`."""
        return {each for each in self._runs if isinstance(each, str)}

    def find_caches(self) -> None:
        """Find what remembers answers, once all modules are there."""
        caches = [(str(each.__module__), each) for each in gc.get_objects() if isinstance(each, Cache)]
        # pytest names modules from the folder of the checkout
        ours = [
            (module, each) for module, each in caches if not {*FORGETFUL}.isdisjoint(module.split(".")[:2])
        ]
        self.caches = [each for module, each in ours if not any(kept in module for kept in KEPT)]

    def tell(self) -> None:
        """Have the functions tell which statements run, in `runs`."""
        self._put(self.telling)
        self._runs.clear()

    def put_in(self, number: int) -> None:
        """Put one fault in, which tells whether it runs; `take_out` takes it out again."""
        self._put(self.plain | self.faulty[number])
        self._runs.clear()

    def take_out(self) -> None:
        """Leave all functions as they were."""
        self._put(self.plain)

    def _put(self, codes: Codes) -> None:
        for function, code in codes.items():
            function.__code__ = code
        for each in self.caches:
            each.cache_clear()


def told_of(source: bytes, faults: Mapping[int, Fault], path: str = "") -> ast.Module:
    """Return a source in which the statement of each fault is preceded by a call that tells its number.

    With a `path` each statement of its functions is preceded by one that tells `path:line`.
    """
    tree = ast.parse(source)
    places = _places(tree)
    calls: dict[int | str, tuple[list[ast.stmt], ast.stmt]] = {}
    calls |= {number: places[statement(source, fault).start] for number, fault in faults.items()}
    within = [
        node
        for _, function in functions(tree, "")
        for node in ast.walk(function)
        if path and isinstance(node, ast.stmt)
    ]
    calls |= {f"{path}:{node.lineno}": places[node.lineno] for node in within if node.lineno in places}
    for number, (block, following) in calls.items():
        call = ast.parse(f"{TELLS}({number!r})").body[0]
        for node in ast.walk(call):
            ast.copy_location(node, following)
        block.insert(next(row for row, node in enumerate(block) if node is following), call)
    return tree


def _places(tree: ast.Module) -> dict[int, tuple[list[ast.stmt], ast.stmt]]:
    """Return by line the block and the innermost statement that begins there."""
    found = {}
    for node in ast.walk(tree):
        for _, block in ast.iter_fields(node):
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                found |= {each.lineno: (block, each) for each in block}
    return found


def _functions_in_memory() -> dict[str, list[FunctionType]]:
    found: dict[str, list[FunctionType]] = {}
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and f"/{PACKAGE}/" in each.__code__.co_filename:
            found.setdefault(each.__code__.co_filename, []).append(each)
    return found


def codes(tree: ast.Module, file: str) -> dict[tuple[str, int], CodeType]:
    """Return the codes of a source by their qualified names and first lines, as a property's reader and
    writer share their name."""
    return {(code.co_qualname, code.co_firstlineno): code for code in _within(compile(tree, file, "exec"))}


def _within(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _within(each)


def _fitting(live: list[FunctionType], tree: ast.Module) -> Codes:
    """Return a code for each function that can take it: one with the same names from outside."""
    nodes = {
        (name, min([node.lineno, *(each.lineno for each in node.decorator_list)])): node
        for name, node in functions(tree, "")
    }
    # Those of one expression hold no statement, and several may begin in one line.
    of = {function: (function.__code__.co_qualname, function.__code__.co_firstlineno) for function in live}
    of = {function: place for function, place in of.items() if place in nodes}
    outside = {
        of[function]: function.__code__.co_freevars for function in of if function.__code__.co_freevars
    }
    for place, names in outside.items():
        kept = ast.parse(f"if False: {names}".replace("'", "")).body
        nodes[place].body += [ast.copy_location(each, nodes[place].body[-1]) for each in kept]
    fits = codes(ast.fix_missing_locations(tree), live[0].__code__.co_filename) if live else {}
    found = {function: fits[place] for function, place in of.items() if place in fits}
    return {
        function: code
        for function, code in found.items()
        if code.co_freevars == function.__code__.co_freevars
    }
