"""Modules that are read when they are first used, so that Blender starts without reading all of them.

Within `read_later` a module that is imported as a module (`from ..walk import api`) is read once something in
it is asked for; one from which names are imported (`from .api import walk`), and every package, at once.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from threading import RLock
from types import ModuleType
from typing import Any


class Later(ModuleType):
    """A module that has yet to be read; then it becomes an ordinary one.

    Unlike those of `LazyLoader`, other threads (a render's) wait until all of it is there, and whoever goes
    through all modules, as `inspect` does, reads none.
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._read()
        return getattr(self, name)

    def __dir__(self) -> list[str]:
        self._read()
        return dir(self)

    def _read(self) -> None:
        module: Any = self
        with module.__spec__.loader_state:
            if type(self) is Later:
                module.__loader__.exec_module(module)
                module.__class__ = ModuleType


class _Loader(LazyLoader):
    def exec_module(self: Any, module: Any) -> None:
        module.__loader__ = module.__spec__.loader = self.loader
        module.__spec__.loader_state = RLock()
        module.__class__ = Later


class _Finder(MetaPathFinder):
    """Finds the modules of a package."""

    def __init__(self, package: str) -> None:
        self._inside = f"{package}."

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        found = PathFinder.find_spec(name, path, target) if name.startswith(self._inside) else None
        if found is not None and found.loader is not None and found.submodule_search_locations is None:
            found.loader = _Loader(found.loader)
        return found


@contextmanager
def read_later(package: str) -> Iterator[None]:
    """Within the block, read modules of a package that are imported as modules when they are first used."""
    finder = _Finder(package)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
