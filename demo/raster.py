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
HALF = np.float32(0.5)  # from the edge of a pixel to its middle
# pixels of triangles in a group
EXTENTS = np.array([1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096])


@dataclass(frozen=True)
class Camera:
    """An orthographic camera.

    `axes` `(3, 3)`: rows are picture right, picture up and towards the camera. `target` `(3,)` is in the
    middle of the picture.
    """

    axes: np.ndarray
    target: np.ndarray
    width: int
    height: int
    metres_per_pixel: float

    def project(self, points: np.ndarray) -> np.ndarray:
        """Return column, row (fractional pixels of the supersampled picture) and nearness in metres of points
        `(n, 3)`."""
        seen = (points - self.target) @ self.axes.T
        scale = SUPERSAMPLING / self.metres_per_pixel
        column = self.width * SUPERSAMPLING / 2.0 + seen[:, 0] * scale
        row = self.height * SUPERSAMPLING / 2.0 - seen[:, 1] * scale
        return np.stack([column, row, seen[:, 2]], axis=1)


def camera(
    target: np.ndarray, around_deg: float, up_deg: float, size: tuple[int, int], metres_high: float
) -> Camera:
    """Return a camera that looks at `target` from `around_deg` (0 = from -Y, 90 = from +X) and `up_deg` above
    the horizon."""
    around, up = np.radians(around_deg), np.radians(up_deg)
    towards = np.array([np.sin(around) * np.cos(up), -np.cos(around) * np.cos(up), np.sin(up)])
    right = np.array([np.cos(around), np.sin(around), 0.0])
    return Camera(
        np.stack([right, np.cross(towards, right), towards]),
        np.asarray(target, float),
        *size,
        metres_high / size[1],
    )


@dataclass(frozen=True)
class Solid:
    """Triangles to draw: `points` `(n, 3)`, unit `normals` `(n, 3)`, `colours` `(n, 3)`, `triangles` `(m, 3)`
    rows of points."""

    points: np.ndarray
    normals: np.ndarray
    colours: np.ndarray
    triangles: np.ndarray


def together(solids: list[Solid]) -> Solid:
    """Return several solids as one."""
    starts = np.cumsum([0] + [len(solid.points) for solid in solids[:-1]])
    points, normals, colours = (
        np.concatenate([getattr(solid, name) for solid in solids])
        for name in ("points", "normals", "colours")
    )
    return Solid(
        points,
        normals,
        colours,
        np.concatenate([solid.triangles + start for solid, start in zip(solids, starts, strict=True)]),
    )


def draw(view: Camera, solid: Solid, tile_m: float, prints: list[np.ndarray]) -> np.ndarray:
    """Return the picture of a solid on the ground; `prints` are convex outlines `(k, 2)` on it, `tile_m` is
    the width of its tiles."""
    light = light_direction(view)
    flattened = solid.points - solid.points[:, 2:] / light[2] * light
    shadow = cover(view, flattened, solid.triangles).astype(np.float32)
    marks = np.zeros_like(shadow) if prints else None
    for outline in prints:
        corners = np.column_stack([outline, np.zeros(len(outline))])
        fan = np.array([[0, corner, corner + 1] for corner in range(1, len(corners) - 1)])
        marks[cover(view, corners, fan)] = 1.0
    picture = ground(view, tile_m, blurred(shadow, 5), blurred(marks, 1) if prints else None)
    shade(picture, view, solid, light)
    return shrunk(picture)


def light_direction(view: Camera) -> np.ndarray:
    """Return the unit direction towards the key light, which goes with the camera but always shines from
    above."""
    flat = np.cross(view.axes[0], [0.0, 0.0, 1.0])
    direction = KEY_LIGHT[0] * view.axes[0] + KEY_LIGHT[1] * flat + KEY_LIGHT[2] * np.array([0.0, 0.0, 1.0])
    return direction / np.linalg.norm(direction)


