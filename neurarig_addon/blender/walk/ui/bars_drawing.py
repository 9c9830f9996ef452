"""Acts, waypoints and arrivals drawn as bars on the timeline and the dope sheet, a row for each character in
its colour, and as marks in the viewport."""

import colorsys
from typing import NamedTuple

import blf
import bpy
import gpu
import numpy as np
from bpy.types import Object, Region
from gpu_extras.batch import batch_for_shader

from ....core.geometry.vectors import transformed
from ...interface.language import said
from ...interface.screen import drawing, on_screen, redraw
from ..show import live
from ..source import bars as walk_bars
from ..source import memory
from ..way import deck, world
from ..way.markers import ACT
from ..way.path import travels_with

MOST_ROWS, MOST_BARS = 12, 200
HIGH, LEAST_HIGH, EDGE, WIDE = 16.0, 5.0, 5.0, 6.0  # pixels
LOW, SCRUB = 20.0, 26.0  # of what scrolls below, and of the frames above
TEXT_SIZE, MARK, ALPHA, CHOSEN_ALPHA = 11, 5.0, 0.55, 0.95
TURN = 0.618  # of the circle of hues from a character to the next


class DrawnBar(NamedTuple):
    """A bar as it is drawn: of whom, in which colour, from where to where `(x, x, y, y)` in pixels."""

    obj: Object
    bar: "walk_bars.Bar"
    ink: tuple[float, float, float]
    place: tuple[float, float, float, float]


class _Held:
    """The bar that the mouse holds, and how many frames later its begin and its end are drawn; and when what
    is shown begins and ends."""

    bar: "walk_bars.Bar | None" = None
    frames = 0.0, 0.0
    shown: tuple[tuple[float, float], ...] = ()


held = _Held()


def ink_of(obj: Object, number: int) -> tuple[float, float, float]:
    """Return a character's colour: its own, or one of the `number` that it has among those that walk."""
    own = tuple(obj.color)[:3]
    return own if own != (1.0, 1.0, 1.0) else colorsys.hsv_to_rgb(0.55 + TURN * number, 0.55, 0.95)


def rows() -> list[tuple[Object, tuple["walk_bars.Bar", ...], tuple[float, float, float]]]:
    """Return the walking characters that have bars, with these and their colours."""
    found = [
        (obj, walk_bars.bars_of(obj)[:MOST_BARS], ink_of(obj, number))
        for number, obj in enumerate(live.walking(bpy.context.scene))
    ]
    return [row for row in found if row[1]][:MOST_ROWS]


def drawn_in(region: Region) -> list[DrawnBar]:
    """Return the bars in a region of the dope sheet, from the lowest lane up; bars at the same time are above
    one another."""
    scale, found, lanes = bpy.context.preferences.system.ui_scale, [], []
    for obj, bars, ink in rows():
        first = len(lanes)
        for bar in sorted(bars, key=lambda bar: bar.begin):
            lane = next(
                (number for number in range(first, len(lanes)) if lanes[number] <= bar.begin), len(lanes)
            )
            lanes[lane : lane + 1] = [bar.end]
            off = held.frames if bar is held.bar else (0.0, 0.0)
            left, right = (
                region.view2d.view_to_region(at + by, 0.0, clip=False)[0]
                for at, by in zip((bar.begin, bar.end), off, strict=True)
            )
            found.append((obj, bar, ink, left, max(right, left + WIDE * scale), lane))
    low = LOW * scale if region.height > 3.0 * SCRUB * scale else 0.0
    room = (region.height - SCRUB * scale - low) / max(len(lanes), 1)
    high = max(min(HIGH * scale, room), LEAST_HIGH)
    return [
        DrawnBar(obj, bar, ink, (left, right, low + lane * high + 1.0, low + (lane + 1) * high - 1.0))
        for obj, bar, ink, left, right, lane in found
    ]


def bar_at(region: Region, x: float, y: float) -> DrawnBar | None:
    """Return the bar at a place of a region, the one drawn last; None for none."""
    for one in reversed(drawn_in(region)):
        left, right, low, high = one.place
        if left - 1.0 <= x <= right + 1.0 and low <= y <= high:
            return one
    return None


def _draw_bars() -> None:
    scale = bpy.context.preferences.system.ui_scale
    gpu.state.blend_set("ALPHA")
    blf.size(0, TEXT_SIZE * scale)
    for obj, bar, ink, (left, right, low, high) in drawn_in(bpy.context.region):
        shown = obj.neurarig.walk.active_act if bar.what == ACT else obj.neurarig.walk.active_marker
        alpha = CHOSEN_ALPHA if bar.number == shown else ALPHA
        _draw_corners((*ink, alpha), (left, low), (right, low), (right, high), (left, high))
        words = said(bar.name)
        if blf.dimensions(0, words)[0] < right - left - EDGE and high - low > TEXT_SIZE * scale:
            blf.color(0, 0.0, 0.0, 0.0, 1.0)
            blf.position(0, left + EDGE, low + 0.25 * (high - low), 0.0)
            blf.draw(0, words)
    gpu.state.blend_set("NONE")


def _draw_marks() -> None:
    space, view, region = bpy.context.space_data, bpy.context.region_data, bpy.context.region
    if space is None or not space.overlay.show_overlays or region is None or view is None:
        return
    blf.size(0, TEXT_SIZE * bpy.context.preferences.system.ui_scale)
    there = rows()
    times = tuple((bar.begin, bar.end) for _, bars, _ in there for bar in bars)
    if times != held.shown:  # Blender does not redraw the bars where a walk's settings change
        held.shown = times
        redraw("DOPESHEET_EDITOR")
    for obj, bars, ink in there:
        source = memory.known(obj)
        if source is None or not travels_with(obj) or not obj.visible_get():
            continue
        to_world = deck.stand(obj, world.AS_IS) @ source.walk_to_armature
        places = transformed(np.array([bar.place for bar in bars]), to_world)
        where, seen = on_screen(places, region, view)
        for row in seen:
            x, y = where[row]
            _draw_corners((*ink, 1.0), (x - MARK, y), (x, y - MARK), (x + MARK, y), (x, y + MARK))
            if not (obj.neurarig.walk.show_footprints and bars[row].what == ACT):  # which says it already
                blf.color(0, *ink, 1.0)
                blf.position(0, x + 2.0 * MARK, y - MARK, 0.0)
                blf.draw(0, said(bars[row].name))


def _draw_corners(ink: tuple[float, float, float, float], *corners: tuple[float, float]) -> None:
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    shader.uniform_float("color", ink)
    batch_for_shader(shader, "TRI_FAN", {"pos": corners}).draw(shader)


register, unregister = drawing(
    ("SpaceDopeSheetEditor", _draw_bars, "POST_PIXEL"), ("SpaceView3D", _draw_marks, "POST_PIXEL")
)
