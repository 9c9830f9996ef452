"""What a skinned character does, frame by frame, as plain arrays."""

from dataclasses import dataclass

import bpy
import numpy as np

from demo.raster import Solid

SOLE_HEIGHT_M = 0.02  # vertices of a foot below this at rest are its sole
STILL_M = 0.004  # a sole whose middle moves less than this in a frame stands
PRINT_CORNERS = 24


@dataclass(frozen=True)
class Film:
    """A mesh over some frames.

    `points` and `normals` `(frames, n, 3)`: world metres.  `triangles` `(m, 3)`.  `colours` `(n, 3)`.
    `soles`: vertex rows of the left and right sole.
    """

    points: np.ndarray
    normals: np.ndarray
    triangles: np.ndarray
    colours: np.ndarray
    soles: tuple[np.ndarray, np.ndarray]

    def solid(self, row: int) -> Solid:
        """Return the mesh at one of the frames."""
        return Solid(self.points[row], self.normals[row], self.colours, self.triangles)

    def middle(self, row: int) -> np.ndarray:
        """Return the middle of the mesh `(3,)` at one of the frames."""
        return self.points[row].mean(axis=0)


def record(body: bpy.types.Object, frames: range) -> Film:
    """Return the evaluated mesh at every frame; the scene's frame is left at the last."""
    soles = tuple(sole(body, side) for side in ("L", "R"))
    colours = read(body.data.attributes["Colour"].data, "color", 4)[:, :3]
    points, normals = [], []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        evaluated = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = evaluated.to_mesh()
        mesh.transform(evaluated.matrix_world)
        points.append(read(mesh.vertices, "co", 3))
        normals.append(read(mesh.vertices, "normal", 3))
        evaluated.to_mesh_clear()
    body.data.calc_loop_triangles()
    triangles = read(body.data.loop_triangles, "vertices", 3, np.int32)
    return Film(np.array(points), np.array(normals), triangles, colours, soles)


def read(items: bpy.types.bpy_prop_collection, name: str, width: int, kind: type = np.float32) -> np.ndarray:
    """Return one property of all items as an array `(items, width)`."""
    values = np.empty(len(items) * width, kind)
    items.foreach_get(name, values)
    return values.reshape(-1, width).astype(int if kind is np.int32 else float)


def sole(body: bpy.types.Object, side: str) -> np.ndarray:
    """Return the vertices under one foot."""
    feet = {
        group.index for group in body.vertex_groups if group.name in (f"DEF-foot.{side}", f"DEF-toe.{side}")
    }
    low = (vertex for vertex in body.data.vertices if vertex.co.z < SOLE_HEIGHT_M)
    return np.array(
        [
            vertex.index
            for vertex in low
            if any(entry.group in feet and entry.weight > 0.5 for entry in vertex.groups)
        ]
    )


def footprints(film: Film) -> list[np.ndarray]:
    """Return the outline `(k, 2)` of every place where a sole stood still, in the order of the frames."""
    found = []
    for rows in film.soles:
        middles = film.points[:, rows].mean(axis=1)
        still = np.linalg.norm(np.diff(middles, axis=0), axis=1) < STILL_M
        for first, last in runs(still):
            found.append((first, outline(film.points[(first + last) // 2, rows, :2])))
    return [corners for _, corners in sorted(found, key=lambda entry: entry[0])]


def runs(flags: np.ndarray) -> list[tuple[int, int]]:
    """Return first and last index of every stretch of true flags."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    return [(int(first), int(end) - 1) for first, end in zip(edges[::2], edges[1::2], strict=True)]


def outline(points: np.ndarray) -> np.ndarray:
    """Return a convex outline `(k, 2)` of plane points `(n, 2)`: the farthest point in each of some
    directions."""
    angles = np.linspace(0.0, 2.0 * np.pi, PRINT_CORNERS, endpoint=False)
    directions = np.stack([np.cos(angles), np.sin(angles)])
    return points[np.argmax(points @ directions, axis=0)]
