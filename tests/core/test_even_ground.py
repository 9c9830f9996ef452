"""Ground of which it is known that nothing of it is a ledge: never where there is one, and wherever a hill is
a hill."""

import numpy as np
import pytest

from neurarig_addon.core.gait.way.ledge_runs import EVEN
from neurarig_addon.core.ground.ledges import ledges_along
from neurarig_addon.core.ground.terrain import Terrain, TerrainPart
from neurarig_addon.core.ground.triangles import Sheet, Triangles

CELLS, LEG = 24, 0.9
SOUTH, NORTH = np.array([-9.0, 0.3]), np.array([9.0, 0.4])


def grid(height) -> tuple[np.ndarray, np.ndarray]:
    """Return a square of 24 m with heights of x and y."""
    across = np.linspace(-12.0, 12.0, CELLS + 1)
    x, y = np.meshgrid(across, across, indexing="ij")
    first = (np.arange(CELLS)[:, None] * (CELLS + 1) + np.arange(CELLS)).ravel()
    corners = np.concatenate(
        [
            np.stack([first, first + CELLS + 1, first + CELLS + 2], 1),
            np.stack([first, first + CELLS + 2, first + 1], 1),
        ]
    )
    return np.stack([x, y, height(x, y) + 0.0 * x], -1).reshape(-1, 3), corners


def rim_of(corners: np.ndarray) -> np.ndarray:
    """Return the ends `(n, 2)` of the edges along which not as many triangles go one way as the other."""
    ways: dict[tuple[int, int], int] = {}
    for triangle in corners.tolist():
        for start, end in zip(triangle, [*triangle[1:], triangle[0]], strict=True):
            ways[min(start, end), max(start, end)] = ways.get((min(start, end), max(start, end)), 0) + (
                1 if start < end else -1
            )
    return np.array([edge for edge, way in ways.items() if way], dtype=int).reshape(-1, 2)


def ground(*meshes: tuple[np.ndarray, np.ndarray], from_walk: np.ndarray | None = None) -> Terrain:
    parts = []
    for points, corners in meshes:
        triangles = Triangles.of(points, corners)
        sheet = Sheet.of(triangles, len(corners), points[rim_of(corners)])
        parts.append(TerrainPart(triangles, np.eye(4) if from_walk is None else from_walk, sheet))
    return Terrain(tuple(parts), 0.4)


def line(start: np.ndarray, end: np.ndarray, count: int = 24) -> np.ndarray:
    return start + np.linspace(0.0, 1.0, count)[:, None] * (end - start)


def is_even(terrain: Terrain, start: np.ndarray = SOUTH, end: np.ndarray = NORTH) -> bool:
    return terrain.is_even(line(start, end), 0.8, EVEN)


def ledges(terrain: Terrain, start: np.ndarray = SOUTH, end: np.ndarray = NORTH) -> int:
    length = float(np.linalg.norm(end - start))

    def place(distance: np.ndarray) -> np.ndarray:
        return np.column_stack([start + distance[:, None] / length * (end - start), np.zeros(len(distance))])

    return len(ledges_along(terrain, place, (0.0, length), LEG).at)


def hill(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return 0.5 * np.sin(0.7 * x) * np.cos(0.5 * y)


def without(mesh: tuple[np.ndarray, np.ndarray], gone: range) -> tuple[np.ndarray, np.ndarray]:
    return mesh[0], np.delete(mesh[1], gone, axis=0)


def spiral(turns: float) -> tuple[np.ndarray, np.ndarray]:
    """Return a ramp that winds up around the z axis, all of it facing up, over itself where it makes more
    than one turn."""
    angle = np.linspace(0.0, 2.0 * np.pi * turns, 64)
    inner, outer = (np.stack([r * np.cos(angle), r * np.sin(angle), 0.3 * angle], -1) for r in (4.0, 8.0))
    row = np.arange(63)
    corners = np.concatenate([np.stack([row, row + 64, row + 65], 1), np.stack([row, row + 65, row + 1], 1)])
    return np.concatenate([inner, outer]), corners


def roofed(mesh: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return a ground and a roof over it, which faces down, as one mesh."""
    points, corners = mesh
    return np.concatenate([points, points + [0.0, 0.0, 3.0]]), np.concatenate(
        [corners, corners[:, ::-1] + len(points)]
    )


def test_a_hill_is_known_to_be_even():
    assert is_even(ground(grid(hill))) and not ledges(ground(grid(hill)))


def test_a_hill_that_is_turned_sized_and_sheared_is_known_too_and_one_made_steep_is_not():
    turn = np.array(
        [[0.6, -0.8, 0.0, 1.0], [0.8, 0.6, 0.0, 2.0], [0.1, -0.05, 1.0, 3.0], [0.0, 0.0, 0.0, 1.0]]
    )
    assert is_even(ground(grid(hill), from_walk=turn @ np.diag([0.7, 0.7, 0.7, 1.0])))
    assert not is_even(ground(grid(hill), from_walk=turn @ np.diag([1.0, 1.0, 0.2, 1.0])))


CELL = (CELLS // 2) * CELLS + CELLS // 2  # at the origin, under the line


@pytest.mark.parametrize(
    "meshes",
    [
        (without(grid(hill), range(CELL, CELL + 1)),),  # a hole
        (grid(lambda x, y: np.where(x > 0.0, 2.0, 0.0)),),  # steep
        (grid(hill), grid(lambda x, y: hill(x, y) + 3.0)),  # two floors
        (
            grid(hill),
            (np.array([[-1.0, -1.0, 1.0], [2.0, -1.0, 1.0], [0.5, 2.0, 1.0]]), np.array([[0, 1, 2]])),
        ),  # something that lies on it
        (spiral(1.3),),
        (roofed(grid(hill)),),
    ],
    ids=["hole", "steep", "floors", "lying on it", "spiral", "roof"],
)
def test_what_may_have_ledges_is_not_even(meshes):
    ends = ([6.0, -0.5], [6.0, 3.0]) if len(meshes[0][0]) == 128 else (SOUTH, NORTH)
    assert not is_even(ground(*meshes), *map(np.array, ends))


def test_one_turn_of_a_spiral_is_even_on_the_ramp():
    assert is_even(ground(spiral(0.9)), np.array([-0.5, 6.0]), np.array([-1.5, 5.9]))


def test_what_lies_elsewhere_does_not_matter():
    box = np.array([[8.0, 8.0, 0.0], [10.0, 8.0, 5.0], [9.0, 10.0, 0.0]]), np.array([[0, 1, 2]])
    assert is_even(ground(grid(hill), box))


@pytest.mark.parametrize("seed", range(12))
def test_what_is_even_has_no_ledges(seed):
    draw = np.random.default_rng(seed)
    mesh = grid(
        lambda x, y: (
            draw.uniform(0.0, 1.2)
            * np.sin(draw.uniform(0.2, 1.5) * x + draw.uniform(0.0, 6.0))
            * np.cos(0.6 * y)
        )
    )
    mesh = without(mesh, range(0, int(draw.integers(0, 3)))) if draw.random() < 0.5 else mesh
    if draw.random() < 0.5:
        gone = draw.integers(0, len(mesh[1]), 4)
        mesh = mesh[0], np.delete(mesh[1], gone, axis=0)
    terrain = ground(mesh)
    for _ in range(20):
        start, end = draw.uniform(-9.0, 9.0, (2, 2))
        if np.linalg.norm(end - start) > 2.0 and is_even(terrain, start, end):
            assert not ledges(terrain, start, end)
