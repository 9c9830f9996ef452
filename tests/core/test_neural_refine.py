"""Refinement finds the most likely pose under points and prior."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.geometry.rotation import rotation_vector, transposed
from neurarig_addon.core.neural.likely.likely_pose import bundled_prior
from neurarig_addon.core.neural.likely.pose_prior import PosePrior
from neurarig_addon.core.neural.likely.refine import Moves, Refinement
from neurarig_addon.core.neural.likely.rotation_vectors import turned
from neurarig_addon.core.neural.points import INDEX, JOINTS, PARENTS
from neurarig_addon.core.neural.solver import PoseSolver
from tests.core.neural_rigs import angles, body, local_pose, random_turns

SUBJECT = body("three spine bones")


def poses(frames: int = 40) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    rotations, root = local_pose(rng, frames), rng.normal(size=(frames, 3))
    return rotations, root, SUBJECT.forward(rotations, root)


def prior() -> PosePrior:
    """A prior of many poses like those."""
    return PosePrior.of(local_pose(np.random.default_rng(7), 400))


def test_points_without_noise_are_met_and_the_prior_decides_the_rest() -> None:
    rotations, root, points = poses()
    start = random_turns(np.random.default_rng(1), (40, len(JOINTS)), 0.12) @ rotations
    refined, moved = Refinement(SUBJECT.offsets, prior()).solve(
        start, root, points, np.full(27, 1e7), steps=5
    )
    assert np.linalg.norm(SUBJECT.forward(refined, moved) - points, axis=-1).mean() < 2e-4


def test_the_answer_is_the_least_cost() -> None:
    """Cost, written out here once more, rises along any small turn of any joint and any shift from the
    refined pose."""
    rng, expected = np.random.default_rng(2), prior()
    rotations, root, points = poses(3)
    points = points + 0.02 * rng.normal(size=points.shape)
    weights, strength = rng.uniform(0.0, 2500.0, 27), 0.5
    start = random_turns(rng, (3, len(JOINTS)), 0.1) @ rotations
    refined, moved = Refinement(SUBJECT.offsets, expected).solve(
        start, root, points, weights, strength, steps=20
    )

    def cost(turns: np.ndarray, place: np.ndarray) -> np.ndarray:
        gaps = np.sum((SUBJECT.forward(turns, place) - points) ** 2, axis=-1)
        local = transposed(turns[:, PARENTS[1 : len(JOINTS)]]) @ turns[:, 1:]
        away = rotation_vector(transposed(expected.mean) @ local).reshape(len(turns), -1)
        return np.sum(weights * gaps, axis=-1) + strength * np.einsum(
            "fi,fi->f", away, np.linalg.solve(expected.covariance, away.T).T
        )

    least = cost(refined, moved)
    assert (least < 0.7 * cost(start, root)).all()
    for joint in range(len(JOINTS)):
        for _ in range(4):
            turned = refined.copy()
            turned[:, joint] = random_turns(rng, (1,), 3e-3) @ turned[:, joint]
            assert (cost(turned, moved) > least - 1e-4 * least).all(), JOINTS[joint]
    assert (cost(refined, moved + 1e-3 * rng.normal(size=3)) > least - 1e-4 * least).all()


def test_one_step_is_most_of_the_way() -> None:
    rotations, root, points = poses()
    rng = np.random.default_rng(5)
    seen = points + 0.01 * rng.normal(size=points.shape)
    start = random_turns(rng, (40, len(JOINTS)), 0.08) @ rotations
    refinement, weights = Refinement(SUBJECT.offsets, prior()), np.full(27, 1e4)
    one, all_steps = (refinement.solve(start, root, seen, weights, steps=steps)[0] for steps in (1, 10))
    assert angles(one, all_steps).mean() < 0.35 * angles(one, start).mean()


def test_missing_points_and_single_frames() -> None:
    rotations, root, points = poses()
    start = random_turns(np.random.default_rng(3), (40, len(JOINTS)), 0.1) @ rotations
    hidden, refinement = points.copy(), Refinement(SUBJECT.offsets, prior())
    missing = [INDEX["knee.L"], INDEX["wrist.R"]]
    hidden[:, missing] = 1e3
    weights = np.where(np.isin(np.arange(27), missing), 0.0, 1e4)
    refined, _ = refinement.solve(start, root, hidden, weights)
    assert np.isfinite(refined).all()
    one, _ = refinement.solve(start[4:5], root[4:5], hidden[4:5], weights)
    assert_allclose(one[0], refined[4], atol=1e-7)


def test_joints_that_carry_nothing_seen_are_where_all_equations_put_them() -> None:
    """Left out where their points weigh nothing, solved for where they weigh next to nothing."""
    rotations, root, points = poses(4)
    start = random_turns(np.random.default_rng(4), (4, len(JOINTS)), 0.1) @ rotations
    weights = np.where(
        np.isin(np.arange(27), [INDEX[name] for name in ("pelvis", "spine3", "head", "ankle.L", "wrist.R")]),
        1e4,
        0.0,
    )
    refinement = Refinement(SUBJECT.offsets, prior())
    left_out, whole = (
        refinement.solve(start, root, points, each, steps=2) for each in (weights, np.maximum(weights, 1e-9))
    )
    assert angles(left_out[0], whole[0]).max() < 1e-5
    assert_allclose(left_out[1], whole[1], atol=1e-6)


def test_turns_that_people_hardly_make_need_not_be_solved_for() -> None:
    """On noisy points they go as the prior expects, and what they move is known to the others."""
    rotations, root, _ = poses()
    local = local_pose(np.random.default_rng(9), 400)
    hinges = [INDEX[name] for name in ("knee.L", "knee.R", "elbow.L", "elbow.R", "collar.L", "collar.R")]
    local[:, hinges], rotations[:, hinges] = local[:, PARENTS[hinges]], rotations[:, PARENTS[hinges]]
    stiff, rng = PosePrior.of(local), np.random.default_rng(10)
    points = SUBJECT.forward(rotations, root) + 0.02 * rng.normal(size=(40, 27, 3))
    start = random_turns(rng, (40, len(JOINTS)), 0.1) @ rotations
    moves = [Moves.of(stiff, np.ones(27), least) for least in (0.0, np.radians(1.0))]
    assert [len(each.stiff) for each in moves] == [0, 3 * len(hinges)]
    whole, fewer = (
        Refinement(SUBJECT.offsets, stiff).solve(start, root, points, np.full(27, 2500.0), moves=each)[0]
        for each in moves
    )
    assert angles(fewer, whole).mean() < 0.1 * angles(whole, start).mean()


def test_frames_of_one_call_may_be_seen_differently() -> None:
    rotations, root, points = poses(3)
    rng = np.random.default_rng(8)
    points, strength = points + 0.01 * rng.normal(size=points.shape), np.array([0.2, 1.0, 3.0])
    weights = np.where(rng.random((3, 27)) < 0.3, 0.0, rng.uniform(10.0, 1e5, (3, 27)))
    refinement = Refinement(SUBJECT.offsets, prior())
    together, _ = refinement.solve(rotations, root, points, weights, strength)
    for frame in range(3):
        part = slice(frame, frame + 1)
        alone, _ = refinement.solve(
            rotations[part], root[part], points[part], weights[frame], strength[frame]
        )
        assert angles(alone[0], together[frame]).max() < 1e-5


@pytest.mark.parametrize("sigma", [0.01, 0.0])
def test_refined_poses_come_nearer_to_noisy_and_incomplete_points(sigma: float) -> None:
    """And are rotations whatever is missing."""
    rng, solver = np.random.default_rng(6), PoseSolver.load()
    _, _, points = poses()
    seen = np.ones(27)
    seen[[INDEX["elbow.L"], INDEX["knee.R"]] if sigma == 0.0 else slice(22, 27)] = 0.0
    shown = points + sigma * rng.standard_normal(points.shape)
    plain, refined = (solver.solve(SUBJECT, shown, seen, sigma, refine=steps) for steps in (0, 1))
    off = [
        np.linalg.norm((SUBJECT.forward(*pose) - points)[:, seen > 0.0], axis=-1).mean()
        for pose in (plain, refined)
    ]
    assert off[1] < off[0]
    nothing, _ = solver.solve(SUBJECT, np.full((1, 27, 3), np.nan), refine=1)
    assert_allclose(nothing @ transposed(nothing), np.broadcast_to(np.eye(3), nothing.shape), atol=1e-6)


@pytest.mark.parametrize("stated", [0.005, 0.01, 0.02])
def test_noise_that_is_larger_than_stated_does_not_lead_astray(stated: float) -> None:
    """Refined poses stay nearer than the network's own, however far points of 20 mm of noise are trusted."""
    drawn = np.random.default_rng(5)
    mean, spread = bundled_prior().mean, np.linalg.cholesky(bundled_prior().covariance)
    away = turned((spread @ drawn.normal(size=(63, 60))).T.reshape(60, 21, 3))
    rotations = np.tile(np.eye(3), (60, len(JOINTS), 1, 1))
    for joint in range(1, len(JOINTS)):
        rotations[:, joint] = rotations[:, PARENTS[joint]] @ mean[joint - 1] @ away[:, joint - 1]
    points = SUBJECT.forward(rotations, np.zeros((60, 3)))
    noisy = points + 0.02 * drawn.standard_normal(points.shape)
    seen = (np.arange(27) < len(JOINTS)).astype(float)
    alone, refined = (
        PoseSolver.load().solve(SUBJECT, noisy, seen, stated, refine=steps)[0] for steps in (0, 1)
    )
    assert angles(refined, rotations).mean() < 0.95 * angles(alone, rotations).mean()
