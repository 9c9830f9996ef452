"""Ground of meshes: every layer under a place against brute force, the right floor, insides out, paths laid
over floors, ribbons."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.ground.terrain import Terrain, TerrainPart, ribbon
from neurarig_addon.core.ground.triangles import MOST_KINDS, Triangles
from neurarig_addon.core.path.path import STRAIGHT
from neurarig_addon.core.path.path_on_ground import Laid
from tests.core.walk_paths import LEG, line

BOX = [
    [0, 1, 3],
    [0, 3, 2],
    [4, 6, 7],
    [4, 7, 5],
    [0, 4, 5],
    [0, 5, 1],
    [2, 3, 7],
    [2, 7, 6],
    [0, 2, 6],
    [0, 6, 4],
    [1, 5, 7],
    [1, 7, 3],
]


def ground(*parts: tuple[np.ndarray, np.ndarray], climb: float = 0.4) -> Terrain:
    return Terrain(
        tuple(
            TerrainPart(Triangles.of(np.asarray(points, float), np.asarray(corners)), np.eye(4))
            for points, corners in parts
        ),
        climb,
    )


def layers_of(terrain: Terrain, places: np.ndarray) -> list[np.ndarray]:
    count, heights = terrain.layers(places)
    return np.split(heights, np.cumsum(count)[:-1])


def box(
    x: tuple[float, float], y: tuple[float, float], z: tuple[float, float], inside_out: bool = False
) -> tuple:
    corners = np.array(BOX)
    return np.array([[a, b, c] for a in x for b in y for c in z]), corners[:, ::-1] if inside_out else corners


def stairs(count: int) -> Terrain:
    """Return treads of 30 cm ahead, each 17 cm higher, over a floor that goes on below."""
    treads = [box((1.0 + 0.3 * n, 20.0), (-1.0, 1.0), (0.17 * n, 0.17 * (n + 1))) for n in range(count)]
    return ground(box((-5.0, 30.0), (-5.0, 5.0), (-0.2, 0.0)), *treads)


@pytest.mark.parametrize("seed", range(3))
def test_every_layer_is_found_whatever_the_triangles_sizes(seed):
    draw = np.random.default_rng(seed)
    middle, size = draw.uniform(-10.0, 10.0, (600, 1, 3)), np.exp(draw.uniform(-6.0, 2.0, (600, 1, 1)))
    points = middle + size * draw.normal(size=(600, 3, 3))
    terrain = ground((points.reshape(-1, 3), np.arange(1800).reshape(-1, 3)))
    places = np.concatenate([draw.uniform(-14.0, 14.0, (150, 2)), points[:150].mean(axis=1)[:, :2]])
    first, along, across = points[:, 0], points[:, 1] - points[:, 0], points[:, 2] - points[:, 0]
    area = along[:, 0] * across[:, 1] - along[:, 1] * across[:, 0]
    up = area > 0.0
    if terrain.parts[0].triangles.faces_up.sum() != up.sum():
        up = ~up
    for place, layers in zip(places, layers_of(terrain, places), strict=True):
        to = place - first[:, :2]
        share = (to[:, 0] * across[:, 1] - to[:, 1] * across[:, 0]) / area
        other = (along[:, 0] * to[:, 1] - along[:, 1] * to[:, 0]) / area
        height = first[:, 2] + share * along[:, 2] + other * across[:, 2]
        hit = (share >= 0.0) & (other >= 0.0) & (share + other <= 1.0)
        assert_allclose(layers, sorted(height[hit & up]) or sorted(height[hit & ~up]), atol=1e-6)
    assert sum(map(len, layers_of(terrain, places))) > 150


def test_debris_of_any_sizes_is_searched_in_few_passes():
    """Each size had cells of its own: ten thousand loose triangles took a hundred passes for every place."""
    draw = np.random.default_rng(2)
    corners = draw.uniform((0.0, 0.0, 0.0), (30.0, 4.0, 1.0), (3000, 1, 3)) + draw.lognormal(
        -3.0, 1.0, (3000, 1, 3)
    ) * draw.normal(size=(3000, 3, 3))
    assert len(Triangles.of(corners.reshape(-1, 3), np.arange(9000).reshape(-1, 3)).cells) <= MOST_KINDS


def test_of_several_floors_it_is_the_highest_within_a_step():
    house = ground(
        box((-5.0, 5.0), (-5.0, 5.0), (-0.2, 0.0)),
        box((0.0, 5.0), (-5.0, 5.0), (3.0, 3.2)),
        box((2.0, 5.0), (-5.0, 5.0), (0.0, 0.15)),
    )
    places = np.array(
        [
            [-1.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 0.0, 3.0],
            [3.0, 0.0, 0.0],
            [1.0, 0.0, -5.0],
            [9.0, 0.0, 0.0],
        ]
    )
    assert_allclose(house.height(places), [0.0, 0.0, 3.2, 0.15, 0.0, np.nan])
    assert_allclose(
        house.height(places[:, :2])[:2], [0.0, 3.2], err_msg="from above, where nobody says how high"
    )


@pytest.mark.parametrize("inside_out", [False, True])
def test_a_body_is_stood_on_from_outside_however_its_faces_are_turned(inside_out):
    block = ground(box((-1.0, 1.0), (-1.0, 1.0), (0.0, 0.3), inside_out))
    assert block.height(np.array([[0.1, 0.2, 0.0]])) == pytest.approx(0.3)
    assert layers_of(block, np.array([[0.1, 0.2]]))[0] == pytest.approx([0.3])


def test_a_floor_inside_something_solid_and_one_under_something_are_told():
    under, inside, free = [2.0, 0.0, 0.0], [3.5, 0.0, 0.2], [9.0, 0.0, 0.0]
    terrain = ground(
        box((-5.0, 30.0), (-5.0, 5.0), (-0.2, 0.0)),
        box((1.5, 2.5), (-1.0, 1.0), (1.2, 1.4)),
        box((3.0, 4.0), (-1.0, 1.0), (-0.5, 1.0)),
    )
    buried, over = terrain.in_the_way(np.array([under, inside, free]))
    assert buried.tolist() == [False, True, False]
    assert_allclose(over, [1.2, np.inf, np.inf])


def test_seams_have_no_gaps_and_walls_and_numbers_that_are_none_no_height():
    cells = np.linspace(-1.0, 1.0, 9)
    x, y = np.meshgrid(cells, cells, indexing="ij")
    corner = (np.arange(8)[:, None] * 9 + np.arange(8)).reshape(-1)
    faces = np.concatenate(
        [np.stack([corner, corner + 9, corner + 10], 1), np.stack([corner, corner + 10, corner + 1], 1)]
    )
    points = np.stack([x, y, 0.3 * x], -1).reshape(-1, 3)
    sheet = ground((points, faces))
    assert_allclose(sheet.height(points[:, :2]), points[:, 2], atol=1e-6)
    points[40] = np.nan
    assert np.isnan(ground((points, faces)).height(np.zeros((1, 2)))).all()
    wall = Triangles.of(np.array([[0.0, 0, 0], [0, 1, 0], [0, 1, 1]]), np.array([[0, 1, 2]]))
    assert not len(wall.faces_up) and not wall.cells


def test_a_part_may_stand_anywhere_in_the_walk_frame():
    points, corners = box((-1.0, 1.0), (-1.0, 1.0), (0.0, 0.3))
    turn = np.array(
        [[0.8, -0.6, 0.0, 2.0], [0.6, 0.8, 0.0, -1.0], [0.1, 0.05, 0.5, 0.7], [0.0, 0.0, 0.0, 1.0]]
    )
    moved = Terrain((TerrainPart(Triangles.of(points, corners), turn),), 0.4)
    place = np.array([[-1.0, 2.0]])
    height = moved.height(place)
    inside = turn @ np.array([*place[0], height[0], 1.0])
    assert inside[2] == pytest.approx(0.3) and (np.abs(inside[:2]) < 1.0).all()


FLOOR = box((-5.0, 30.0), (-5.0, 5.0), (-0.2, 0.0))


def screen(x: float, y: tuple[float, float], z: tuple[float, float], lean: float = 0.0) -> tuple:
    """Return a wall without thickness across x."""
    return np.array([[x + lean * (b - y[0]), b, c] for b in y for c in z]), np.array([[0, 1, 3], [0, 3, 2]])


@pytest.mark.parametrize(
    ("wall", "is_told"),
    [
        (screen(3.0, (-1.0, 1.0), (0.0, 2.0)), True),
        (screen(3.0, (-1.0, 1.0), (0.0, 2.0), lean=0.5), True),
        (screen(3.0, (-1.0, 1.0), (1.2, 1.6)), True),
        (screen(3.0, (-1.0, 1.0), (2.2, 3.0)), False),
        (screen(3.0, (-1.0, 1.0), (0.0, 0.02)), False),
        (screen(3.0, (0.5, 1.0), (0.0, 2.0)), False),
        (screen(40.0, (-1.0, 1.0), (0.0, 2.0)), False),
    ],
    ids=["across", "askew", "at the belly", "over the head", "lower than a step", "beside", "behind the end"],
)
@pytest.mark.parametrize("turned", [False, True])
def test_a_wall_without_thickness_is_in_the_way_of_a_line_that_crosses_it(
    wall: tuple, is_told: bool, turned: bool
):
    terrain = ground(FLOOR, wall)
    if turned:  # parts in a space of their own
        into = np.array(
            [[0.0, 2.0, 0.0, 1.0], [-2.0, 0.0, 0.0, 3.0], [0.0, 0.0, 2.0, -1.0], [0.0, 0.0, 0.0, 1.0]]
        )
        parts = [(points @ into[:3, :3].T + into[:3, 3], corners) for points, corners in (FLOOR, wall)]
        terrain = Terrain(
            tuple(TerrainPart(Triangles.of(points, corners), into) for points, corners in parts), 0.4
        )
    line = np.linspace([0.0, 0.1, 0.0], [20.0, 0.1, 0.0], 501)
    rows = terrain.walls_across(line, 0.05, 1.75)
    assert bool(len(rows)) == is_told
    if is_told:
        assert line[rows[0], 0] <= 3.55 and line[rows[0] + 1, 0] >= 2.95


def test_risers_are_no_walls():
    line = np.linspace([0.0, 0.0, 0.0], [9.0, 0.0, 0.0], 400)
    terrain = stairs(8)
    line[:, 2] = Laid.over(STRAIGHT, terrain.layers, 0.4, LEG).at(line[:, 0]).place[:, 2]
    for way in (line, line[::-1]):
        assert not len(terrain.walls_across(way, 0.05, 1.75))


def test_a_path_keeps_to_the_floor_it_came_by():
    flat = Laid.over(STRAIGHT, stairs(8).layers, 0.4, LEG)
    assert flat.at(np.array([0.0])).place[0, 2] == pytest.approx(0.0)
    assert flat.at(np.array([6.0])).place[0, 2] == pytest.approx(8 * 0.17), (
        "up the stairs, and not through them onto the floor"
    )
    hole = Laid.over(STRAIGHT, ground(box((-5.0, 2.0), (-1.0, 1.0), (0.0, 0.5))).layers, 0.4, LEG)
    assert_allclose(hole.at(np.array([1.0, 3.0, 100.0, -100.0])).place[:, 2], 0.5)


def test_a_laid_path_is_the_same_whatever_is_asked_first():
    terrain, draw = stairs(8), np.random.default_rng(0)
    distances = draw.uniform(-30.0, 60.0, 200)
    together = Laid.over(STRAIGHT, terrain.layers, 0.4, LEG).at(distances).place
    one_by_one = Laid.over(STRAIGHT, terrain.layers, 0.4, LEG)
    for distance, place in zip(distances[::-1], together[::-1], strict=True):
        assert_array_equal(one_by_one.at(np.array([distance])).place[0], place)


def test_a_path_over_one_floor_reads_the_ground_only_where_it_is_asked():
    asked = []

    def hill(places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        asked.append(places[:, 0])
        return np.ones(len(places), dtype=int), np.sin(0.05 * places[:, 0])

    laid = Laid.over(STRAIGHT, hill, 0.4, LEG)
    assert_allclose(laid.at(np.array([500.0])).place[:, 2], np.sin(25.0), atol=1e-4)
    assert np.abs(np.concatenate(asked) - 500.0).max() < 30.0


def test_a_ribbon_is_as_high_as_its_path_on_every_winding():
    angle = np.linspace(0.0, 4.0 * np.pi, 200)
    helix = line(*zip(2.0 * np.sin(angle), 2.0 - 2.0 * np.cos(angle), 0.4 * angle, strict=True))
    distance = np.linspace(0.5, helix.length - 0.5, 60)
    along = helix.at(helix.spacing * np.arange(len(helix.places)))
    under = ribbon(along.place, along.left, LEG)
    for aside in (-0.2, 0.0, 0.2):
        places = helix.at(distance).place + aside * helix.at(distance).left
        assert_allclose(under.height(places), places[:, 2], atol=0.01)


@pytest.mark.parametrize("leg", [0.2, 0.9, 4.0])
def test_a_ribbon_reaches_a_leg_to_both_sides(leg):
    ahead, left = np.linspace(0.0, 10.0, 11)[:, None] * [1.0, 0.0, 0.0], np.tile([0.0, 1.0, 0.0], (11, 1))
    under = ribbon(ahead + [0.0, 0.0, 0.5], left, leg)
    on, beside = (
        np.array([[5.2, sign * share * leg, 0.5] for sign in (-1.0, 1.0)]) for share in (0.99, 1.01)
    )
    assert_allclose(under.height(on), 0.5)
    assert np.isnan(under.height(beside)).all()
