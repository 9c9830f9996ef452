"""A small picture maker: shaded triangles, their shadow and a tiled ground, orthographic, numpy only.

It needs no graphics card and no window, so the demo looks the same on every machine.
World: metres, z up.  Pictures: float arrays `(height, width, 3)`, 0..1, row 0 at the top.
"""

from dataclasses import dataclass

import numpy as np

SUPERSAMPLING = 2
SKY_TOP, SKY_BOTTOM = np.array([0.80, 0.84, 0.89]), np.array([0.95, 0.95, 0.94])
GROUND_LIGHT, GROUND_DARK = np.array([0.90, 0.89, 0.87]), np.array([0.84, 0.83, 0.81])
PRINT = np.array([0.60, 0.58, 0.56])
KEY_LIGHT = np.array([0.35, 0.45, 0.82])  # relative to the camera: right, towards it, up
AMBIENT, KEY, RIM, EXPOSURE = 0.42, 0.62, 0.18, 1.15
SHADOW = 0.72  # share of the ground's light that is left in the shadow
FOG_START_M, FOG_END_M = 2.5, 9.0


@dataclass(frozen=True)
class Camera:
    """An orthographic camera.

    `axes` `(3, 3)`: rows are picture right, picture up and towards the camera.  `target` `(3,)` is in the middle of the picture.
    """

    axes: np.ndarray
    target: np.ndarray
    width: int
    height: int
    metres_per_pixel: float

    def project(self, points: np.ndarray) -> np.ndarray:
        """Return column, row (fractional pixels of the supersampled picture) and nearness in metres of points `(n, 3)`."""
        seen = (points - self.target) @ self.axes.T
        scale = SUPERSAMPLING / self.metres_per_pixel
        column = self.width * SUPERSAMPLING / 2.0 + seen[:, 0] * scale
        row = self.height * SUPERSAMPLING / 2.0 - seen[:, 1] * scale
        return np.stack([column, row, seen[:, 2]], axis=1)


def camera(target: np.ndarray, around_deg: float, up_deg: float, size: tuple[int, int], metres_high: float) -> Camera:
    """Return a camera that looks at `target` from `around_deg` (0 = from -Y, 90 = from +X) and `up_deg` above the horizon."""
    around, up = np.radians(around_deg), np.radians(up_deg)
    towards = np.array([np.sin(around) * np.cos(up), -np.cos(around) * np.cos(up), np.sin(up)])
    right = np.array([np.cos(around), np.sin(around), 0.0])
    return Camera(np.stack([right, np.cross(towards, right), towards]), np.asarray(target, float), *size, metres_high / size[1])


@dataclass(frozen=True)
class Solid:
    """Triangles to draw: `points` `(n, 3)`, unit `normals` `(n, 3)`, `colours` `(n, 3)`, `triangles` `(m, 3)` rows of points."""

    points: np.ndarray
    normals: np.ndarray
    colours: np.ndarray
    triangles: np.ndarray


def draw(view: Camera, solid: Solid, tile_m: float, prints: list[np.ndarray]) -> np.ndarray:
    """Return the picture of a solid on the ground; `prints` are convex outlines `(k, 2)` on it, `tile_m` is the width of its tiles."""
    light = light_direction(view)
    flattened = solid.points - solid.points[:, 2:] / light[2] * light
    shadow = cover(view, flattened, solid.triangles).astype(float)
    marks = np.zeros_like(shadow)
    for outline in prints:
        corners = np.column_stack([outline, np.zeros(len(outline))])
        fan = np.array([[0, corner, corner + 1] for corner in range(1, len(corners) - 1)])
        marks[cover(view, corners, fan)] = 1.0
    picture = ground(view, tile_m, blurred(shadow, 5), blurred(marks, 1))
    shade(picture, view, solid, light)
    return shrunk(picture)


def light_direction(view: Camera) -> np.ndarray:
    """Return the unit direction towards the key light, which goes with the camera but always shines from above."""
    flat = np.cross(view.axes[0], [0.0, 0.0, 1.0])
    direction = KEY_LIGHT[0] * view.axes[0] + KEY_LIGHT[1] * flat + KEY_LIGHT[2] * np.array([0.0, 0.0, 1.0])
    return direction / np.linalg.norm(direction)


def ground(view: Camera, tile_m: float, shadow: np.ndarray, marks: np.ndarray) -> np.ndarray:
    """Return the empty set: a tiled floor that fades into the sky."""
    height, width = shadow.shape
    scale = view.metres_per_pixel / SUPERSAMPLING
    across = (np.arange(width) + 0.5 - width / 2.0) * scale
    upward = (height / 2.0 - np.arange(height) - 0.5) * scale
    right, up, towards = view.axes
    on_plane = view.target + across[None, :, None] * right + upward[:, None, None] * up
    on_plane = on_plane - on_plane[..., 2:] / towards[2] * towards
    distance = np.linalg.norm((on_plane - view.target)[..., :2], axis=-1)
    odd = (np.floor(on_plane[..., 0] / tile_m) + np.floor(on_plane[..., 1] / tile_m)) % 2.0
    floor = np.where(odd[..., None] > 0.5, GROUND_DARK, GROUND_LIGHT)
    floor = floor + marks[..., None] * (PRINT - floor)
    floor = floor * (1.0 - (1.0 - SHADOW) * shadow[..., None])
    sky = SKY_BOTTOM + (SKY_TOP - SKY_BOTTOM) * np.linspace(1.0, 0.0, height)[:, None, None]
    fog = np.clip((distance - FOG_START_M) / (FOG_END_M - FOG_START_M), 0.0, 1.0)[..., None]
    return floor + (sky - floor) * fog * fog * (3.0 - 2.0 * fog)


