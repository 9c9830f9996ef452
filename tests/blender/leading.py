"""Paths and grounds to walk along and on, and how far soles of the evaluated character are over the
meshes."""

from collections.abc import Iterable

import bpy
import numpy as np

from tests.blender.walking import seen


def linked(name: str, data: bpy.types.ID | None) -> bpy.types.Object:
    """Return a new object of the scene."""
    obj = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(obj)
    return obj


def curve(
    points: Iterable[tuple[float, ...]], kind: str = "POLY", is_closed: bool = False
) -> bpy.types.Object:
    """Return a curve object through points, on the floor where they have no height; the character faces
    -Y."""
    places = [(*point, 0.0)[:3] for point in points]
    data = bpy.data.curves.new("Way", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new(kind)
    held = spline.bezier_points if kind == "BEZIER" else spline.points
    held.add(len(places) - 1)
    for point, place in zip(held, places, strict=True):
        point.co = place if kind == "BEZIER" else (*place, 1.0)
        if kind == "BEZIER":
            point.handle_left_type = point.handle_right_type = "AUTO"
    spline.use_cyclic_u = is_closed
    obj = linked("Way", data)
    bpy.context.view_layer.update()
    return obj


def mesh(name: str, points: np.ndarray, faces: np.ndarray) -> bpy.types.Object:
    """Return a mesh object."""
    data = bpy.data.meshes.new(name)
    data.from_pydata(np.asarray(points).tolist(), [], np.asarray(faces).tolist())
    obj = linked(name, data)
    bpy.context.view_layer.update()
    return obj


def slab(
    name: str, x: tuple[float, float], y: tuple[float, float], top: float, deep: float = 0.2
) -> bpy.types.Object:
    """Return a box with its top at a height."""
    points = np.array([[a, b, c] for a in x for b in y for c in (top - deep, top)])
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return mesh(name, points, np.array(faces))


def sheet(name: str, height, reach: float = 10.0, cells: int = 80) -> bpy.types.Object:
    """Return a square mesh around the origin whose height is a function of x and y."""
    places = np.linspace(-reach, reach, cells + 1)
    x, y = np.meshgrid(places, places, indexing="ij")
    corner = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).reshape(-1)
    faces = np.stack([corner, corner + cells + 1, corner + cells + 2, corner + 1], 1)
    return mesh(name, np.stack([x, y, height(x, y) + 0.0 * x], -1).reshape(-1, 3), faces)


def ship(turns: bool = True) -> bpy.types.Object:
    """Return a deck that goes on, up, and turns, rolls and pitches, keyed over 100 frames."""
    deck = slab("Deck", (-8.0, 8.0), (-8.0, 8.0), 0.0)
    for frame, place, turn in (
        (1, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        (50, (4.0, 1.0, 1.0), (0.15, -0.1, 0.6)),
        (100, (9.0, -1.0, 0.5), (-0.1, 0.1, -0.4)),
    ):
        deck.location, deck.rotation_euler = place, turn if turns else (0.0, 0.0, 0.0)
        deck.keyframe_insert("location", frame=frame)
        deck.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_set(1)
    return deck


def on_deck(obj: bpy.types.Object, deck: bpy.types.Object, frames) -> np.ndarray:
    """Return heads and tails of all bones as the deck sees them."""
    found = []
    for frame in frames:
        points = seen(obj, frame)
        back = np.array(deck.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.inverted())
        found.append(points @ back[:3, :3].T + back[:3, 3])
    return np.array(found)
