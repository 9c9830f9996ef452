"""What is on the screen: world positions projected to a view, and panels drawn again."""

from collections.abc import Callable

import blf
import bpy
import numpy as np
from bpy.types import Area, Event, Region, RegionView3D
from numpy.typing import ArrayLike

from ...core.geometry.vectors import transformed
from .language import said


def on_screen(places: np.ndarray, region: Region, view: RegionView3D) -> tuple[np.ndarray, np.ndarray]:
    """Return places `(n, 3)` projected to pixels `(n, 2)` of a region, and the rows in view, nearest to the
    centre first."""
    to_view = np.array(view.perspective_matrix)
    seen = transformed(places, to_view)
    depth = places @ to_view[3, :3] + to_view[3, 3]
    near = seen[:, :2] / np.where(depth > 0.0, depth, np.inf)[:, None]
    rows = np.flatnonzero((depth > 0.0) & (np.abs(near) < 1.0).all(axis=1))
    return (0.5 + 0.5 * near) * (region.width, region.height), rows[
        np.argsort((near[rows] ** 2).sum(axis=1), kind="stable")
    ]


def write_beside(
    places: np.ndarray,
    words: Callable[[int], str],
    inks: ArrayLike,
    aside: tuple[float, float],
    size: int,
    most: int | None = None,
) -> None:
    """Write the words of each row beside places `(n, 3)` of the view that is drawn, of the `most` nearest to
    its centre; in `inks` `(4,)` or `(n, 4)`, so many pixels `aside`."""
    region, view = bpy.context.region, bpy.context.region_data
    if region is None or view is None:
        return
    blf.size(0, size * bpy.context.preferences.system.ui_scale)
    inks = np.broadcast_to(inks, (len(places), 4))
    where, rows = on_screen(places, region, view)
    for row in rows[:most]:
        blf.color(0, *inks[row])
        blf.position(0, *(where[row] + aside), 0.0)
        blf.draw(0, said(words(row)))


def redraw(kind: str = "VIEW_3D", region: str = "") -> None:
    """Redraw every editor of a kind, or a region of each; for timers, after which Blender does not redraw."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            for part in area.regions if area.type == kind else ():
                if region in ("", part.type):
                    part.tag_redraw()


def is_over(area: Area, event: Event) -> bool:
    """Return whether the mouse is over the view itself, and not over what lies beside it or on it."""
    there = {
        region.type
        for region in area.regions
        if 0 <= event.mouse_x - region.x < region.width and 0 <= event.mouse_y - region.y < region.height
    }
    return there <= {"WINDOW", "HUD", "ASSET_SHELF"} and "WINDOW" in there


def drawing(*parts: tuple[str, Callable[[], None], str]) -> tuple[Callable[[], None], Callable[[], None]]:
    """Return what begins and what ends drawing: by functions, each in a kind of editor at a time of its own
    drawing; without a window nothing is drawn."""
    handles = []

    def begin() -> None:
        for name, function, when in () if bpy.app.background else parts:
            space = getattr(bpy.types, name)
            handles.append((space, space.draw_handler_add(function, (), "WINDOW", when)))

    def end() -> None:
        while handles:
            space, handle = handles.pop()
            space.draw_handler_remove(handle, "WINDOW")

    return begin, end
