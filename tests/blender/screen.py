"""A viewport in place of the one that there is not: what is drawn in it is written down."""

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import patch

import bpy
import numpy as np

from neurarig_addon.blender.interface import screen as viewport

FROM_ABOVE = np.array(
    [[0.2, 0.0, 0.0, 0.1], [0.0, 0.2, 0.05, 0.4], [0.0, 0.0, 0.1, 0.0], [0.0, 0.02, 0.01, 1.1]]
)
PREFERENCES = SimpleNamespace(system=SimpleNamespace(ui_scale=1.5))
VIEW = SimpleNamespace(perspective_matrix=FROM_ABOVE)
REGION = SimpleNamespace(width=900, height=700, x=20, y=10)
DRAWN_WITH = {"gpu", "GPUBatch", "GPUIndexBuf", "GPUVertBuf", "GPUVertFormat", "batch_for_shader", "blf"}


class Noted:
    """Anything that can be called: writes down what it is asked, with numbers as arrays."""

    def __init__(self, calls: list[tuple[str, list[Any]]], name: str) -> None:
        self._calls, self._name = calls, name

    def __getattr__(self, name: str) -> "Noted":
        return Noted(self._calls, f"{self._name}.{name}")

    def __call__(self, *given: Any, **named: Any) -> "Noted":
        self._calls.append((self._name, [_plain(value) for value in (*given, *named.values())]))
        return Noted(self._calls, f"{self._name}()")


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.astype(float)
    return value._name if isinstance(value, Noted) else value


@contextmanager
def screen(
    calls: list[tuple[str, list[Any]]], drawing: ModuleType, **context: Any
) -> Generator[SimpleNamespace]:
    """Put a viewport in place of the one that there is not; what a module draws goes into `calls`."""
    shows = {"space_data": shown_in(), "region": REGION, "region_data": VIEW}
    here = SimpleNamespace(scene=bpy.context.scene, preferences=PREFERENCES, **{**shows, **context})
    with ExitStack() as stack:
        blender = SimpleNamespace(context=here, types=bpy.types, app=bpy.app)
        for module in (drawing, viewport):
            for name in DRAWN_WITH & set(vars(module)):
                stack.enter_context(patch.object(module, name, Noted(calls, name)))
            stack.enter_context(patch.object(module, "bpy", blender))
        yield here


def shown_in(overlays: bool = True, extras: bool = True) -> SimpleNamespace:
    """Return a 3D viewport with overlays and extras on or off."""
    return SimpleNamespace(overlay=SimpleNamespace(show_overlays=overlays, show_extras=extras))
