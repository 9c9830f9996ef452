"""A course to walk along: over a hill, round a corner, up a flight of stairs and down again."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np

from demo.film import read
from demo.raster import Solid, together

CORNER_M = (0.0, -7.2)
# the character starts at the origin, facing -Y
WAY_M = ((0.0, 0.0), (0.9, -1.8), (-0.7, -3.9), (0.0, -5.7), CORNER_M, (8.3, -7.2))
HILL_M, HILL_WIDTH_M, HILL_HEIGHT_M = (0.0, -3.3), 1.1, 0.5
BUMPS_M, BUMPS_A_METRE, LEVEL_FROM_M = 0.03, (0.8, 0.65), (-5.4, -6.4)  # the bumps end before the corner
FIELD_M = ((-3.2, 10.6), (-9.4, 1.6))
FIRST_NOSE_M, RISER_M, TREAD_M, STEPS, LANDING_M, STAIRS_WIDTH_M = 2.4, 0.16, 0.30, 6, 1.5, 1.5
CELL_M = 0.1
GRASS, STONE = (0.66, 0.71, 0.55), (0.76, 0.74, 0.71)
SHADED_BY = 6  # every so many points of a body are enough
# what a body takes of the light under it, how far beside it, from how high
SHADE, SHADE_M, SHADE_DEPTH_M = 0.45, 0.10, 0.9


def moments() -> dict[str, tuple[float, float]]:
    """Return the places of the way to look at, in its order."""
    flight = STEPS * TREAD_M
    landing = FIRST_NOSE_M + flight - TREAD_M
    along = {
        "up": FIRST_NOSE_M + 0.5 * flight,
        "landing": landing + 0.5 * LANDING_M,
        "down": landing + LANDING_M + 0.5 * flight,
    }
    return (
        {"hill": HILL_M, "corner": CORNER_M}
        | {f"stairs, {name}": (x, CORNER_M[1]) for name, x in along.items()}
        | {"stop": WAY_M[-1]}
    )


def add_path(
    places: Sequence[tuple[float, float]] = WAY_M,
    corners: Collection[tuple[float, float]] = (CORNER_M, WAY_M[-1]),
) -> bpy.types.Object:
    """Add a curve to follow through places on the floor: smooth, but for its corners."""
    curve = bpy.data.curves.new("Path", "CURVE")
    curve.dimensions = "3D"
    points = curve.splines.new("BEZIER").bezier_points
    points.add(len(places) - 1)
    for point, place in zip(points, places, strict=True):
        point.co = (*place, 0.0)
        point.handle_left_type = point.handle_right_type = "VECTOR" if place in corners else "AUTO"
    path = bpy.data.objects.new("Path", curve)
    bpy.context.collection.objects.link(path)
    return path


def add_ground() -> bpy.types.Collection:
    """Add the field with its hill, and the stairs, as a collection of meshes."""
    ground = bpy.data.collections.new("Ground")
    bpy.context.scene.collection.children.link(ground)
    for name, mesh in (("Field", _field()), ("Stairs", _stairs())):
        ground.objects.link(bpy.data.objects.new(name, mesh))
    bpy.context.view_layer.update()
    return ground


@dataclass(frozen=True)
class Piece:
    """A mesh of the ground as arrays: a solid whose triangles have corners of their own, so that edges stay
    sharp.

    `places` `(m, 3)`: the mesh's points.  `corners`: the place of each of the solid's points.
    """

    solid: Solid
    places: np.ndarray
    corners: np.ndarray

    @classmethod
    def of(cls, mesh: bpy.types.Mesh, colour: tuple[float, float, float]) -> "Piece":
        """Return a mesh, in one colour."""
        mesh.calc_loop_triangles()
        places = read(mesh.vertices, "co", 3)
        corners = read(mesh.loops, "vertex_index", 1, np.int32)[:, 0]
        normals = read(mesh.corner_normals, "vector", 3)
        colours = np.tile(colour, (len(corners), 1))
        return cls(
            Solid(places[corners], normals, colours, read(mesh.loop_triangles, "loops", 3, np.int32)),
            places,
            corners,
        )

    def under(self, bodies: list[np.ndarray]) -> Solid:
        """Return what to draw: darker where bodies `(n, 3)` are near above it."""
        lit = 1.0 - SHADE * _shaded(self.places, bodies)
        return replace(self.solid, colours=lit[self.corners, None] * self.solid.colours)


def pieces(ground: bpy.types.Collection) -> list[Piece]:
    """Return the field and the stairs."""
    return [Piece.of(obj.data, colour) for obj, colour in zip(ground.objects, (GRASS, STONE), strict=True)]


def with_ground(ground: list[Piece], bodies: list[Solid]) -> Solid:
    """Return bodies and the ground under them as one solid."""
    points = [body.points[::SHADED_BY] for body in bodies]
    return together([*bodies, *(piece.under(points) for piece in ground)])


def _field() -> bpy.types.Mesh:
    (west, east), (south, north) = FIELD_M
    x, y = np.meshgrid(np.arange(west, east, CELL_M), np.arange(south, north, CELL_M), indexing="ij")
    away = (((x - HILL_M[0]) / 2.0) ** 2 + (y - HILL_M[1]) ** 2) / HILL_WIDTH_M**2
    rough = np.clip((y - LEVEL_FROM_M[1]) / (LEVEL_FROM_M[0] - LEVEL_FROM_M[1]), 0.0, 1.0)
    bumps = (
        BUMPS_M
        * rough
        * np.sin(2.0 * np.pi * BUMPS_A_METRE[0] * x)
        * np.sin(2.0 * np.pi * BUMPS_A_METRE[1] * y)
    )
    mesh = grid_mesh("Field", np.stack([x, y, HILL_HEIGHT_M * np.exp(-away / 2.0) + bumps], axis=-1))
    mesh.shade_smooth()
    return mesh


def _stairs() -> bpy.types.Mesh:
    """Return treads and risers as one strip across the way, and its two sides; treads in cells, so that they
    can be shaded."""
    noses = FIRST_NOSE_M + TREAD_M * np.arange(STEPS)
    ends = noses[-1] + LANDING_M + TREAD_M * np.arange(STEPS)
    edges = np.concatenate([noses, ends])
    levels = RISER_M * np.concatenate([[0], np.arange(1, STEPS + 1), np.arange(STEPS - 1, -1, -1)])
    along, height = [], []
    for number, edge in enumerate(edges):
        cells = (
            np.linspace(edges[number - 1], edge, max(2, round((edge - edges[number - 1]) / CELL_M)))
            if number
            else [edge]
        )
        along += [*cells, edge]
        height += [*np.full(len(cells), levels[number]), levels[number + 1]]
    across = CORNER_M[1] + np.linspace(-0.5, 0.5, round(STAIRS_WIDTH_M / CELL_M)) * STAIRS_WIDTH_M
    x, y = np.meshgrid(along, across, indexing="ij")
    z = np.broadcast_to(np.array(height)[:, None], x.shape)
    return grid_mesh("Stairs", np.stack([x, y, z], axis=-1), sides=True)


def grid_mesh(name: str, grid: np.ndarray, sides: bool = False) -> bpy.types.Mesh:
    """Return a mesh of a grid of points `(rows, columns, 3)`, its first and last column closed down to the
    floor if it has `sides`."""
    if sides:
        floor = grid * [1.0, 1.0, 0.0]
        grid = np.concatenate([floor[:, :1], grid, floor[:, -1:]], axis=1)
    rows, columns = grid.shape[:2]
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    faces = np.stack([corner, corner + columns, corner + columns + 1, corner + 1], axis=1)
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(grid.reshape(-1, 3).tolist(), [], faces.tolist())
    mesh.validate()
    return mesh


def _shaded(places: np.ndarray, bodies: list[np.ndarray]) -> np.ndarray:
    """Return how much `(m,)` of the sky bodies `(n, 3)` hide from places `(m, 3)`: those near above, the
    nearer the more."""
    shade = np.zeros(len(places))
    seen = _beside(places, np.concatenate(bodies), 3.0 * SHADE_M)
    for body in bodies:
        near = seen[_beside(places[seen], body, 6.0 * SHADE_M)]  # farther away it takes nothing
        for block in np.array_split(near, max(1, len(near) // 200)):
            apart = body[None] - places[block, None]
            above = np.clip(1.0 - apart[..., 2] / SHADE_DEPTH_M, 0.0, 1.0) * (apart[..., 2] > -0.03)
            taken = (above * np.exp(-(apart[..., 0] ** 2 + apart[..., 1] ** 2) / SHADE_M**2)).max(axis=1)
            shade[block] = np.maximum(shade[block], taken)
    return shade


def _beside(places: np.ndarray, body: np.ndarray, away: float) -> np.ndarray:
    """Return which places `(k,)` are at most so far beside the box around a body's points."""
    low, high = body.min(axis=0) - away, body.max(axis=0) + away
    return np.flatnonzero(((places[:, :2] > low[:2]) & (places[:, :2] < high[:2])).all(axis=1))
