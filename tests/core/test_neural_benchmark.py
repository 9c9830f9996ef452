"""The measures of the benchmark of whole poses, on answers that are known."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.neural_ik import report
from benchmarks.neural_ik.conditions import SIX_POINTS, Condition, all_joints, conditions, only, without_random
from benchmarks.neural_ik.evaluate import OBSERVABLE, errors_of, judged
from benchmarks.neural_ik.gaussian_lm import GaussianLM
from benchmarks.neural_ik.metrics import angle, mean_jerk, swing_and_twist
from benchmarks.neural_ik.people import APART, Poses, spread
from benchmarks.neural_ik.plain_poses import Analytic, AnalyticSwing, MeanPose, Solver
from benchmarks.neural_ik.prior import PosePrior
from benchmarks.neural_ik.sequences import from_start
from neurarig_addon.core.character.character import Character
from neurarig_addon.core.geometry.rotation import from_axis_angle, normalized, perpendicular
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import JOINTS, from_parents
from tests.core.skeletons import biped, skeleton


def random_rotations(rng: np.random.Generator, shape: tuple[int, ...], largest: float = np.pi) -> np.ndarray:
    return from_axis_angle(normalized(rng.standard_normal((*shape, 3))), rng.uniform(0.0, largest, shape))


@pytest.fixture(scope="module")
def poses() -> Poses:
    """Twenty moderate random poses, the joints turned by at most 30 degrees."""
    body = PointBody.of(Character.of(skeleton(biped())))
    rng = np.random.default_rng(1)
    rotations = from_parents(random_rotations(rng, (20, len(JOINTS)), np.radians(30.0)))
    return Poses(body, rotations, body.rest[0] + rng.standard_normal((20, 3)))


@pytest.mark.parametrize("degrees", [0.0, 1e-4, 0.5, 90.0, 179.999])
def test_an_angle_is_what_was_turned(degrees: float) -> None:
    rng = np.random.default_rng(2)
    start, axis = random_rotations(rng, (50,)), normalized(rng.standard_normal((50, 3)))
    turned = start @ from_axis_angle(axis, np.full(50, np.radians(degrees)))
    np.testing.assert_allclose(angle(start, turned), degrees, atol=1e-6)


def test_swing_and_twist_come_apart() -> None:
    rng = np.random.default_rng(3)
    truth, bone = random_rotations(rng, (200,)), normalized(rng.standard_normal((200, 3)))
    swing, twist = np.radians(rng.uniform(0.0, 170.0, 200)), np.radians(rng.uniform(0.0, 170.0, 200))
    found = truth @ from_axis_angle(bone, twist)
    seen = (found @ bone[..., None])[..., 0]
    found = from_axis_angle(perpendicular(seen), swing) @ found
    np.testing.assert_allclose(swing_and_twist(found, truth, bone), np.degrees([swing, twist]), atol=1e-6)


def test_the_truth_has_no_error_and_a_wrong_pelvis_is_a_global_error(poses: Poses) -> None:
    problem = Condition("all", 0.0, all_joints).problem(poses, 0)
    errors = judged(problem, poses.rotations, poses.root)
    for figure in (errors.turn, errors.local, errors.swing, errors.twist, errors.place):
        assert np.abs(figure).max() < 1e-5
    turn = from_axis_angle(np.array([0.0, 0.0, 1.0]), np.radians(20.0))
    errors = judged(problem, turn @ poses.rotations, poses.root)
    np.testing.assert_allclose(errors.turn, 20.0, atol=1e-6)
    np.testing.assert_allclose(errors.local[:, 1:], 0.0, atol=1e-5)
    moved = judged(problem, poses.rotations, poses.root + [0.003, 0.004, 0.0])
    np.testing.assert_allclose(moved.place, 5.0, atol=1e-9)


def test_five_leaves_are_not_observable() -> None:
    assert [joint for joint, seen in zip(JOINTS, OBSERVABLE, strict=True) if not seen] == ["ball.L", "ball.R", "head", "wrist.L", "wrist.R"]


def test_the_jerk_of_a_cubic_is_six() -> None:
    time = np.arange(30)[:, None] / 25.0
    path = time[..., None] ** 3 * np.array([0.6, 0.0, 0.8])
    assert mean_jerk(path, 25.0) == pytest.approx(6.0)


def test_kept_poses_are_apart_and_every_other_is_near_one() -> None:
    rng = np.random.default_rng(4)
    # A walk in small turns comes by the same poses again and again.
    turns = np.concatenate([random_rotations(rng, (300, 1, 2), 0.3)])
    features = turns.reshape(300, -1)
    kept = spread(features, APART, seed=0)
    far = np.sqrt(2.0 * features.shape[1] / 9.0) * APART
    apart = np.linalg.norm(features[kept, None] - features[kept], axis=-1)[np.triu_indices(len(kept), 1)]
    assert 10 < len(kept) < 300 and apart.min() > far
    assert np.linalg.norm(features[:, None] - features[kept], axis=-1).min(axis=1).max() <= far * (1 + 1e-5)


def test_problems_repeat_and_hide_what_is_missing(poses: Poses) -> None:
    for condition in conditions():
        first, again = condition.problem(poses, 2), condition.problem(poses, 2)
        np.testing.assert_array_equal(first.points, again.points)
        np.testing.assert_array_equal(np.isfinite(first.points).all(axis=-1), first.seen > 0.0)
        miss = (first.points - first.truth.points)[first.seen > 0.0]
        assert np.std(miss) == pytest.approx(first.sigma, rel=0.05, abs=1e-12)
    rng = np.random.default_rng(0)
    assert (without_random(6)(rng, 50).sum(axis=-1) == len(JOINTS) - 6).all()
    assert (only(*SIX_POINTS)(rng, 5).sum(axis=-1) == 7).all()


def test_searches_find_a_pose_that_they_know(poses: Poses) -> None:
    """With the prior around one pose, points of this very pose give it back, from the analytic start and from 40 degrees off."""
    one = poses.rows(slice(0, 1))
    prior = PosePrior.of([one])
    wide = PosePrior(prior.mean, np.eye(len(prior.covariance)))
    exact = Condition("all", 0.0, all_joints).problem(one, 0)
    lm = GaussianLM(wide, {0: (1.0, 1.0)}, enough=1e-9, steps=100)
    solvers: tuple[Solver, ...] = (MeanPose(prior), lm)
    for solver in solvers:
        errors = errors_of(solver, [exact])
        assert errors.turn.max() < 0.1 and errors.place.max() < 0.1
    assert from_start(lm, [one], 40.0) < 0.1


def test_analytic_poses_point_along_exact_bones(poses: Poses) -> None:
    exact = Condition("all", 0.0, all_joints).problem(poses, 0)
    plain, bent = (errors_of(solver, [exact]) for solver in (AnalyticSwing(PosePrior.of([poses])), Analytic()))
    assert plain.swing[:, OBSERVABLE].max() < 1e-4 and bent.swing[:, OBSERVABLE].max() < 1e-4
    assert plain.place.max() < 1e-3


def test_only_what_stands_between_the_marks_is_replaced(tmp_path: Path) -> None:
    document = tmp_path / "neural.md"
    document.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n", encoding="utf-8")
    report.put_into(document, "new")
    assert document.read_text(encoding="utf-8") == f"before\n{report.BEGIN}\nnew\n{report.END}\nafter\n"