def shade(picture: np.ndarray, view: Camera, solid: Solid, light: np.ndarray) -> None:
    """Draw the solid into the picture, nearest surface first."""
    edges = solid.points[solid.triangles[:, 1:]] - solid.points[solid.triangles[:, :1]]
    faces_us = np.cross(edges[:, 0], edges[:, 1]) @ view.axes[2] > 0.0
    triangles = solid.triangles[faces_us]
    rows, columns, triangle, weights, nearness = fragments(view, solid.points, triangles)
    order = np.argsort(nearness)  # the nearest is written last and stays
    rows, columns, triangle, weights = rows[order], columns[order], triangle[order], weights[order]
    corners = triangles[triangle]
    normal = np.einsum("fk,fkc->fc", weights, solid.normals[corners])
    colour = np.einsum("fk,fkc->fc", weights, solid.colours[corners])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
    facing = np.clip(normal @ view.axes[2], 0.0, 1.0)
    bright = AMBIENT * (0.75 + 0.25 * normal[:, 2]) + KEY * np.clip(normal @ light, 0.0, 1.0) + RIM * (1.0 - facing) ** 3
    picture[rows, columns] = np.clip(colour * bright[:, None] * EXPOSURE, 0.0, 1.0)


def cover(view: Camera, points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Return which pixels `(height, width)` of the supersampled picture the triangles cover."""
    covered = np.zeros((view.height * SUPERSAMPLING, view.width * SUPERSAMPLING), bool)
    rows, columns, *_ = fragments(view, points, triangles)
    covered[rows, columns] = True
    return covered


def fragments(view: Camera, points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the pixels inside the triangles: rows, columns, triangle, barycentric weights `(f, 3)` and nearness.

    Triangles are taken in groups of like size, so that each group is one array of candidate pixels.
    """
    corners = view.project(points)[triangles]
    low = np.floor(corners[..., :2].min(axis=1) - 0.5).astype(int)
    size = (np.ceil(corners[..., :2].max(axis=1) - 0.5).astype(int) - low).max(axis=1) + 1
    groups = 2 ** np.ceil(np.log2(np.maximum(size, 1))).astype(int)
    found = [inside(view, corners, low, np.flatnonzero(groups == extent), extent) for extent in np.unique(groups)]
    return tuple(np.concatenate(parts) for parts in zip(*found, strict=True))


def inside(view: Camera, corners: np.ndarray, low: np.ndarray, chosen: np.ndarray, extent: int) -> tuple[np.ndarray, ...]:
    """Return the pixels of some triangles that fit in squares of `extent` pixels."""
    steps = np.arange(extent)
    column = low[chosen, 0, None, None] + steps[None, None, :] + 0 * steps[None, :, None]
    row = low[chosen, 1, None, None] + steps[None, :, None] + 0 * steps[None, None, :]
    a, b, c = (corners[chosen, corner, :2][:, None, None, :] for corner in range(3))
    centre = np.stack([column, row], axis=-1) + 0.5
    area = cross(b - a, c - a)
    area = np.where(np.abs(area) < 1e-9, np.nan, area)
    weights = np.stack([cross(c - b, centre - b), cross(a - c, centre - c), cross(b - a, centre - a)], axis=-1) / area[..., None]
    on_screen = (column >= 0) & (column < view.width * SUPERSAMPLING) & (row >= 0) & (row < view.height * SUPERSAMPLING)
    hit = on_screen & (weights >= -1e-6).all(axis=-1)
    which = np.broadcast_to(chosen[:, None, None], hit.shape)[hit]
    nearness = np.einsum("fk,fk->f", weights[hit], corners[which][..., 2])
    return row[hit], column[hit], which, weights[hit], nearness


def cross(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the z of the cross product of plane vectors `(..., 2)`."""
    return first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]


def blurred(mask: np.ndarray, radius: int) -> np.ndarray:
    """Return a mask with soft edges: three box blurs in each direction."""
    for _ in range(3):
        for axis in (0, 1):
            padded = np.pad(mask, [(radius + 1, radius) if side == axis else (0, 0) for side in (0, 1)], mode="edge")
            sums = np.cumsum(padded, axis=axis)
            window = 2 * radius + 1
            mask = (np.take(sums, range(window, sums.shape[axis]), axis) - np.take(sums, range(sums.shape[axis] - window), axis)) / window
    return mask


def shrunk(picture: np.ndarray) -> np.ndarray:
    """Return the supersampled picture at its final size."""
    height, width, _ = picture.shape
    blocks = picture.reshape(height // SUPERSAMPLING, SUPERSAMPLING, width // SUPERSAMPLING, SUPERSAMPLING, 3)
    return blocks.mean(axis=(1, 3))
