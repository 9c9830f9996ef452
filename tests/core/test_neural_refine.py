"""Refinement finds the most likely pose between points and expectation; units are told by distances."""

import numpy as np
import pytest

from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.neural.points import INDEX, JOINTS, POINTS
from neurarig_addon.core.neural.refine import Refinement
from neurarig_addon.core.neural.units import metres_per_unit
from tests.core.neural_rigs import angles, body, random_turns
from tests.core.test_neural_body import local_pose

SUBJECT = body("three spine bones")


def poses(frames: int = 40) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    rotations, root = local_pose(rng, frames), rng.normal(size=(frames, 3))
    return rotations, root, SUBJECT.forward(rotations, root)


def test_points_without_noise_are_met_and_the_expectation_decides_the_rest() -> None:
    rng = np.random.default_rng(1)
    rotations, root, points = poses()
    expected = random_turns(rng, (40, len(JOINTS)), 0.12) @ rotations
    refined, moved = Refinement(SUBJECT.offsets, np.full(len(JOINTS), 200.0)).solve(expected, root, points, np.full(27, 1e7), steps=4)
    assert np.linalg.norm(SUBJECT.forward(refined, moved) - points, axis=-1).mean() < 1e-4
    assert angles(refined, rotations).mean() < 0.7 * angles(expected, rotations).mean()


def test_the_answer_is_the_least_cost() -> None:
    """Cost, written out here once more, rises along any small turn of any joint and any shift from the refined pose."""
    rng = np.random.default_rng(2)
    rotations, root, points = poses(3)
    points = points + 0.02 * rng.normal(size=points.shape)
    precision = rng.uniform(20.0, 200.0, len(JOINTS))
    weights = rng.uniform(0.0, 2500.0, 27)
    expected = random_turns(rng, (3, len(JOINTS)), 0.1) @ rotations
    refined, moved = Refinement(SUBJECT.offsets, precision).solve(expected, root, points, weights, steps=12)

    def cost(turns: np.ndarray, place: np.ndarray) -> np.ndarray:
        gaps = np.sum((SUBJECT.forward(turns, place) - points) ** 2, axis=-1)
        return np.sum(weights * gaps, axis=-1) + np.sum(precision * angles(turns, expected) ** 2, axis=-1)

    least = cost(refined, moved)
    assert (least < 0.7 * cost(expected, root)).all()
    for joint in range(len(JOINTS)):
        for _ in range(4):
            turned = refined.copy()
            turned[:, joint] = random_turns(rng, (1,), 3e-3) @ turned[:, joint]
            assert (cost(turned, moved) > least - 1e-4 * least).all(), JOINTS[joint]
    assert (cost(refined, moved + 1e-3 * rng.normal(size=3)) > least - 1e-4 * least).all()


def test_full_precision_and_missing_points() -> None:
    rng = np.random.default_rng(3)
    rotations, root, points = poses()
    expected = random_turns(rng, (40, len(JOINTS)), 0.1) @ rotations
    precision = rng.uniform(20.0, 200.0, len(JOINTS))
    hidden = points.copy()
    hidden[:, [INDEX["knee.L"], INDEX["wrist.R"]]] = np.nan
    weights = np.full(27, 1e4)
    refined, moved = Refinement(SUBJECT.offsets, precision).solve(expected, root, hidden, weights)
    again, there = Refinement(SUBJECT.offsets, np.diag(np.repeat(precision, 3))).solve(expected, root, hidden, weights)
    np.testing.assert_allclose(again, refined, atol=1e-9)
    np.testing.assert_allclose(there, moved, atol=1e-9)
    nothing, _ = Refinement(SUBJECT.offsets, precision).solve(expected, root, hidden, np.zeros(27))
    assert angles(nothing, expected).max() < 1e-6
    one, _ = Refinement(SUBJECT.offsets, precision).solve(expected[4:5], root[4:5], hidden[4:5], weights)
    np.testing.assert_allclose(one[0], refined[4], atol=1e-9)


@pytest.mark.parametrize("unit", [1.0, 0.01, 0.001, 0.0254])
def test_units_are_told_by_distances(unit: float) -> None:
    rng = np.random.default_rng(4)
    _, _, points = poses()
    points = (points + 0.01 * rng.normal(size=points.shape)) / unit
    assert metres_per_unit(SUBJECT.rest, points) == pytest.approx(unit, rel=0.05)
    six = np.isin(np.arange(len(POINTS)), [INDEX[name] for name in ("pelvis", "spine3", "head", "ankle.L", "wrist.R")])
    assert metres_per_unit(SUBJECT.rest, points, six) == pytest.approx(unit, rel=0.2)


def test_a_smaller_actor_stays_and_scattered_points_are_refused() -> None:
    _, _, points = poses()
    assert metres_per_unit(SUBJECT.rest, 0.7 * points) == 1.0
    assert metres_per_unit(SUBJECT.rest, np.full_like(points, np.nan)) == 1.0
    with pytest.raises(NeuraRigError, match="not those of a figure"):
        metres_per_unit(SUBJECT.rest, np.exp(4.0 * np.random.default_rng(0).normal(size=points.shape)))
