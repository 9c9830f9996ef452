"""The pose solver with its bundled weights: what must hold whatever the weights are, and damaged files."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.geometry.rotation import about_z, from_axis_angle, transposed
from neurarig_addon.core.neural.analytic.network_body import NetworkBody
from neurarig_addon.core.neural.analytic.noise import Noise
from neurarig_addon.core.neural.network.inputs import SHOWN_WIDTH, read_inputs
from neurarig_addon.core.neural.network.pose_network import turned
from neurarig_addon.core.neural.network.pose_weights import read_pose_weights, write_pose_weights
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX, JOINTS, PARENTS, POINTS, PRIMARY, from_parents
from neurarig_addon.core.neural.solver import BUNDLED, PoseSolver
from tests.core.neural_rigs import BUILDS, angles, body, random_turns

FRAMES = 12
JOINTS_ONLY = (np.arange(len(POINTS)) < len(JOINTS)).astype(float)


@pytest.fixture(scope="module")
def solver() -> PoseSolver:
    return PoseSolver.load()


def posed(figure: PointBody, seed: int = 0, most: float = 0.5) -> tuple[np.ndarray, np.ndarray]:
    """Return rotations `(f, 22, 3, 3)` whose joints turn at most `most` radians in their parents, and their
    points `(f, 27, 3)`."""
    rng = np.random.default_rng(seed)
    rotations = from_parents(random_turns(rng, (FRAMES, len(JOINTS)), most))
    return rotations, figure.forward(rotations, rng.normal(size=(FRAMES, 3)))


@pytest.mark.parametrize("build", BUILDS)
def test_exact_points_are_met(solver: PoseSolver, build: str) -> None:
    """Every bone with a length points where it is seen to, and the figure stands where the pelvis is seen."""
    figure = body(build)
    _, points = posed(figure)
    rotations, root = solver.solve(figure, points)
    lengths = np.linalg.norm(figure.offsets[PRIMARY], axis=-1)
    bones = points[:, PRIMARY] - points[:, : len(JOINTS)]
    shown = np.flatnonzero(lengths > 0.02 * figure.height)
    pointed = (rotations @ figure.offsets[PRIMARY][:, :, None])[..., 0]
    assert np.linalg.norm(pointed - bones, axis=-1)[:, shown].max() < 1e-4 * figure.height
    assert_allclose(root, points[:, 0])
    assert_allclose(rotations @ transposed(rotations), np.broadcast_to(np.eye(3), rotations.shape), atol=1e-5)


@pytest.mark.parametrize(("seen", "sigma"), [(None, 0.0), (JOINTS_ONLY, 0.01)])
def test_turning_and_moving_the_figure_turns_and_moves_the_pose(
    solver: PoseSolver, seen: np.ndarray | None, sigma: float
) -> None:
    figure = body("three spine bones")
    _, points = posed(figure)
    turn = from_axis_angle(np.array([0.6, 0.0, 0.8]), np.array(2.0))
    rotations, root = solver.solve(figure, points, seen, sigma)
    again, moved = solver.solve(figure, points @ turn.T + [5.0, -3.0, 1.0], seen, sigma)
    assert angles(again, turn @ rotations).max() < 1e-4
    assert_allclose(moved, root @ turn.T + [5.0, -3.0, 1.0], atol=1e-4)


def test_a_larger_figure_is_posed_alike(solver: PoseSolver) -> None:
    figure = body("three spine bones")
    _, points = posed(figure)
    larger = replace(figure, rest=3.0 * figure.rest, at_rest=3.0 * figure.at_rest)
    rotations, root = solver.solve(figure, points, JOINTS_ONLY, 0.01)
    again, moved = solver.solve(larger, 3.0 * points, JOINTS_ONLY, 0.03)
    assert angles(again, rotations).max() < 1e-4
    assert_allclose(moved, 3.0 * root, atol=1e-4)


def test_other_proportions_show_the_network_the_same() -> None:
    """Longer bones, the same directions: the features do not change where nothing is noisy."""
    figure = body("three spine bones")
    rotations, points = posed(figure)
    stretched = figure.rest.copy()
    for point in range(1, len(POINTS)):
        factor = 1.4 if POINTS[point].startswith(("knee", "elbow", "wrist")) else 1.0
        stretched[point] = stretched[PARENTS[point]] + factor * figure.offsets[point]
    longer = replace(figure, rest=stretched)
    tables = NetworkBody.of(figure.rest), NetworkBody.of(longer.rest)
    shape = read_pose_weights(BUNDLED).figure
    places = points, longer.forward(rotations, points[:, 0])
    first, second = (
        read_inputs(table, x, Noise.of(table, shape, np.ones(27), 0.0))
        for table, x in zip(tables, places, strict=True)
    )
    assert_allclose(first.nodes[:, :SHOWN_WIDTH], second.nodes[:, :SHOWN_WIDTH], atol=1e-3)
    assert_allclose(first.free, second.free, atol=1e-3)


def test_a_clip_is_solved_as_frame_by_frame(solver: PoseSolver) -> None:
    figure = body("seven spine bones")
    _, points = posed(figure)
    rng = np.random.default_rng(5)
    seen = np.where(
        rng.random((FRAMES, len(POINTS))) < 0.15, 0.0, rng.uniform(0.3, 1.0, (FRAMES, len(POINTS)))
    )
    rotations, root = solver.solve(figure, points, seen, 0.004)
    for frame in range(FRAMES):
        one, place = solver.solve(figure, points[frame : frame + 1], seen[frame], 0.004)
        assert angles(one[0], rotations[frame]).max() < 1e-3
        assert_allclose(place[0], root[frame], atol=1e-4)


def test_a_turn_is_about_the_axes_of_the_joint() -> None:
    """The quaternion of real part 1 and imaginary part tan(angle / 2) along an axis; what is turned about the
    bone keeps its direction."""
    rows_of = [1, 0, 2]  # x, y, z among rows y, x, z
    axes = random_turns(np.random.default_rng(2), (1, len(JOINTS)), 3.0)[..., rows_of, :]
    for axis, row in enumerate(rows_of):
        turns = np.zeros((1, 4, len(JOINTS)), np.float32)
        turns[:, 0], turns[:, 1 + axis] = 1.0, np.tan(0.35)
        found = turned(axes, turns)
        expected = axes @ transposed(from_axis_angle(axes[..., row, :], np.array(0.7)))
        assert_allclose(found, expected, atol=1e-6)
        assert_allclose(found[..., row, :], axes[..., row, :], atol=1e-7)


def test_no_frames_give_no_poses(solver: PoseSolver) -> None:
    rotations, root = solver.solve(body("no toes"), np.empty((0, 27, 3)))
    assert rotations.shape == (0, 22, 3, 3) and root.shape == (0, 3)


def test_what_is_not_seen_does_not_matter(solver: PoseSolver) -> None:
    figure = body("no neck")
    _, points = posed(figure)
    seen = np.ones(len(POINTS))
    seen[[INDEX[name] for name in ("elbow.L", "knee.R", "head_top", "spine2")]] = 0.0
    expected, root = solver.solve(figure, points, seen)
    for nonsense in (np.nan, 1e9, -np.inf):
        spoiled = np.where(seen[:, None] > 0.0, points, nonsense)
        found, place = solver.solve(figure, spoiled, seen)
        assert_array_equal(found, expected)
        assert_array_equal(place, root)
    nearly, _ = solver.solve(figure, points, np.where(seen > 0.0, 1.0 - 1e-6, 0.0))
    assert angles(nearly, expected).max() < 0.05  # a hand below a hidden elbow is off most


@pytest.mark.parametrize(
    "case",
    ["nothing seen", "all in one place", "on one line", "another unit", "one point", "without a trunk"],
)
def test_bad_input_gives_a_defined_pose(solver: PoseSolver, case: str) -> None:
    figure = body("two spine bones")
    _, points = posed(figure)
    seen = np.ones(len(POINTS))
    if case == "nothing seen":
        points = np.full_like(points, np.nan)
    elif case == "all in one place":
        points = np.ones_like(points)
    elif case == "on one line":
        points = points * [0.0, 0.0, 1.0]
    elif case == "another unit":
        points = 1000.0 * points
    elif case == "one point":
        seen = np.eye(len(POINTS))[INDEX["wrist.L"]]
    else:
        seen[
            [
                row
                for row, name in enumerate(POINTS)
                if name.startswith(("pelvis", "hip", "spine", "neck", "collar", "shoulder"))
            ]
        ] = 0.0
    for sigma in (0.0, 0.02):
        rotations, root = solver.solve(figure, points, seen, sigma)
        assert np.isfinite(rotations).all() and np.isfinite(root).all()
        assert_allclose(
            rotations @ transposed(rotations), np.broadcast_to(np.eye(3), rotations.shape), atol=1e-4
        )


@pytest.mark.parametrize("refine", [0, 1])
@pytest.mark.parametrize("pulled", [("head",), ("spine3", "head", "wrist.L", "wrist.R")])
def test_what_is_out_of_reach_is_taken_as_far_as_it_goes(
    solver: PoseSolver, pulled: tuple[str, ...], refine: int
) -> None:
    """A head pulled away from the pelvis stretches nobody: spine and head stay as upright as they were."""
    figure = body("three spine bones")
    seen = np.isin(POINTS, ["pelvis", "spine3", "head", "wrist.L", "wrist.R", "ankle.L", "ankle.R"]).astype(
        float
    )
    standing = figure.forward(np.broadcast_to(np.eye(3), (1, len(JOINTS), 3, 3)), np.zeros((1, 3)))
    for pull in (0.05, 0.1, 0.3):
        points = standing.copy()
        points[:, [INDEX[name] for name in pulled], 2] += pull * figure.height
        rotations, root = solver.solve(figure, points, seen, refine=refine)
        assert np.linalg.norm(root) < 0.05 * figure.height
        for joint in ("pelvis", "spine3", "neck", "head"):
            assert rotations[0, INDEX[joint], 2, 2] > np.cos(np.radians(45.0)), f"{joint}, pulled {pull}"


def test_the_pose_before_is_remembered(solver: PoseSolver) -> None:
    """From six points the pose is found better when it was known a moment ago."""
    figure = body("three spine bones")
    rotations, points = posed(figure, most=0.3)
    seen = (
        np.isin(
            np.arange(len(POINTS)),
            [INDEX[name] for name in ("pelvis", "head", "wrist.L", "wrist.R", "ankle.L", "ankle.R")],
        )
        * 1.0
    )
    alone, _ = solver.solve(figure, points, seen, refine=0)
    before = about_z(np.array(0.02)) @ rotations
    remembered, _ = solver.solve(figure, points, seen, previous=before, refine=0)
    assert angles(remembered, rotations).mean() < 0.6 * angles(alone, rotations).mean()


def test_refining_brings_the_points_nearer(solver: PoseSolver) -> None:
    figure = body("three spine bones")
    _, points = posed(figure)
    noisy = points + 0.01 * np.random.default_rng(4).normal(size=points.shape)
    apart = []
    for steps in (0, 1, 3):
        found = solver.solve(figure, noisy, JOINTS_ONLY, 0.01, refine=steps)
        apart.append(np.linalg.norm(figure.forward(*found) - noisy, axis=-1)[:, : len(JOINTS)].mean())
    assert apart[1] < 0.9 * apart[0] and apart[2] < apart[1] + 1e-4


def test_the_solver_keeps_apart_what_it_remembers(solver: PoseSolver) -> None:
    """Bodies, masks and noise alternate; each answer is the one that a fresh solver gives."""
    figures = [body(build) for build in ("three spine bones", "no toes")]
    for _ in range(2):
        for figure in figures:
            _, points = posed(figure)
            for seen, sigma in ((None, 0.0), (JOINTS_ONLY, 0.0), (JOINTS_ONLY, 0.02)):
                fresh = PoseSolver.load(BUNDLED).solve(figure, points, seen, sigma)
                found = solver.solve(figure, points, seen, sigma)
                assert_array_equal(found[0], fresh[0])
                assert_array_equal(found[1], fresh[1])


def test_weights_come_back_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "again.safetensors"
    write_pose_weights(path, read_pose_weights(BUNDLED))
    assert path.read_bytes() == BUNDLED.read_bytes()
