"""Walks over ground: slopes, bumps, stairs, kerbs, gaps, obstacles, meshes with several floors, ribbons; what is asked of ground alone."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from neurarig_addon.core.gait.steps.footsteps import footsteps
from neurarig_addon.core.gait.synthesis import walked
from neurarig_addon.core.geometry.rotation import about_x, about_z
from neurarig_addon.core.ground.ledges import ledges_along
from neurarig_addon.core.ground.surface import Ground, Surface
from neurarig_addon.core.ground.terrain import Part, Terrain, ribbon
from neurarig_addon.core.ground.triangles import Sheet, Triangles
from neurarig_addon.core.path.curve import Curve
from neurarig_addon.core.path.path import STRAIGHT, Path
from neurarig_addon.core.path.path_on_ground import Laid
from tests.core.record.condensed import Answer
from tests.core.record.somehow import RUNNING, WALKING
from tests.core.record.walks import everything_keyed, seen, walker, walks
from tests.core.walk_grounds import flight, kerb
from tests.core.walk_paths import LEG, PATHS, circle, line

FRAMES = np.sort(np.random.default_rng(7).uniform(0.0, 190.0, 36))
BOX = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
HILLS = Surface(lambda places: 0.12 * np.sin(0.9 * places[..., 0] + 0.4) * np.cos(0.7 * places[..., 1]) + 0.05 * places[..., 0])
BUMPS = Surface(lambda places: 0.03 * np.sin(5.0 * places[..., 0]) * np.cos(4.0 * places[..., 1]))


def over(ground: Ground, path: Path = STRAIGHT, frames: np.ndarray = FRAMES, **style: float) -> Callable[[], Answer]:
    """Return a walk over ground."""
    return walks({"speed": 1.1, **style}, path, ground, frames=frames)


def slab(x: tuple[float, float], y: tuple[float, float], z: tuple[float, float]) -> Part:
    """Return a box, in a frame that is turned away from the walk's."""
    points, away = np.array([[a, b, c] for a in x for b in y for c in z]), np.eye(4)
    away[:3, :3], away[:3, 3] = about_z(np.array(0.4)), [0.3, -0.2, 0.1]
    return Part(Triangles.of(points @ away[:3, :3].T + away[:3, 3], np.array(BOX)), away)


