"""The analytic pose: exact where points tell, plausible where they are missing, never undefined."""

import numpy as np
import pytest

from neurarig_addon.core.geometry import rotation
from neurarig_addon.core.neural.analytic.anchor import Anchor
from neurarig_addon.core.neural.points import INDEX, JOINTS, PARENTS, POINTS, PRIMARY
from tests.core.neural_rigs import BUILDS, angles, body, local_pose, possible, random_turns, recorded_walk

SIX = ("pelvis", "spine3", "head", "wrist.L", "wrist.R", "ankle.L", "ankle.R")
COINCIDENT = 1e-6


def seen_only(*names: str) -> np.ndarray:
    return np.isin(np.arange(len(POINTS)), [INDEX[name] for name in names]).astype(float)


def are_rotations(turns: np.ndarray) -> bool:
    square = turns @ rotation.transposed(turns)
    return bool(np.abs(square - np.eye(3)).max() < 1e-8 and np.linalg.det(turns).min() > 0.0)


@pytest.mark.parametrize("build", BUILDS)
def test_bones_point_where_points_are(build: str) -> None:
    rng = np.random.default_rng(6)
    subject = body(build)
    rotations = possible(subject, local_pose(rng, 200, most=1.0))
    points = subject.forward(rotations, rng.normal(size=(200, 3)))
    found = Anchor.of(subject.rest).solve(points).rotations
    assert are_rotations(found)
    for joint in range(1, len(JOINTS)):
        rest, line = subject.offsets[PRIMARY[joint]], points[:, PRIMARY[joint]] - points[:, joint]
        if np.linalg.norm(rest) > COINCIDENT:
            np.testing.assert_allclose(rotation.normalized(found[:, joint] @ rest), rotation.normalized(line), atol=1e-6)
    assert angles(found[:, 0], rotations[:, 0]).max() < 1e-6, "the pelvis is rigid and sees more than a line"


def test_recorded_clip_and_its_twist() -> None:
    subject, rotations, points = recorded_walk("cmu_16_14")
    found = Anchor.of(subject.rest).solve(points).rotations
    off = np.degrees(angles(found, rotations)).mean(axis=0)
    told = [INDEX[name] for name in ("pelvis", "hip.L", "hip.R", "knee.L", "knee.R", "spine1", "spine2", "spine3", "shoulder.L", "elbow.R")]
    assert off[told].max() < 4.0
    assert np.linalg.norm(subject.forward(found, points[:, 0]) - points, axis=-1).mean() < 1e-3


def test_one_frame_is_as_many_and_a_moved_turned_scaled_world_is_the_same() -> None:
    subject, _, points = recorded_walk("cmu_16_14")
    anchor = Anchor.of(subject.rest)
    found = anchor.solve(points).rotations
    np.testing.assert_allclose(anchor.solve(points[7:8]).rotations[0], found[7], atol=1e-12)
    turn = random_turns(np.random.default_rng(0), (1,), np.pi)[0]
    np.testing.assert_allclose(anchor.solve(3.7 * points @ turn.T + [1.0, -2.0, 5.0]).rotations, turn @ found, atol=1e-6)
    np.testing.assert_allclose(Anchor.of(2.0 * subject.rest).solve(points).rotations, found, atol=1e-7)


@pytest.mark.parametrize(
    "missing", [("knee.L",), ("elbow.R", "hand_tip.R"), ("hip.L",), ("pelvis",), ("spine2", "neck"), ("wrist.L", "shoulder.R")]
)
def test_a_missing_point_is_inferred(missing: tuple[str, ...]) -> None:
    subject, _, points = recorded_walk("cmu_16_14")
    anchor = Anchor.of(subject.rest)
    hidden = points.copy()
    rows = [INDEX[name] for name in missing]
    hidden[:, rows] = np.nan
    found = anchor.solve(hidden)
    assert np.linalg.norm(found.points - points, axis=-1)[:, : len(JOINTS)].mean(axis=0).max() < 0.16
    others = [row for row in range(len(POINTS)) if row not in rows]
    np.testing.assert_allclose(found.points[:, others], points[:, others], atol=1e-12)
    whole = anchor.solve(points).rotations
    assert np.degrees(angles(found.rotations, whole)).mean() < 6.0
    # Said to be unseen is the same as not being there.
    seen = np.ones(len(POINTS))
    seen[rows] = 0.0
    np.testing.assert_allclose(anchor.solve(points, seen).rotations, found.rotations, atol=1e-9)


def test_hidden_more_and_more_the_pose_changes_smoothly() -> None:
    subject, _, points = recorded_walk("cmu_16_14")
    anchor = Anchor.of(subject.rest)
    for name in ("knee.L", "wrist.R", "spine3", "ball.L", "hip.R"):
        steps = []
        for weight in np.linspace(0.0, 1.0, 101):
            seen = np.ones(len(POINTS))
            seen[INDEX[name]] = weight
            steps.append(anchor.solve(points[::40], seen).rotations)
        assert np.degrees(angles(np.array(steps[1:]), np.array(steps[:-1]))).max() < 8.0, name


def test_six_points_stand_upright_and_turn_with_the_world() -> None:
    subject, rotations, points = recorded_walk("cmu_16_14")
    anchor = Anchor.of(subject.rest)
    found = anchor.solve(points, seen_only(*SIX))
    assert are_rotations(found.rotations)
    assert np.degrees(angles(found.rotations[:, 0], rotations[:, 0])).mean() < 35.0
    for row in (INDEX[name] for name in SIX):
        np.testing.assert_allclose(found.points[:, row], points[:, row], atol=1e-12)
    about = rotation.about_z(np.array(2.0))
    turned = anchor.solve(points @ about.T, seen_only(*SIX)).rotations
    assert np.degrees(angles(turned, about @ found.rotations)).mean() < 2.0


@pytest.mark.parametrize(
    "what",
    ["nothing seen", "nothing finite", "one place", "one line", "pelvis only", "no pelvis", "no trunk", "pairs coincide", "upside down"],
)
def test_bad_points_give_a_defined_pose(what: str) -> None:
    subject = body("three spine bones")
    anchor = Anchor.of(subject.rest)
    points, seen = np.array([subject.rest] * 3), np.ones(len(POINTS))
    points += np.random.default_rng(0).normal(size=points.shape) * 1e-3
    if what == "nothing seen":
        seen[:] = 0.0
    elif what == "nothing finite":
        points[:] = np.nan
    elif what == "one place":
        points[:] = 1.0
    elif what == "one line":
        points[:] = np.linspace(0.0, 1.0, len(POINTS))[:, None] * [0.0, 0.0, 1.0]
    elif what == "pelvis only":
        seen = seen_only("pelvis")
    elif what == "no pelvis":
        points[:, 0] = np.nan
    elif what == "no trunk":
        seen = seen_only("wrist.L", "wrist.R", "ankle.L", "ankle.R", "elbow.L", "knee.R")
    elif what == "pairs coincide":
        points[:, 1:] = points[:, PARENTS[1:]]
    elif what == "upside down":
        points = points * [1.0, -1.0, -1.0]
    found = anchor.solve(points, seen)
    assert np.isfinite(found.points).all() and are_rotations(found.rotations)
    np.testing.assert_allclose(anchor.solve(points[1:2], seen).rotations[0], found.rotations[1], atol=1e-9)
    again = anchor.solve(points + np.random.default_rng(1).normal(size=points.shape) * 1e-9, seen)
    if what not in ("one place", "one line", "pairs coincide"):
        assert np.degrees(angles(again.rotations, found.rotations)).max() < 0.1, "a tremor of a nanometre must not turn the figure"
