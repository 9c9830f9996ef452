"""Blender's window, worked by mouse and keys: what is under the mouse is asked for, and xdotool clicks it.

Everything that needs the window to answer is a generator that yields the seconds to wait, for `play`.
"""

import os
import subprocess
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import bpy
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Vector

TAB = "NeuraRig"
TABS, EDGE = 26, 4  # pixels: at the right of the sidebar, and around it
ROW = 8  # pixels between places that are looked at: rows are 20 high
VALUES, LAST = 0.62, 0.9  # of the sidebar's width, where buttons are: values, and those at the end of a row
ANSWER, LOOK = 0.6, 0.05  # seconds
BRIGHT, DARK = 150, 95  # of a panel's arrow, and of the panel around it, of 255
ARROW = 35  # pixels from the sidebar's left edge to the arrows of the panels in Walk
# Panels in Walk in their order, down to where one was opened; those in Path & Ground are there once it is
# open.
HEADERS = (
    "Style & Person",
    "Body",
    "Head & Facing",
    "Steps & Timing",
    "Path & Ground",
    "Path",
    "Ground",
    "Footprints",
)
Wait = Iterator[float]


def play(story: Callable[[], Wait]) -> None:
    """Tell a story as soon as the window is there; where REAL_BLENDER_READY names a file, it is made at the
    end."""
    run = story()

    def step() -> float | None:
        try:
            return next(run)
        except StopIteration:
            pass
        except Exception:
            traceback.print_exc()
        if ready := os.environ.get("REAL_BLENDER_READY"):
            Path(ready).touch()
        return None

    bpy.app.timers.register(step, first_interval=1.0, persistent=True)


