"""What is drawn of targets in the viewport, as numbers: lines to the points that follow them, coloured by side, and names."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import bpy
import numpy as np

from ...core.neural.points import INDEX
from .follower import Follower
from .places import is_there
from .points import label

_INKS = {"L": (0.25, 0.55, 1.0, 0.9), "R": (1.0, 0.3, 0.25, 0.9), "": (1.0, 0.8, 0.2, 0.9)}
_WIDE = 0.7  # share of an empty's size: half the width of the diamond in it
_NEAREST = 1e-3  # share of an empty's size: shorter lines are not drawn
_CORNERS = np.concatenate([np.eye(3), -np.eye(3)])
_EDGES = np.array([(first, second) for first in range(6) for second in range(first + 1, 6) if second - first != 3])


class Lines(NamedTuple):
    """Lines `(n, 2, 3)` in the world, Blender units, and their `inks` `(n, 4)`."""

    lines: np.ndarray
    inks: np.ndarray


class Labels(NamedTuple):
    """The names of selected targets, and their places `(n, 3)` in the world, Blender units."""

    names: list[str]
    places: np.ndarray


def lines_of(obj: bpy.types.Object, follower: Follower, metres: float) -> Lines:
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


def labels_of(obj: bpy.types.Object) -> Labels:
    """Return the names of the selected targets that a character follows."""
    chosen = [item for item in _followed(obj) if item.object.select_get()]
    places = [_stands(item.object, item.bone)[0] for item in chosen]
    return Labels([label(item.point) for item in chosen], np.array(places).reshape(-1, 3))


def _followed(obj: bpy.types.Object) -> Iterator[Any]:
    """Yield the targets of a character that are on and visible."""
    for item in obj.neurarig.neural_pose.targets:
        if item.use and is_there(item.object) and item.object.visible_get():
            yield item


def _stands(target: bpy.types.Object, bone: str) -> tuple[np.ndarray, float]:
    """Return a target's position and its drawn size."""
    posed = target.pose.bones.get(bone) if bone and target.pose else None
    place = target.matrix_world @ posed.head if posed else target.matrix_world.translation
    return np.array(place), target.empty_display_size * max(target.matrix_world.to_scale())
