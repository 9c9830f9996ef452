"""Targets drawn in the viewport: coloured by side, with lines to the points that follow them, and the names of selected ones."""

from typing import Any

import blf
import bpy
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ..interface.screen import on_screen
from . import live
from .follower import Follower
from .marks import labels_of, lines_of

_WIDTH = 1.5
_TEXT_SIZE, _TEXT_INK = 12, (1.0, 1.0, 1.0, 0.95)
_CLEAR_OF = 12  # pixels from the target to its name

_handles: list[Any] = []


def _shown() -> list[tuple[bpy.types.Object, Follower]]:
    """Return the characters of the scene whose targets are drawn, and their followers."""
    space = bpy.context.space_data
    if space is None or not space.overlay.show_overlays or not space.overlay.show_extras:
        return []
    return [(obj, follower) for obj, follower in live.followed_in(bpy.context.scene) if obj.neurarig.neural_pose.show_lines]


def _draw_lines() -> None:
    shown = _shown()
    if not shown:
        return
    metres = bpy.context.scene.unit_settings.scale_length
    shader = gpu.shader.from_builtin("FLAT_COLOR")
    gpu.state.blend_set("ALPHA")
    gpu.state.line_width_set(_WIDTH)
    for obj, follower in shown:
        drawn = lines_of(obj, follower, metres)
        gpu.state.depth_test_set("NONE" if obj.neurarig.neural_pose.in_front else "LESS_EQUAL")
        corners = {"pos": drawn.lines.reshape(-1, 3).tolist(), "color": drawn.inks.repeat(2, axis=0).tolist()}
        batch_for_shader(shader, "LINES", corners).draw(shader)
    gpu.state.depth_test_set("NONE")
    gpu.state.line_width_set(1.0)
    gpu.state.blend_set("NONE")


def _draw_names() -> None:
    region, view = bpy.context.region, bpy.context.region_data
    if region is None or view is None:
        return
    blf.size(0, _TEXT_SIZE * bpy.context.preferences.system.ui_scale)
    blf.color(0, *_TEXT_INK)
    for obj, _ in _shown():
        names, places = labels_of(obj)
        where, rows = on_screen(places, np.array(view.perspective_matrix), (region.width, region.height))
        for row in rows:
            blf.position(0, where[row, 0] + _CLEAR_OF, where[row, 1], 0.0)
            blf.draw(0, names[row])


def register() -> None:
    """Start drawing."""
    if not bpy.app.background:
        for function, when in ((_draw_lines, "POST_VIEW"), (_draw_names, "POST_PIXEL")):
            _handles.append(bpy.types.SpaceView3D.draw_handler_add(function, (), "WINDOW", when))


def unregister() -> None:
    """Stop drawing."""
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")
