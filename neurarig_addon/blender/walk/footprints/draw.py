"""Footprints drawn in the viewport: soles on the ground, their numbers and frames beside them."""

from typing import Any

import blf
import bpy
import gpu
import numpy as np
from gpu.types import GPUBatch, GPUIndexBuf, GPUVertBuf, GPUVertFormat

from ...interface.screen import on_screen
from ...live.memory import Memory
from .. import live, remembered
from ..read_settings import travels_with
from .shown import ShownPrints, forget, shown

LINE_WIDTH = 1.5
MOST_LABELS = 120  # most labels, those nearest to the middle of the view
TEXT_SIZE, TEXT_INK, WRONG_TEXT_INK = 11, (1.0, 1.0, 1.0, 0.9), (1.0, 0.45, 0.4, 1.0)
CLEAR_OF = 10  # pixels beside the print

_handles: list[Any] = []
_batches: Memory[tuple[ShownPrints, GPUBatch, GPUBatch]] = Memory()


def _shown_now() -> list[tuple[bpy.types.Object, ShownPrints]]:
    """Return the footprints of the scene's characters that have been posed since the last change."""
    space, scene = bpy.context.space_data, bpy.context.scene
    if space is None or not space.overlay.show_overlays:
        return []
    found = []
    for obj in live.walking(scene):
        source = remembered.known(obj)
        if obj.neurarig.walk.show_footprints and source is not None and travels_with(obj) and obj.visible_get():
            found.append((obj, shown(obj, scene, source)))
    return found


def _draw_soles() -> None:
    found = _shown_now()
    if not found:
        return
    shader = gpu.shader.from_builtin("FLAT_COLOR")
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("LESS_EQUAL")
    gpu.state.line_width_set(LINE_WIDTH)
    for obj, prints in found:
        known = _batches.get(obj)
        if known is None or known[0] is not prints:
            known = _batches[obj] = (prints, *_batches_of(prints))
        for batch in known[1:]:
            batch.draw(shader)
    gpu.state.line_width_set(1.0)
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("NONE")


def _batches_of(prints: ShownPrints) -> tuple[GPUBatch, GPUBatch]:
    """Return the soles' faces and edges, also at lift for feet that turn on the ball."""
    corners = prints.outlines.shape[1]
    around, each = np.arange(1, corners - 1, dtype=np.int32), np.arange(corners, dtype=np.int32)
    face, edge = np.stack([np.zeros_like(around), around, around + 1], axis=-1), np.stack([each, (each + 1) % corners], axis=-1)
    lines = np.concatenate([prints.outlines, prints.left])
    solid = np.concatenate([prints.inks, prints.left_inks])
    solid[:, 3] = np.minimum(2.0 * solid[:, 3], 1.0)
    return (
        _batch("TRIS", prints.outlines, prints.inks, _of_each(face, len(prints.outlines), corners)),
        _batch("LINES", lines, solid, _of_each(edge, len(lines), corners)),
    )


def _of_each(index: np.ndarray, count: int, corners: int) -> np.ndarray:
    """Return one outline's indices `(k, n)` repeated for `count` outlines `(count * k, n)`."""
    begin = corners * np.arange(count, dtype=np.int32)[:, None, None]
    return (begin + index).reshape(-1, index.shape[-1])


def _batch(kind: str, outlines: np.ndarray, inks: np.ndarray, index: np.ndarray) -> GPUBatch:
    form = GPUVertFormat()
    for name, numbers in (("pos", 3), ("color", 4)):
        form.attr_add(id=name, comp_type="F32", len=numbers, fetch_mode="FLOAT")
    vertices = GPUVertBuf(form, outlines.shape[0] * outlines.shape[1])
    vertices.attr_fill("pos", np.ascontiguousarray(outlines.reshape(-1, 3), dtype=np.float32))
    vertices.attr_fill("color", np.repeat(inks, outlines.shape[1], axis=0).astype(np.float32))
    return GPUBatch(type=kind, buf=vertices, elem=GPUIndexBuf(type=kind, seq=np.ascontiguousarray(index)))


def _draw_labels() -> None:
    region, view = bpy.context.region, bpy.context.region_data
    if region is None or view is None:
        return
    blf.size(0, TEXT_SIZE * bpy.context.preferences.system.ui_scale)
    for _, prints in _shown_now():
        where, rows = on_screen(prints.places, np.array(view.perspective_matrix), (region.width, region.height))
        for number in rows[:MOST_LABELS]:
            blf.color(0, *(WRONG_TEXT_INK if prints.is_wrong[number] else TEXT_INK))
            blf.position(0, where[number, 0] + CLEAR_OF, where[number, 1], 0.0)
            blf.draw(0, prints.labels[number])


def register() -> None:
    """Start drawing."""
    if bpy.app.background:
        return
    for function, when in ((_draw_soles, "POST_VIEW"), (_draw_labels, "POST_PIXEL")):
        _handles.append(bpy.types.SpaceView3D.draw_handler_add(function, (), "WINDOW", when))


def unregister() -> None:
    """Stop drawing."""
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")
    _batches.forget()
    forget()