def ground(view: Camera, tile_m: float, shadow: np.ndarray, marks: np.ndarray | None) -> np.ndarray:
    """Return the empty set: a tiled floor that fades into the sky; `shadow` and `marks` `(height, width)`,
    0..1."""
    height, width = shadow.shape
    scale = view.metres_per_pixel / SUPERSAMPLING
    right, up, towards = view.axes  # `right` is level, so that a row of pixels is a line on the floor
    across = ((np.arange(width) + 0.5 - width / 2.0)[None, :] * scale).astype(np.float32)
    upward = (height / 2.0 - np.arange(height) - 0.5)[:, None] * scale
    ahead = -(view.target[2] + upward * up[2]) / towards[2]  # how far along `towards` the floor is
    middle = (upward * up[:2] + ahead * towards[:2]).astype(np.float32)  # from the target
    x, y = middle[:, :1] + across * np.float32(right[0]), middle[:, 1:] + across * np.float32(right[1])
    tiles = [
        np.floor(axis / np.float32(tile_m) + np.float32(start / tile_m % 2.0))
        for axis, start in ((x, view.target[0]), (y, view.target[1]))
    ]
    odd = (tiles[0] + tiles[1]).astype(np.int32) & 1
    floor = np.stack([GROUND_LIGHT, GROUND_DARK]).astype(np.float32)[odd]
    if marks is not None:
        floor += marks[..., None] * (PRINT.astype(np.float32) - floor)
    floor *= (1.0 - (1.0 - SHADOW) * shadow)[..., None]
    fog = np.clip((np.sqrt(x * x + y * y) - FOG_START_M) / (FOG_END_M - FOG_START_M), 0.0, 1.0)
    sky = (SKY_BOTTOM + (SKY_TOP - SKY_BOTTOM) * np.linspace(1.0, 0.0, height)[:, None, None]).astype(
        np.float32
    )
    return floor + (sky - floor) * (fog * fog * (3.0 - 2.0 * fog))[..., None]


def shade(picture: np.ndarray, view: Camera, solid: Solid, light: np.ndarray) -> None:
    """Draw the solid into the picture: the nearest surface at each pixel."""
    corners, drawn = facing_triangles(view, solid.points, solid.triangles)
    shares = edge_functions(corners).astype(np.float32)
    rows, columns, triangle = inside(view, corners, shares)
    near = plane((shares * corners[..., 2:].astype(np.float32)).sum(axis=1), triangle, rows, columns)
    pixels = rows * picture.shape[1] + columns
    order = np.argsort(near)
    nearest = np.full(picture.shape[0] * picture.shape[1], -1, np.int32)
    nearest[pixels[order]] = order  # the nearest is written last and stays
    covered = np.flatnonzero(nearest >= 0)
    seen = nearest[covered]
    rows, columns, triangle = rows[seen], columns[seen], triangle[seen]
    points = solid.triangles[drawn].T
    normals, colours = solid.normals.astype(np.float32), solid.colours.astype(np.float32)
    normal, colour = np.zeros((len(seen), 3), np.float32), np.zeros((len(seen), 3), np.float32)
    for corner in range(3):
        weight = plane(shares[:, corner], triangle, rows, columns)[:, None]
        point = points[corner][triangle]
        normal += weight * normals.take(point, axis=0)
        colour += weight * colours.take(point, axis=0)
    normal /= np.maximum(np.sqrt((normal * normal).sum(axis=1, keepdims=True)), 1e-9)
    facing = np.clip(normal @ view.axes[2].astype(np.float32), 0.0, 1.0)
    lit = np.clip(normal @ light.astype(np.float32), 0.0, 1.0)
    bright = AMBIENT * (0.75 + 0.25 * normal[:, 2]) + KEY * lit + RIM * (1.0 - facing) ** 3
    picture.reshape(-1, 3)[covered] = np.clip(colour * bright[:, None] * EXPOSURE, 0.0, 1.0)


