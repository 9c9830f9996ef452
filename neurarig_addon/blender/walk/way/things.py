"""The things that acts have to do with, as a walk sees them: seats, what hands take, where that is put down."""

from math import cos, sin

import bpy
import numpy as np

from ....core.acts.act import Act
from ....core.acts.seat import CELLS, Seat
from ....core.ground.triangles import Triangles
from .acts import NeuraRigAct, needs_thing
from .meshes import NOTHING, read_ground
from .world import Look

OFF_EDGE = 0.05  # metres that what is put down is off the edge of what it stands on
PLAIN = ("EMPTY", "ARMATURE", "LIGHT", "CAMERA")  # objects of no size
WITH_FACES = ("MESH", "CURVE", "SURFACE", "FONT", "META")


def goal(act: Act, item: NeuraRigAct, look: Look, to_walk: np.ndarray, way: np.ndarray) -> np.ndarray | None:
    """Return where the thing of an act is `(3,)`: the middle of what hands take, or of that where it is put down; None without a thing.

    `way` `(n, 2)`: places of the walk's way.
    """
    if item.thing is None:
        return None
    corners = _corners(item.thing, look, to_walk)
    if item.place is None or not needs_thing(act):
        return corners.mean(axis=0)
    if item.place.type in PLAIN:
        return place(item.place, look, to_walk) + corners.mean(axis=0) - place(item.thing, look, to_walk)
    spot = _spot(_corners(item.place, look, to_walk), corners, way)
    (height,) = _height(item.place, look, to_walk, spot[None, :2], float(spot[2]))
    return np.append(spot[:2], height + np.ptp(corners[:, 2]) / 2.0)


def seat(thing: bpy.types.Object, look: Look, to_walk: np.ndarray, leg_length: float) -> Seat:
    """Return a seat as it is seen from above; what has no faces is a stool."""
    corners = _corners(thing, look, to_walk)
    low, high = corners.min(axis=0), corners.max(axis=0)
    middle, size = 0.5 * (low + high), float((high - low)[:2].max())
    across = size * ((np.arange(CELLS) + 0.5) / CELLS - 0.5)
    places = np.stack(np.meshgrid(middle[0] + across, middle[1] + across), axis=-1).reshape(-1, 2)
    top = _height(thing, look, to_walk, places, -np.inf)
    return Seat.of(np.column_stack([places, top]), leg_length) if np.isfinite(top).any() else Seat(np.append(middle[:2], high[2]))


def width(thing: bpy.types.Object, look: Look, to_walk: np.ndarray, heading: float) -> float:
    """Return how wide a thing is, in metres, seen by one who heads for it."""
    corners = _corners(thing, look, to_walk)
    return float(np.ptp(corners[:, :2] @ np.array([-sin(heading), cos(heading)])))


def _spot(there: np.ndarray, corners: np.ndarray, way: np.ndarray) -> np.ndarray:
    """Return where a thing stands on another, both by their corners, at the side of a way `(n, 2)`; `(3,)`, as high as that other is."""
    low, high = there[:, :2].min(axis=0), there[:, :2].max(axis=0)
    middle = 0.5 * (low + high)
    inside = 0.5 * float(np.ptp(corners[:, :2], axis=0).max()) + OFF_EDGE
    near = way[np.argmin(np.linalg.norm(way - middle, axis=1))]
    return np.append(np.clip(near, np.minimum(low + inside, middle), np.maximum(high - inside, middle)), there[:, 2].max())


def _height(thing: bpy.types.Object, look: Look, to_walk: np.ndarray, places: np.ndarray, nothing: float) -> np.ndarray:
    """Return the heights `(n,)` of a thing as it is seen from above at places `(n, 2)`, in the walk frame; `nothing` beside it."""
    read, matrix = read_ground(look.evaluated(thing)) if thing.type in WITH_FACES else NOTHING, to_walk @ look.place(thing)
    found = np.full(len(places), -np.inf)
    for rows, heights, _ in Triangles.of(read.points @ matrix[:3, :3].T + matrix[:3, 3], read.corners).hits(places):
        np.maximum.at(found, rows, heights)
    return np.where(np.isfinite(found), found, nothing)


def place(thing: bpy.types.Object, look: Look, to_walk: np.ndarray) -> np.ndarray:
    """Return where the origin of a thing is `(3,)` in the walk frame."""
    return (to_walk @ look.place(thing)[:, 3])[:3]


def _corners(thing: bpy.types.Object, look: Look, to_walk: np.ndarray) -> np.ndarray:
    """Return the corners of a thing's bounding box `(8, 3)` in the walk frame, its origin for one without."""
    if thing.type in PLAIN:
        return place(thing, look, to_walk)[None]
    matrix, box = to_walk @ look.place(thing), np.array([tuple(corner) for corner in thing.bound_box], dtype=float)
    return box @ matrix[:3, :3].T + matrix[:3, 3]