class Window:
    """The first window, its 3D view and the view's sidebar."""

    def __init__(self) -> None:
        """Take the first 3D view of the first window."""
        self.x = self.y = 0.0
        self.window = bpy.context.window_manager.windows[0]
        self.area = next(each for each in self.window.screen.areas if each.type == "VIEW_3D")
        self.area.spaces.active.show_region_ui = True

    def region(self, kind: str) -> bpy.types.Region:
        return next(each for each in self.area.regions if each.type == kind)

    def show_tab(self) -> Wait:
        """Bring our tab to the front."""
        self.area.tag_redraw()
        yield ANSWER
        self.region("UI").active_panel_category = TAB
        self.area.tag_redraw()
        yield ANSWER

    def shot(self, picture: Path, kind: str = "", *how: str) -> None:
        """Write a picture of a region, or of the whole area; `how`: further arguments of ImageMagick."""
        part = self.region(kind) if kind else self.area
        wide, high = part.width - (TABS if kind == "UI" else 0) - 2 * EDGE, part.height - 2 * EDGE
        place = f"{wide}x{high}+{part.x + EDGE}+{self.window.height - part.y - part.height + EDGE}"
        subprocess.run(
            ["import", "-window", "root", "-crop", place, "+repage", *how, str(picture)], check=True
        )

    def at(self, x: float, y: float) -> Wait:
        """Move the mouse to a place of the window, counted from its lower left corner."""
        _tell("mousemove", round(x), round(self.window.height - 1 - y))
        yield LOOK

    def click(self) -> Wait:
        """Click with the left button."""
        _tell("click", 1)
        yield ANSWER

    def keys(self, *names: str) -> Wait:
        """Press keys, one after the other."""
        for name in names:
            _tell("key", name)
            yield 0.15
        yield ANSWER

    def types(self, text: str) -> Wait:
        """Write a text and confirm it."""
        _tell("type", "--delay", 40, text)
        yield ANSWER
        yield from self.keys("Return")

    def find(self, name: str, column: float = VALUES) -> Wait:
        """Put the mouse on a button of the sidebar whose operator, or whose setting's path, ends so: the next
        one below, else the first.

        `column`: where to look, as a share of the sidebar's width.
        """
        sidebar = self.region("UI")
        rows = range(sidebar.height - ROW, 0, -ROW)
        below = [y for y in rows if sidebar.y + y < self.y]
        for y in [*below, *rows]:
            # off its edge
            self.x, self.y = sidebar.x + column * (sidebar.width - TABS), sidebar.y + y - 0.75 * ROW
            yield from self.at(self.x, sidebar.y + y)
            if self._under().endswith(name):
                yield from self.at(self.x, self.y)
                yield ANSWER
                if self._under().endswith(name):  # not the one that was there before
                    return
        raise LookupError(f"There is no button {name}.")

    def scroll(self) -> Wait:
        """Turn the wheel until the lower end of the sidebar is seen."""
        sidebar = self.region("UI")
        yield from self.at(sidebar.x + ARROW, sidebar.y + sidebar.height // 2)
        _tell("click", "--repeat", 30, "--delay", 20, 5)
        yield ANSWER

    def press(self, name: str, column: float = VALUES) -> Wait:
        """Click a button and wait until its work is done."""
        yield from self.find(name, column)
        yield from self.click()
        while len(self.window.modal_operators):
            yield ANSWER
        yield ANSWER

    def choose(self, name: str, number: int, of: int) -> Wait:
        """Click one of the choices that stand beside each other in a row."""
        yield from self.find(name)
        sidebar, y = self.region("UI"), self.y
        yield from self.at(sidebar.x + EDGE + (number + 0.5) / of * (sidebar.width - TABS - 2 * EDGE), y)
        yield from self.click()

    def set_number(self, name: str, number: float) -> Wait:
        """Edit the number under the mouse."""
        yield from self.find(name)
        yield from self.keys("Return")
        yield from self.keys("ctrl+a")
        yield from self.types(f"{number:g}")

    def set_object(self, name: str, obj: bpy.types.Object) -> Wait:
        """Click a field of an object, and choose one by its name."""
        yield from self.find(name)
        yield from self.click()
        yield from self.types(obj.name)

    def drag(self, key: str, place: Vector, to: Vector) -> Wait:
        """Press a key on a place of the view, move the mouse to another, and click."""
        yield from self.over(place)
        yield from self.keys(key)
        yield from self.over(to)
        yield ANSWER
        yield from self.click()

    def pick(self, obj: bpy.types.Object) -> Wait:
        """Click an object in the view, at its origin."""
        yield from self.over(obj.matrix_world.translation)
        yield from self.click()
        assert bpy.context.view_layer.objects.active == obj, (
            f"clicked {obj.name}, got {bpy.context.view_layer.objects.active}"
        )

    def over(self, place: Vector) -> Wait:
        """Move the mouse over a place of the scene."""
        view = self.region("WINDOW")
        shown = location_3d_to_region_2d(view, self.area.spaces.active.region_3d, place)
        yield from self.at(view.x + shown.x, view.y + shown.y)

    def open(self, label: str) -> Wait:
        """Click the header of a panel, found by its arrow."""
        yield from self.at(self.region("UI").x - 50, self.region("UI").y + 50)  # off all buttons
        yield ANSWER
        before = self._arrows()
        yield from self.at(self.region("UI").x + 2 * ARROW, before[HEADERS.index(label)])
        yield from self.click()
        now = self._arrows()
        while now in (before, []) or now != self._arrows():  # it opens slowly
            yield ANSWER
            now = self._arrows()

    def _arrows(self) -> list[float]:
        """Return the heights in the window at which the panels in Walk have their arrows, from above."""
        sidebar = self.region("UI")
        top = self.window.height - sidebar.y - sidebar.height
        middle = sidebar.x + ARROW
        seen = self._screen()[top : top + sidebar.height].max(axis=-1)
        arrow, before, after = (
            seen[:, middle + first : middle + last] for first, last in ((-5, 6), (-12, -6), (6, 9))
        )
        is_arrow = (arrow.max(axis=1) > BRIGHT) & (before.max(axis=1) < DARK) & (after.max(axis=1) < DARK)
        edges = np.flatnonzero(np.diff(np.pad(is_arrow.astype(int), 1)))
        rows = [(first + last) / 2.0 for first, last in edges.reshape(-1, 2) if 4 <= last - first <= 13]
        return [self.window.height - 1 - (top + row) for row in rows]

    def _under(self) -> str:
        """Return the operator or the path of the setting under the mouse."""
        manager = bpy.context.window_manager
        with bpy.context.temp_override(window=self.window, area=self.area, region=self.region("UI")):
            for ask in (bpy.ops.ui.copy_python_command_button, bpy.ops.ui.copy_data_path_button):
                if ask.poll():
                    ask()
                    return (
                        manager.clipboard.partition("(")[0] if "(" in manager.clipboard else manager.clipboard
                    )
        return ""

    def _screen(self) -> np.ndarray:
        """Return the screen `(height, width, 3)`, 0..255."""
        taken = subprocess.run(
            ["import", "-window", "root", "-depth", "8", "rgb:-"], check=True, capture_output=True
        ).stdout
        return np.frombuffer(taken, np.uint8).reshape(self.window.height, -1, 3).astype(int)


def _tell(*words: object) -> None:
    subprocess.run(["xdotool", *map(str, words)], check=True)