def plane(weights: np.ndarray, triangle: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return what is x, y, 1 times the weights `(m, 3)` of the triangle at each pixel `(n,)`."""
    along, down, constant = (np.ascontiguousarray(weights[:, which]).take(triangle) for which in range(3))
    return along * (columns + HALF) + (down * (rows + HALF) + constant)


def cover(view: Camera, points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Return which pixels `(height, width)` of the supersampled picture the triangles cover that face the
    camera."""
    covered = np.zeros((view.height * SUPERSAMPLING, view.width * SUPERSAMPLING), bool)
    corners, _ = facing_triangles(view, points, triangles)
    rows, columns, _ = inside(view, corners, edge_functions(corners).astype(np.float32))
    covered[rows, columns] = True
    return covered


def facing_triangles(
    view: Camera, points: np.ndarray, triangles: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the projected corners `(m, 3, 3)` of the triangles in the picture that face the camera, and
    which triangles these are."""
    projected = view.project(points)
    at = projected[:, :2]
    beyond = np.column_stack([at < 0.0, at > np.array([view.width, view.height]) * SUPERSAMPLING])
    seen = np.flatnonzero(~beyond[triangles].all(axis=1).any(axis=1))
    corners = projected[triangles[seen]]
    (right, down), (farther_right, farther_down) = np.moveaxis(corners[:, 1:, :2] - corners[:, :1, :2], 0, -1)
    # Rows count downwards: what faces the camera turns the other way round.
    drawn = np.flatnonzero(right * farther_down - farther_right * down < -1e-6)
    return corners[drawn], seen[drawn]


def edge_functions(corners: np.ndarray) -> np.ndarray:
    """Return what the barycentric weights are made of `(m, 3, 3)`: weight k at a pixel is x, y, 1 times row
    k."""
    x, y = corners[..., 0], corners[..., 1]
    following, last = [1, 2, 0], [2, 0, 1]
    across = y[:, following] - y[:, last]
    upward = x[:, last] - x[:, following]
    constant = x[:, following] * y[:, last] - x[:, last] * y[:, following]
    return np.stack([across, upward, constant], axis=-1) / constant.sum(axis=1)[:, None, None]


def inside(
    view: Camera, corners: np.ndarray, shares: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the pixels of the supersampled picture in triangles: rows, columns, triangle.

    Triangles are taken in groups of like width and height, so that each group is one array of candidate
    pixels.
    """
    shape = np.array([view.width, view.height], np.int32) * SUPERSAMPLING
    first, second, third = np.moveaxis(corners[..., :2], 1, 0)
    low = np.maximum(np.floor(np.minimum(np.minimum(first, second), third) - 0.5).astype(np.int32), 0)
    high = np.minimum(np.ceil(np.maximum(np.maximum(first, second), third) - 0.5).astype(np.int32), shape - 1)
    some = np.flatnonzero((high >= low).all(axis=1))
    extents = EXTENTS[np.searchsorted(EXTENTS, (high - low + 1)[some])]
    found = [(np.zeros(0, np.int32),) * 3]
    for width, height in np.unique(extents, axis=0):
        chosen = some[(extents[:, 0] == width) & (extents[:, 1] == height)]
        column, row = (
            low[chosen, :1] + np.arange(width, dtype=np.int32),
            low[chosen, 1:] + np.arange(height, dtype=np.int32),
        )
        hit = (row < shape[1])[:, :, None] & (column < shape[0])[:, None, :]
        for share in np.moveaxis(shares[chosen], 1, 0)[..., None]:
            across = share[:, 0] * (column + HALF)
            hit &= across[:, None, :] >= (-1e-5 - share[:, 2] - share[:, 1] * (row + HALF))[:, :, None]
        which, down, along = np.nonzero(hit)
        found.append((row[which, down], column[which, along], chosen[which]))
    rows, columns, triangle = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return rows, columns, triangle


def blurred(mask: np.ndarray, radius: int) -> np.ndarray:
    """Return a mask with soft edges: three box blurs in each direction."""
    for _ in range(3):
        for axis in (0, 1):
            padded = np.pad(
                mask, [(radius + 1, radius) if side == axis else (0, 0) for side in (0, 1)], mode="edge"
            )
            sums = np.moveaxis(np.cumsum(padded, axis=axis), axis, 0)
            window = 2 * radius + 1
            mask = np.moveaxis((sums[window:] - sums[:-window]) / window, 0, axis)
    return mask


def shrunk(picture: np.ndarray) -> np.ndarray:
    """Return the supersampled picture at its final size."""
    places = [(row, column) for row in range(SUPERSAMPLING) for column in range(SUPERSAMPLING)]
    return sum(picture[row::SUPERSAMPLING, column::SUPERSAMPLING] for row, column in places) / len(places)
