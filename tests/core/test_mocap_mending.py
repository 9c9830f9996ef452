"""Recordings mended: what trembles is smoothed without lag, gaps are bridged as far as anybody can know, what
jumps away is left out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.geometry import rotation
from neurarig_addon.core.mocap.actor import resized
from neurarig_addon.core.mocap.mending import mended, seeming_noise, solve_recording, without_outliers
from neurarig_addon.core.mocap.smoothing import smoothed
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX, JOINTS, POINTS
from neurarig_addon.core.neural.solver import PoseSolver
from neurarig_addon.core.retarget.contacts import find_contacts
from tests.core.neural_rigs import recorded_walk

FPS = 60.0
WRIST, KNEE = INDEX["wrist.L"], INDEX["knee.R"]


@pytest.fixture(scope="module")
def walk() -> tuple[PointBody, np.ndarray, np.ndarray]:
    """Return a recorded walk of somebody from whom nothing was learned: body, rotations, points."""
    return recorded_walk("cmu_02_01")


def shaken(points: np.ndarray, noise: float, seed: int = 0) -> np.ndarray:
    return points + noise * np.random.default_rng(seed).standard_normal(points.shape)


def off(found: np.ndarray, points: np.ndarray) -> float:
    return float(np.sqrt(np.mean((found - points) ** 2)))


@pytest.mark.parametrize("noise", [0.005, 0.01, 0.02, 0.04])
def test_noise_is_taken_out(walk, noise: float) -> None:
    points = walk[2]
    made = smoothed(shaken(points, noise), FPS, noise)
    assert off(made.points, points) < 0.55 * noise and (made.trust == 1.0).all()
    assert 0.5 * off(made.points, points) < made.noise < 1.5 * off(made.points, points)


def test_nothing_lags_and_ends_are_not_dragged(walk) -> None:
    noisy = shaken(walk[2], 0.02)
    made = smoothed(noisy, FPS, 0.02).points
    assert_allclose(smoothed(noisy[::-1], FPS, 0.02).points, made[::-1], atol=1e-9)
    assert_allclose(
        smoothed(noisy + [50.0, -20.0, 3.0], FPS, 0.02).points - [50.0, -20.0, 3.0], made, atol=1e-8
    )
    straight = np.linspace(0.0, 4.0, 90)[:, None, None] * np.array([1.0, 0.5, 0.0]) + walk[2][:1]
    assert_allclose(smoothed(straight, FPS, 0.04).points, straight, atol=1e-9)


def test_a_blow_is_not_flattened(walk) -> None:
    points = np.tile(walk[2][:1], (120, 1, 1))
    seconds = np.arange(120) / FPS
    # out and back again at up to 4.3 m/s
    points[:, WRIST, 0] += 0.6 * np.exp(-(((seconds - 1.0) / 0.12) ** 2))
    made = smoothed(shaken(points, 0.01), FPS, 0.01).points
    assert np.ptp(made[:, WRIST, 0]) > 0.97 * 0.6 and off(made, points) < 0.004


def test_a_clip_solved_from_noise_is_as_smooth_as_the_recording(walk) -> None:
    body, rotations, points = walk
    seen = np.arange(len(POINTS)) < len(JOINTS)
    noisy, noise = shaken(points, 0.01), 0.01
    made = mended(noisy, FPS, noise)
    solver = PoseSolver.load()
    alone, _ = solver.solve(body, noisy, seen, noise)
    found, root = solver.solve(body, made.points, made.trust * seen, made.noise)
    before, after = (
        rotation_angle(turns, rotations)[:, : INDEX["ball.L"]].mean() for turns in (alone, found)
    )
    assert after < 0.65 * before
    jerks = [
        np.linalg.norm(np.diff(places[:, : len(JOINTS)], 3, axis=0), axis=-1).mean()
        for places in (body.forward(found, root), points)
    ]
    assert jerks[0] < 1.2 * jerks[1]
    contacts, wanted = (
        find_contacts(body.character, body.motions(turns, place), FPS).intervals
        for turns, place in ((found, root), (rotations, points[:, 0]))
    )
    for point in ("ball.L", "ball.R"):
        assert len(contacts[point]) == len(wanted[point])
        assert np.abs(contacts[point] - wanted[point]).mean() < 0.08 * FPS


def rotation_angle(found: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    return np.linalg.norm(rotation.rotation_vector(np.swapaxes(found, -1, -2) @ wanted), axis=-1)


@pytest.mark.parametrize("noise", [0.0, 0.005, 0.02])
def test_the_lengths_of_bones_tell_the_noise(walk, noise: float) -> None:
    assert seeming_noise(shaken(walk[2], noise)) == pytest.approx(noise, rel=0.15, abs=1e-4)
    assert seeming_noise(np.full((50, len(POINTS), 3), np.nan)) == 0.0


def test_exact_recordings_stay_as_they_are(walk) -> None:
    points = shaken(walk[2], 0.001)
    for noise in (0.0, 0.001):
        made = mended(points, FPS, noise)
        assert np.array_equal(made.points, points) and (made.trust == 1.0).all() and made.noise == noise


@pytest.mark.parametrize("noise", [0.0, 0.01])
def test_short_gaps_are_bridged_and_long_ones_left_open(walk, noise: float) -> None:
    points = walk[2]
    gaps = shaken(points, noise)
    gaps[40:52, WRIST] = np.nan  # 0.2 s
    gaps[20:, KNEE] = np.nan
    made = mended(gaps, FPS, noise)
    assert off(made.points[40:52, WRIST], points[40:52, WRIST]) < 0.015 + noise
    trust = made.trust[38:54, WRIST]
    assert trust[0] == trust[-1] == 1.0 and 0.5 < trust.min() < 1.0 and np.argmin(trust) in (7, 8)
    assert np.isnan(made.points[-60:, KNEE]).all() and (made.trust[-60:, KNEE] == 0.0).all()
    assert (np.isfinite(made.points).all(axis=-1) == (made.trust > 0.0)).all()


def test_a_limb_that_is_gone_for_a_second_comes_back_without_a_jump(walk) -> None:
    body, _, points = walk
    gaps = shaken(points, 0.005)
    rows = [INDEX[name] for name in ("elbow.R", "wrist.R", "hand_tip.R")]
    gaps[50:110, rows] = np.nan
    made = mended(gaps, FPS, 0.005)
    found, root = PoseSolver.load().solve(body, made.points, made.trust, made.noise, refine=1)
    places = body.forward(found, root)
    steps = np.linalg.norm(np.diff(places[:, rows], axis=0), axis=-1)
    assert np.isfinite(places).all() and steps.max() < 0.12
    others = np.setdiff1d(np.arange(len(JOINTS)), rows)
    assert np.linalg.norm(places[:, others] - points[:, others], axis=-1).mean() < 0.012


@pytest.mark.parametrize("noise", [0.001, 0.02])
def test_what_jumps_away_is_left_out(walk, noise: float) -> None:
    points = walk[2]
    wild = shaken(points, noise)
    wild[30, WRIST] += [0.0, 0.4, 0.0]
    wild[60:75, KNEE] += [1.0, 0.0, 0.5]
    wild[90:92, 0] = 0.0
    kept = np.isfinite(without_outliers(wild, FPS, noise)).all(axis=-1)
    gone = np.zeros_like(kept)
    gone[30, WRIST] = gone[60:75, KNEE] = gone[90:92, 0] = True
    assert np.array_equal(~kept, gone)
    assert off(mended(wild, FPS, noise).points[28:33], points[28:33]) < 0.005 + noise


@pytest.mark.parametrize(
    "pair", ["neck head", "elbow.L wrist.L", "wrist.R hand_tip.L", "knee.R toe_tip.L", "head_top toe_tip.R"]
)
def test_of_two_joints_that_jump_away_at_once_both_are_left_out_and_no_other(walk, pair: str) -> None:
    """Also of two that share a bone, and of one at the end of a chain, by whose one bone alone it is
    known."""
    wild, gone = walk[2].copy(), [INDEX[name] for name in pair.split()]
    wild[20, gone] += [[0.0, 0.4, 0.0], [0.5, 0.0, 0.3]]
    left_out = np.isnan(without_outliers(wild, FPS, 0.001)).all(axis=-1)
    assert np.argwhere(left_out).tolist() == [[20, row] for row in sorted(gone)]


def test_swapped_hands_and_legs_are_exchanged_again(walk) -> None:
    noisy = shaken(walk[2], 0.01)
    swapped = noisy.copy()
    for stem, rows in (("wrist", slice(20, 26)), ("knee", slice(70, 100)), ("ankle", slice(70, 100))):
        pair = [INDEX[f"{stem}.L"], INDEX[f"{stem}.R"]]
        swapped[rows, pair] = noisy[rows, pair[::-1]]
    assert np.array_equal(without_outliers(swapped, FPS, 0.01), noisy)


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_missing_the_pose_is_defined(walk, seed: int) -> None:
    body, _, points = walk
    rng = np.random.default_rng(seed)
    gaps = shaken(points[: int(rng.integers(1, 90))], 0.01, seed)
    gaps[rng.random(gaps.shape[:2]) < rng.random()] = np.nan
    gaps[rng.random(len(gaps)) < rng.random()] = np.nan
    gaps[:, rng.random(len(POINTS)) < 0.5 * rng.random()] = np.nan
    made = mended(gaps, FPS, float(rng.choice([0.0, 0.01, 1.0])))
    if np.isfinite(made.points).any():
        found, root = solve_recording(
            PoseSolver.load(), body, resized(made.points, 0.5 * body.rest), made.trust, made.noise, 1
        )
        assert np.isfinite(found).all() and np.isfinite(root).all()
        assert np.abs(np.linalg.det(found) - 1.0).max() < 1e-4
