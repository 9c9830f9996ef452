"""The trunk's filter: exact points stay, noise goes, missing points come back, and nothing depends on where the figure stands."""

import numpy as np
import pytest

from neurarig_addon.core.character import Character
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX, POINTS
from neurarig_addon.core.neural.trunk_filter import TRUNK, TrunkFilter, TrunkShape
from neurarig_addon.core.rotation import from_axis_angle, normalized

from .skeletons import biped, skeleton

BENDS_M = 0.01  # how far the made-up trunks bend, root mean square, along three directions


@pytest.fixture(scope="module")
def body() -> PointBody:
    return PointBody.of(Character.of(skeleton(biped())))


@pytest.fixture(scope="module")
def trunks(body: PointBody) -> np.ndarray:
    """Points `(400, 27, 3)` whose trunks bend along three directions."""
    rng = np.random.default_rng(1)
    ways = rng.standard_normal((3, len(TRUNK), 3))
    points = np.tile(body.rest, (400, 1, 1))
    points[:, TRUNK] += BENDS_M * np.einsum("fk,kpi->fpi", rng.standard_normal((400, 3)), ways)
    return points


@pytest.fixture(scope="module")
def shape(body: PointBody, trunks: np.ndarray) -> TrunkShape:
    return TrunkShape.of(trunks, np.broadcast_to(body.rest, trunks.shape), np.full(len(trunks), body.height))


def turns(count: int) -> np.ndarray:
    rng = np.random.default_rng(2)
    return from_axis_angle(normalized(rng.standard_normal((count, 3))), rng.uniform(0.0, np.pi, count))


def test_exact_points_stay(body: PointBody, trunks: np.ndarray, shape: TrunkShape) -> None:
    exact = TrunkFilter.of(shape, body.rest, body.height, np.ones(len(POINTS)), 0.0)
    np.testing.assert_allclose(exact.apply(trunks, np.tile(np.eye(3), (400, 1, 1))), trunks, atol=2e-4)


def test_noise_goes_wherever_the_figure_stands_and_other_points_stay(body: PointBody, trunks: np.ndarray, shape: TrunkShape) -> None:
    sigma, turn = 0.01, turns(len(trunks))
    rng = np.random.default_rng(3)
    true = trunks @ np.swapaxes(turn, -1, -2) + rng.standard_normal((len(trunks), 1, 3))
    seen = true + sigma * rng.standard_normal(true.shape)
    roughly = turn @ from_axis_angle(normalized(rng.standard_normal((len(turn), 3))), np.full(len(turn), 0.05))
    likely = TrunkFilter.of(shape, body.rest, body.height, np.ones(len(POINTS)), sigma).apply(seen, roughly)
    others = np.setdiff1d(np.arange(len(POINTS)), TRUNK)
    np.testing.assert_array_equal(likely[:, others], seen[:, others])
    # 33 noisy numbers tell 3 bends and 6 rigid motions.
    left = np.sqrt(np.mean((likely - true)[:, TRUNK] ** 2))
    assert left < 1.1 * sigma * np.sqrt(9.0 / 33.0)


def test_missing_points_come_back(body: PointBody, trunks: np.ndarray, shape: TrunkShape) -> None:
    weights = np.ones(len(POINTS))
    weights[[INDEX["spine2"], INDEX["collar.L"]]] = 0.0
    shown = np.where(weights[:, None] > 0.0, trunks, 0.0)
    likely = TrunkFilter.of(shape, body.rest, body.height, weights, 0.0).apply(shown, np.tile(np.eye(3), (400, 1, 1)))
    assert np.abs(likely - trunks)[:, TRUNK].max() < 1e-3


def test_frames_of_different_noise_are_as_each_alone(body: PointBody, trunks: np.ndarray, shape: TrunkShape) -> None:
    rng = np.random.default_rng(4)
    weights, sigma = (rng.random((3, len(POINTS))) > 0.2).astype(float), np.array([0.0, 0.005, 0.03])
    together = TrunkFilter.of(shape, body.rest, body.height, weights, sigma).apply(trunks[:3], turns(3))
    for frame in range(3):
        own = TrunkFilter.of(shape, body.rest, body.height, weights[frame], sigma[frame])
        alone = own.apply(trunks[frame : frame + 1], turns(3)[frame, None])
        np.testing.assert_allclose(together[frame], alone[0], atol=1e-6)