def mesh(height: Callable[[np.ndarray, np.ndarray], np.ndarray], size: float = 14.0, cells: int = 20) -> Part:
    """Return a sheet of triangles with heights of x and y."""
    across = np.linspace(-size, size, cells + 1)
    x, y = np.meshgrid(across, across, indexing="ij")
    first = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).ravel()
    a, b, c, d = first, first + cells + 1, first + cells + 2, first + 1
    corners = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    points = np.stack([x, y, height(x, y)], -1).reshape(-1, 3)
    edges, count = np.unique(np.sort(corners[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0, return_counts=True)
    triangles = Triangles.of(points, corners)
    return Part(triangles, np.eye(4), Sheet.of(triangles, len(corners), points[edges[count == 1]]))


def house() -> Terrain:
    """Return a floor with a kerb, a table and another floor above, and hills around."""
    floors = [
        slab((-6.0, 12.0), (-6.0, 6.0), (-0.3, 0.0)),
        slab((2.0, 12.0), (-6.0, 6.0), (0.0, 0.12)),
        slab((3.5, 9.0), (-4.0, 3.0), (2.6, 2.8)),
    ]
    return Terrain((*floors, mesh(lambda x, y: 0.05 * np.sin(x) - 0.2)), 0.4)


def asked_of_a_mesh() -> Answer:
    """Return what a house says of drawn places."""
    draw = np.random.default_rng(2)
    places, house_ = draw.uniform([-8.0, -8.0, -1.0], [14.0, 8.0, 4.0], (300, 3)), house()
    count, heights = house_.layers(places[:, :2])
    hill = Terrain((mesh(lambda x, y: 0.3 * np.sin(0.5 * x) + 0.02 * y),), 0.4)
    over_head = np.diag([1.0, -1.0, -1.0, 1.0]), np.diag([1.0, 1.0, 0.5, 1.0])
    tilts = [replace(hill.parts[0], from_walk=turn).steepest(hill.parts[0].sheet) for turn in over_head if hill.parts[0].sheet]
    lines = [np.linspace(start, end, 20) for start, end in draw.uniform(-15.0, 15.0, (8, 2, 2))]
    even = [[hill.is_even(along, apart, grade) for apart in (0.3, 1.0) for grade in (0.05, 0.16, 0.5)] for along in lines]
    return {"height": house_.height(places), "layers": [count, heights], "hill": hill.height(places), "even": even, "tilts": tilts}


def asked_of_ledges() -> Answer:
    """Return the ledges along ways, and how far over them a sole is."""
    draw = np.random.default_rng(4)
    grounds = [
        flight(0.17, 0.28, 1.0, 5, 0.3),
        kerb(-0.12, 2.0),
        bench(0.3),
        gap(0.3),
        Surface(lambda places: HILLS.height(places) + kerb(0.1, 2.0).height(places)),
    ]
    found = {}
    for number, ground in enumerate(grounds):
        ledges = ledges_along(ground, lambda metres: np.stack([metres, 0.1 * metres, 0.0 * metres], -1), (-0.5, 5.0), LEG)
        at = draw.uniform(-0.5, 5.0, 20)
        cleared = ledges.cleared(at, (-0.1, 0.15), (0.01, 0.02), 0.05, np.zeros(len(ledges.at)))
        found[f"ground {number}"] = [ledges, ledges.rise, ledges.risen(at), ledges.repeated(np.array([0.0, 6.0])), cleared]
    return found


def bench(height: float) -> Surface:
    """Return a thing to step over, askew."""
    return Surface(lambda places: np.where(np.abs(places[..., 0] + 0.2 * places[..., 1] - 2.5) < 0.07, height, 0.0))


def gap(width: float) -> Surface:
    """Return a gap to step over."""
    return Surface(lambda places: np.where(np.abs(places[..., 0] - 2.5) < 0.5 * width, -1.0, 0.0))


def planned() -> Answer:
    """Return the prints of walks over ground."""
    grounds = {
        "hills": HILLS,
        "bumps": BUMPS,
        "up": flight(0.16, 0.3, 2.0, 4),
        "down": flight(-0.18, 0.24, 2.0, 4, 0.2),
        "bench": bench(0.2),
    }
    found = {}
    for name, ground in grounds.items():
        steps = footsteps(walker({"speed": 1.1}, ground=ground), np.arange(6.0)[:, None] + [0.1, 0.6]).steps
        found[name] = [steps.contact, steps.lift, steps.prints, steps.distance]
    return found


def two_sided() -> Answer:
    """Return what bodies of meshes say whose faces look in and out, flat ones, seams and single triangles."""
    draw, found = np.random.default_rng(6), {}
    places = draw.uniform(-1.5, 1.5, (120, 3))
    corners = np.array(BOX)
    for name, turned in {
        "out": corners,
        "in": corners[:, ::-1],
        "mixed": np.where(np.arange(12)[:, None] % 3 == 0, corners, corners[:, ::-1]),
    }.items():
        points = np.array([[a, b, c] for a in (-1.0, 1.0) for b in (-0.7, 0.8) for c in (-0.4, 0.3)]) @ about_x(np.array(0.2)).T
        parts = Triangles.of(points, turned), Triangles.of(points * [0.4, 0.4, 0.1] + [0.2, 0.1, 0.6], turned[draw.permutation(12)[:7]])
        house_ = Terrain(tuple(Part(part, np.eye(4)) for part in parts), 0.4)
        found[name] = [house_.height(places), *house_.layers(places[:, :2]), [part.faces_up for part in parts]]
    many = Triangles.of(
        draw.uniform(-4.0, 4.0, (300, 1, 3)).repeat(3, 1).reshape(-1, 3) + draw.normal(0.0, 0.5, (900, 3)), np.arange(900).reshape(-1, 3)
    )
    cloud = Terrain((Part(many, np.eye(4)),), 0.4)
    low = draw.uniform(-4.0, 3.0, (20, 2))
    found["cloud"] = [
        cloud.height(3.0 * places),
        *cloud.layers(3.0 * places[:, :2]),
        [bool(many.are_beside(one, one + 0.3)) for one in low],
    ]
    return found


def cases() -> dict[str, Callable[[], Answer]]:
    """Return the scenarios by name."""
    steep = Surface(lambda places: 0.25 * places[..., 0] + 0.08 * places[..., 1])
    hole = Surface(lambda places: np.where((places[..., 0] > 2.0) & (places[..., 0] < 2.6), np.nan, 0.02 * places[..., 0]))
    ridged = np.array([[0.0, 0.0, 0.0], [2.0, 0.5, 0.4], [4.0, 0.0, 0.1], [5.0, -2.0, 0.6]])
    rising = Curve.through(ridged, LEG, starts=True)
    at = np.linspace(*rising.extent, 40)
    return {
        "hills": over(HILLS),
        "hills, everything keyed": walks(everything_keyed(), PATHS["S"], HILLS, frames=FRAMES),
        "bumps in a bend": over(BUMPS, circle(2.0)),
        "steeply up": over(steep, speed=0.9),
        "steeply down and aside": over(Surface(lambda places: -steep.height(places)), line((0.0, 0.0), (1.5, 4.0)), speed=0.9),
        "standing on a hill": over(steep, speed=0.0),
        "a run over hills": walks({"speed": 3.0}, STRAIGHT, HILLS, RUNNING, frames=FRAMES),
        "facing aside on hills": over(HILLS, facing=80.0, speed=0.7),
        "no ground for a while": over(hole),
        "up stairs": over(flight(0.17, 0.29, 2.0, 6)),
        "up stairs askew": over(flight(0.16, 0.32, 2.0, 6, 0.35), speed=0.8),
        "down stairs": over(flight(-0.17, 0.27, 2.0, 6)),
        "down stairs askew": over(flight(-0.15, 0.3, 2.0, 5, -0.3), speed=1.3),
        "long treads": over(flight(0.12, 0.7, 1.5, 4)),
        "up a kerb": over(kerb(0.14, 2.3)),
        "down a kerb": over(kerb(-0.14, 2.3), weight=0.5),
        "over a bench": over(bench(0.3)),
        "over a gap": over(gap(0.35)),
        "kerb on hills in a bend": over(Surface(lambda places: HILLS.height(places) + kerb(0.1, 2.0).height(places)), PATHS["S"]),
        "a house": over(house(), speed=1.2),
        "a path laid in a house": lambda: seen(
            walked(walker({"speed": 1.0}, Laid.over(PATHS["S"], house().layers, 0.4, LEG), house()), FRAMES)
        ),
        "a ribbon": lambda: over(ribbon(rising.at(at).place, rising.at(at).left, LEG), rising)(),
        "asked of a mesh": asked_of_a_mesh,
        "asked of ledges": asked_of_ledges,
        "planned": planned,
        "two-sided": two_sided,
        "laid": lambda: {"height": Laid.over(STRAIGHT, house().layers, 0.4, LEG).at(np.linspace(-3.0, 14.0, 60)).place},
        "tilted": over(Surface(lambda places: places[..., :2] @ about_x(np.array(0.3))[1:, 1] * 0.2)),
        "a blend of gaits": walks({"speed": 1.0}, STRAIGHT, HILLS, WALKING, frames=FRAMES[:8]),
    }
