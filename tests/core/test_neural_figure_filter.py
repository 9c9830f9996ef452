"""The filter of points: exact ones stay, noise goes, lengths come out right, missing points come back,
wherever the figure stands."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal, assert_array_less

from neurarig_addon.core.geometry.rotation import from_axis_angle, normalized
from neurarig_addon.core.neural.analytic.figure_filter import FigureFilter
from neurarig_addon.core.neural.analytic.figure_shape import TRUNK, FigureShape
from neurarig_addon.core.neural.analytic.network_body import NetworkBody
from neurarig_addon.core.neural.points import INDEX, JOINTS, PARENTS, POINTS, from_parents
from tests.core.neural_rigs import BUILDS, angles, body, random_turns

FRAMES = 400
ALL = np.ones(len(POINTS))


def figures(build: str) -> tuple[NetworkBody, np.ndarray]:
    """Return a body and its points `(f, 27, 3)` in random poses whose trunks bend little."""
    figure = body(build)
    turns = random_turns(np.random.default_rng(1), (FRAMES, len(JOINTS)), 0.15)
    rotations = from_parents(turns)
    return NetworkBody.of(figure.rest), figure.forward(rotations, np.zeros((FRAMES, 3)))


def shape_of(tables: NetworkBody, points: np.ndarray) -> FigureShape:
    return FigureShape.of(
        points, np.broadcast_to(tables.rest, points.shape), np.full(len(points), tables.height)
    )


@pytest.fixture(scope="module")
def known() -> tuple[NetworkBody, np.ndarray, FigureShape]:
    tables, points = figures("three spine bones")
    return tables, points, shape_of(tables, points)


def turns(count: int) -> np.ndarray:
    rng = np.random.default_rng(2)
    return from_axis_angle(normalized(rng.standard_normal((count, 3))), rng.uniform(0.0, np.pi, count))


def off(points: np.ndarray, tables: NetworkBody) -> np.ndarray:
    """Return how much longer or shorter bones are than they should be `(f, 26)`."""
    return np.abs(np.linalg.norm(points[:, 1:] - points[:, PARENTS[1:]], axis=-1) - tables.lengths[1:])


@pytest.mark.few(2)
@pytest.mark.parametrize("build", BUILDS)
def test_exact_points_stay(build: str) -> None:
    tables, points = figures(build)
    weights = ALL.copy()
    weights[[INDEX["hip.R"], INDEX["elbow.L"]]] = 0.0
    found = FigureFilter.of(shape_of(tables, points), tables, weights, np.zeros(len(POINTS))).apply(points)
    assert_array_equal(found[:, weights > 0.0], points[:, weights > 0.0])


def test_noise_goes_and_bones_get_their_lengths_wherever_the_figure_stands(
    known: tuple[NetworkBody, np.ndarray, FigureShape],
) -> None:
    tables, points, shape = known
    sigma, turn, rng = 0.01, turns(FRAMES), np.random.default_rng(3)
    true = points @ np.swapaxes(turn, -1, -2) + rng.standard_normal((FRAMES, 1, 3))
    seen = true + sigma * rng.standard_normal(true.shape)
    likely = FigureFilter.of(shape, tables, ALL, np.full(len(POINTS), sigma**2)).apply(seen)
    assert off(likely, tables).mean() < 0.1 * off(seen, tables).mean()
    left = np.sqrt(np.mean((likely - true) ** 2, axis=(0, 2)))
    assert left.mean() < 0.8 * sigma and left[TRUNK].mean() < 0.7 * sigma


def test_missing_points_come_back(known: tuple[NetworkBody, np.ndarray, FigureShape]) -> None:
    """Nearer than the mean of all poses, and as far from their neighbours as the bones are long."""
    tables, points, shape = known
    rows = [INDEX["spine2"], INDEX["hip.L"], INDEX["wrist.R"]]
    weights = ALL.copy()
    weights[rows] = 0.0
    shown = np.where(weights[:, None] > 0.0, points, 0.0)
    likely = FigureFilter.of(shape, tables, weights, np.zeros(len(POINTS))).apply(shown)
    err, spread = (
        np.linalg.norm(part[:, rows] - points[:, rows], axis=-1).mean(axis=0)
        for part in (likely, points.mean(axis=0)[None])
    )
    assert (err < 0.7 * spread).all()
    assert off(likely, tables).mean() < 1e-3


def test_what_is_left_uncertain_is_what_is_off(known: tuple[NetworkBody, np.ndarray, FigureShape]) -> None:
    tables, points, shape = known
    sigma = 0.02
    seen = points + sigma * np.random.default_rng(4).standard_normal(points.shape)
    update = FigureFilter.of(shape, tables, ALL, np.full(len(POINTS), sigma**2))
    likely = update.apply(seen, in_length=False)
    wrong = [part[:, 1:] - part[:, PARENTS[1:]] for part in (likely, points)]
    measured = np.mean((wrong[0] - wrong[1]) ** 2, axis=(0, 2))
    long = tables.given[1:] > 0.0
    assert_array_less(measured[long], 1.6 * update.left[1:][long])


def test_frames_of_different_noise_are_as_each_alone(
    known: tuple[NetworkBody, np.ndarray, FigureShape],
) -> None:
    tables, points, shape = known
    weights, sigma = (
        (np.random.default_rng(5).random((3, len(POINTS))) > 0.2).astype(float),
        np.array([[0.0], [0.005], [0.03]]),
    )
    variances = np.broadcast_to(sigma**2, weights.shape)
    together = FigureFilter.of(shape, tables, weights, variances).apply(points[:3])
    for frame in range(3):
        own = FigureFilter.of(shape, tables, weights[frame], variances[frame])
        alone = own.apply(points[frame : frame + 1])
        assert_allclose(together[frame], alone[0], atol=1e-6)


@pytest.mark.parametrize(
    "names",
    [
        ("pelvis", "spine3", "head", "wrist.L", "wrist.R"),
        ("hip.L", "shoulder.R", "neck"),
        ("ankle.L", "ankle.R", "head"),
    ],
)
def test_a_few_points_tell_roughly_how_the_trunk_is_turned(
    names: tuple[str, ...], known: tuple[NetworkBody, np.ndarray, FigureShape]
) -> None:
    tables, points, shape = known
    weights = np.isin(POINTS, names).astype(float)
    turn = turns(FRAMES)
    facing = FigureFilter.of(shape, tables, weights, np.zeros(len(POINTS))).facing
    seen, expected = (facing.frames(part) for part in (points @ np.swapaxes(turn, -1, -2), tables.rest[None]))
    assert np.degrees(np.median(angles(seen, expected @ np.swapaxes(turn, -1, -2)))) < 15.0
    assert_allclose(
        facing.sums.sum(axis=-1), 0.0, atol=1e-9, err_msg="where the figure stands must not count"
    )


def test_who_is_moved_in_a_pose_is_expected_there(known: tuple[NetworkBody, np.ndarray, FigureShape]) -> None:
    """Wherever the figure went with it; and a hand that moves takes its elbow along, but hardly the legs."""
    tables, points, shape = known
    hand, elbow, knee = (INDEX[f"{joint}.L"] for joint in ("wrist", "elbow", "knee"))
    weights = np.isin(
        POINTS, ("pelvis", "spine3", "head", "wrist.L", "wrist.R", "ankle.L", "ankle.R")
    ).astype(float)
    moved = FigureFilter.of(shape, tables, weights, np.zeros(len(POINTS)), around=points[0])
    turn, shift = turns(20), np.random.default_rng(6).standard_normal((20, 1, 3))
    gone = points[0] @ np.swapaxes(turn, -1, -2) + shift
    assert_allclose(moved.apply(np.where(weights[:, None] > 0.0, gone, 0.0)), gone, atol=1e-3)

    pulled = np.where(weights[:, None] > 0.0, points[0], 0.0)[None]
    pulled[0, hand] += 0.05 * (points[0, INDEX["shoulder.L"]] - points[0, hand])
    way = np.linalg.norm(moved.apply(pulled)[0] - points[0], axis=-1)
    assert way[elbow] > 0.005 and way[knee] < 0.2 * way[elbow]


def test_points_that_no_bones_allow_move_the_others_without_leaps(
    known: tuple[NetworkBody, np.ndarray, FigureShape],
) -> None:
    tables, points, shape = known
    weights = np.isin(
        POINTS, ("pelvis", "spine3", "head", "wrist.L", "wrist.R", "ankle.L", "ankle.R")
    ).astype(float)
    moved = FigureFilter.of(shape, tables, weights, np.zeros(len(POINTS)), around=points[0])
    pulled = np.repeat(np.where(weights[:, None] > 0.0, points[0], 0.0)[None], 31, axis=0)
    pulled[:, INDEX["spine3"], 0] -= np.linspace(0.0, 0.3, 31)
    steps = np.linalg.norm(np.diff(moved.apply(pulled), axis=0), axis=-1)
    assert steps.max() < 0.05
