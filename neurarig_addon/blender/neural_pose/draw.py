"""Targets drawn in the viewport: coloured by side, with lines to the points that follow them, and the names
of selected ones."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import bpy
import gpu
import numpy as np
from bpy.types import Object
from gpu_extras.batch import batch_for_shader

from ...core.neural.points import INDEX
from ..interface.addon import preferred
from ..interface.screen import drawing, write_beside
from . import live
from .empties import label
from .follower import Follower
from .places import is_there

_INKS = {"L": (0.25, 0.55, 1.0, 0.9), "R": (1.0, 0.3, 0.25, 0.9), "": (1.0, 0.8, 0.2, 0.9)}
_WIDE = 0.7  # share of an empty's size: half the width of the diamond in it
_NEAREST = 1e-3  # share of an empty's size: shorter lines are not drawn
_CORNERS = np.concatenate([np.eye(3), -np.eye(3)])
_EDGES = np.array(
    [(first, second) for first in range(6) for second in range(first + 1, 6) if second - first != 3]
)
_WIDTH = 1.5
_TEXT_SIZE, _TEXT_INK = 12, (1.0, 1.0, 1.0, 0.95)
_CLEAR_OF = 12  # pixels from the target to its name


class Lines(NamedTuple):
    """Lines `(n, 2, 3)` in the world, Blender units, and their `inks` `(n, 4)`."""

    lines: np.ndarray
    inks: np.ndarray


class TargetLabels(NamedTuple):
    """The names of selected targets, and their places `(n, 3)` in the world, Blender units."""

    names: list[str]
    places: np.ndarray


def lines_of(obj: Object, follower: Follower, metres: float) -> Lines:
    """Return the lines of the targets that a character follows; hidden and disabled ones have none."""
    points = follower.posed_points(metres)
    lines, inks = [], []
    for item in _followed(obj):
        place, size = _stands(item.object, item.bone)
        found = [place + _WIDE * size * _CORNERS[_EDGES]] if item.is_made else []
        if points is not None and np.linalg.norm(points[INDEX[item.point]] - place) > _NEAREST * size:
            found.append(np.array([[place, points[INDEX[item.point]]]]))
        lines += found
        inks += [_INKS[item.point.partition(".")[2]]] * sum(len(part) for part in found)
    return Lines(np.concatenate(lines or [np.empty((0, 2, 3))]), np.array(inks).reshape(-1, 4))


def labels_of(obj: Object) -> TargetLabels:
    """Return the names of the selected targets that a character follows."""
    chosen = [item for item in _followed(obj) if item.object.select_get()]
    places = [_stands(item.object, item.bone)[0] for item in chosen]
    return TargetLabels([label(item.point) for item in chosen], np.array(places).reshape(-1, 3))


def _followed(obj: Object) -> Iterator[Any]:
    """Yield the targets of a character that are on and visible."""
    for item in obj.neurarig.neural_pose.targets:
        if item.use and is_there(item.object) and item.object.visible_get():
            yield item


def _stands(target: Object, bone: str) -> tuple[np.ndarray, float]:
    """Return a target's position and its drawn size."""
    posed = target.pose.bones.get(bone) if bone and target.pose else None
    place = target.matrix_world @ posed.head if posed else target.matrix_world.translation
    return np.array(place), target.empty_display_size * max(target.matrix_world.to_scale())


def _shown() -> list[tuple[Object, Follower]]:
    """Return the characters of the scene whose targets are drawn, and their followers."""
    space = bpy.context.space_data
    if space is None or not space.overlay.show_overlays or not space.overlay.show_extras:
        return []
    if not preferred("draw_targets", True):
        return []
    return [
        (obj, follower)
        for obj, follower in live.followed_in(bpy.context.scene)
        if obj.neurarig.neural_pose.show_lines
    ]


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
    for obj, _ in _shown():
        names, places = labels_of(obj)
        write_beside(places, names.__getitem__, _TEXT_INK, (_CLEAR_OF, 0.0), _TEXT_SIZE)


register, unregister = drawing(
    ("SpaceView3D", _draw_lines, "POST_VIEW"), ("SpaceView3D", _draw_names, "POST_PIXEL")
)
