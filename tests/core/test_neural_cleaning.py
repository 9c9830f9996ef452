"""Cleaning of noisy points: what is exact stays, lengths come out right, noise shrinks, missing points go where the others take them."""

import numpy as np
import pytest

from neurarig_addon.core.neural.cleaning import Cleaning
from neurarig_addon.core.neural.frames import BoneFrames
from neurarig_addon.core.neural.points import INDEX, JOINTS, PARENTS, POINTS
from neurarig_addon.core.neural.pose_weights import read_pose_weights
from neurarig_addon.core.neural.rigid_points import RigidFit, RigidPoints
from neurarig_addon.core.neural.solver import BUNDLED
from tests.core.neural_rigs import BUILDS, body, random_turns

FRAMES = 40
ALL = np.ones(len(POINTS))


def places(build: str, most: float = 0.4) -> tuple[RigidPoints, np.ndarray, np.ndarray]:
    """Return a build's rigid pairs, its reference pose `(27, 3)` and its points `(f, 27, 3)` in random poses."""
    figure = body(build)
    rotations = BoneFrames.of_points(figure.rest).from_local(random_turns(np.random.default_rng(1), (FRAMES, len(JOINTS)), most))
    return RigidPoints.of(figure.rest), figure.rest, figure.forward(rotations, np.zeros((FRAMES, 3)))


def lengths(points: np.ndarray) -> np.ndarray:
    return np.linalg.norm(points[..., 1:, :] - points[..., PARENTS[1:], :], axis=-1)


@pytest.mark.parametrize("build", BUILDS)
def test_exact_points_stay(build: str) -> None:
    pairs, _, points = places(build)
    fit = RigidFit.of(pairs, ALL, np.full(len(POINTS), 1e-4))
    np.testing.assert_allclose(fit.apply(points), points, atol=1e-6)


def test_bones_get_their_lengths_and_noise_shrinks() -> None:
    pairs, rest, points = places("three spine bones")
    noisy = points + 0.01 * np.random.default_rng(2).normal(size=points.shape)
    clean = RigidFit.of(pairs, ALL, np.full(len(POINTS), 1e-4)).apply(noisy)
    off = np.abs(lengths(noisy) - lengths(rest)).mean()
    assert np.abs(lengths(clean) - lengths(rest)).mean() < 0.02 * off
    assert np.linalg.norm(clean - points, axis=-1).mean() < 0.85 * np.linalg.norm(noisy - points, axis=-1).mean()


def test_a_missing_knee_is_put_where_both_bones_end() -> None:
    pairs, rest, points = places("three spine bones")
    knee = INDEX["knee.L"]
    weights = np.where(np.arange(len(POINTS)) == knee, 0.0, 1.0)
    guessed = points.copy()
    guessed[:, knee] += 0.04
    found = RigidFit.of(pairs, weights, np.zeros(len(POINTS))).apply(guessed)
    np.testing.assert_allclose(np.delete(found, knee, axis=1), np.delete(points, knee, axis=1), atol=1e-4)
    ends = [knee - 1, INDEX["ankle.L"] - 1]
    assert np.abs(lengths(found) - lengths(rest))[:, ends].max() < 0.1 * np.abs(lengths(guessed) - lengths(rest))[:, ends].max()


def test_cleaning_leaves_exact_points_alone() -> None:
    pairs, rest, points = places("seven spine bones")
    shape, weights = read_pose_weights(BUNDLED).trunk, ALL.copy()
    weights[[INDEX["hip.R"], INDEX["elbow.L"]]] = 0.0
    turn = np.tile(np.eye(3), (FRAMES, 1, 1))
    variances = np.where(weights > 0.0, 0.0, 0.04)
    found = Cleaning.of(shape, rest, pairs, weights, variances, 0.0).apply(points, turn)
    np.testing.assert_array_equal(found[:, weights > 0.0], points[:, weights > 0.0])


@pytest.mark.parametrize("points", [np.zeros((2, 27, 3)), np.ones((2, 27, 3)) * [0.0, 0.0, 1e6]])
def test_senseless_points_give_finite_ones(points: np.ndarray) -> None:
    pairs, _, _ = places("no toes")
    assert np.isfinite(RigidFit.of(pairs, ALL, np.full(len(POINTS), 1e-4)).apply(points)).all()
