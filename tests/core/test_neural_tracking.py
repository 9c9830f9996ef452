"""Points that stream in: what is noise goes, what is motion stays, at once."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.solver import PoseSolver
from neurarig_addon.core.neural.tracking import Tracking
from tests.core.neural_rigs import body, random_turns

NOISE, STEP = 0.01, 1.0 / 60.0
FRAMES, SETTLED = 240, 60


def followed(points: np.ndarray, noise: float = NOISE, seconds: float = STEP) -> np.ndarray:
    """Return points `(f, n, 3)` as they are known when each frame comes in."""
    tracking = Tracking()
    return np.array([tracking.follow(frame, noise, seconds)[0] for frame in points])


def jerk(points: np.ndarray) -> float:
    return float(np.linalg.norm(np.diff(points[SETTLED:], 3, axis=0), axis=-1).mean())


def noisy(points: np.ndarray, seed: int = 0) -> np.ndarray:
    return points + NOISE * np.random.default_rng(seed).normal(size=points.shape)


@pytest.fixture(scope="module")
def figure() -> PointBody:
    return body("three spine bones")


def standing(figure: PointBody) -> np.ndarray:
    pose = random_turns(np.random.default_rng(3), (1, 22), 0.2)
    return np.repeat(figure.forward(pose, np.array([[0.3, -0.2, 1.0]])), FRAMES, axis=0)


def test_a_standing_figure_trembles_two_and_a_half_times_less(figure: PointBody) -> None:
    points, tracking, solver, seen = noisy(standing(figure)), Tracking(), PoseSolver.load(), np.ones(27)
    alone = figure.forward(*solver.solve(figure, points, seen, NOISE))
    found = []
    for frame in points:
        known, left = tracking.follow(frame, NOISE, STEP)
        found.append(figure.forward(*solver.solve(figure, known[None], seen, left))[0])
    assert jerk(np.array(found)) < 0.4 * jerk(alone)


def test_steady_motion_is_not_late() -> None:
    seconds = np.arange(FRAMES) * STEP
    truth = np.stack([1.5 * seconds, 0.0 * seconds, 1.0 + 0.0 * seconds], axis=-1)[:, None]
    off = (followed(noisy(truth)) - truth)[SETTLED:, 0]
    assert abs(off[:, 0].mean()) < 0.1 * NOISE and off.std() < 0.7 * NOISE


def test_a_kick_is_followed_better_than_it_is_seen() -> None:
    """A foot stands, and is swung to and fro by 60 cm, twice a second."""
    seconds = np.arange(FRAMES) * STEP
    swing = 0.3 * np.sin(4.0 * np.pi * seconds) * (seconds > 2.0)
    truth = np.stack([swing, 0.0 * seconds, 0.0 * seconds], axis=-1)[:, None]
    errors = np.linalg.norm(followed(noisy(truth)) - truth, axis=-1)[:, 0]
    assert errors[SETTLED:120].mean() < 0.5 * NOISE * np.sqrt(3.0) and errors[
        120:
    ].mean() < 1.0 * NOISE * np.sqrt(3.0)


def test_a_jump_is_taken_at_once_and_moves_nothing_else(figure: PointBody) -> None:
    points = noisy(standing(figure))
    jumped = points.copy()
    jumped[100:, 5] += [0.2, 0.0, 0.1]
    calm, found = followed(points), followed(jumped)
    assert_array_equal(found[100, 5], jumped[100, 5])
    assert_array_equal(np.delete(found, 5, axis=1), np.delete(calm, 5, axis=1))


def test_still_points_come_to_rest_where_they_are(figure: PointBody) -> None:
    still = standing(figure)
    still[:30] = noisy(still[:30])
    apart = np.linalg.norm(followed(still) - still, axis=-1)
    assert apart[-1].max() < 0.01 * NOISE


@pytest.mark.parametrize(("noise", "seconds"), [(0.0, STEP), (NOISE, 0.0), (NOISE, 2.0), (NOISE, np.inf)])
def test_exact_points_and_points_after_a_pause_are_as_they_are(
    figure: PointBody, noise: float, seconds: float
) -> None:
    points = noisy(standing(figure)[:5])
    assert_array_equal(followed(points, noise, seconds), points)


def test_what_is_not_seen_is_not_known_and_comes_back_where_it_is(figure: PointBody) -> None:
    points = noisy(standing(figure))
    gap = points.copy()
    gap[100:110, 3], gap[100:110, 4] = np.nan, np.inf
    found = followed(gap)
    assert not np.isfinite(found[100:110, 3:5]).any() and np.isfinite(found[110:]).all()
    assert_array_equal(found[110, 3:5], points[110, 3:5])
    assert_array_equal(np.delete(found, [3, 4], axis=1), np.delete(followed(points), [3, 4], axis=1))
