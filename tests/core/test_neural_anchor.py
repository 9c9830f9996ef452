"""The analytic pose: exact where points tell, never undefined."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.geometry import rotation
from neurarig_addon.core.neural.analytic.anchor import Anchor
from neurarig_addon.core.neural.points import INDEX, JOINTS, PRIMARY
from tests.core.neural_rigs import BUILDS, angles, body, local_pose, possible, random_turns, recorded_walk

COINCIDENT = 1e-6


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
            assert_allclose(rotation.normalized(found[:, joint] @ rest), rotation.normalized(line), atol=1e-6)
    assert angles(found[:, 0], rotations[:, 0]).max() < 1e-6, "the pelvis is rigid and sees more than a line"


def test_recorded_clip_and_its_twist() -> None:
    subject, rotations, points = recorded_walk("cmu_16_14")
    found = Anchor.of(subject.rest).solve(points).rotations
    off = np.degrees(angles(found, rotations)).mean(axis=0)
    told = [
        INDEX[name]
        for name in (
            "pelvis",
            "hip.L",
            "hip.R",
            "knee.L",
            "knee.R",
            "spine1",
            "spine2",
            "spine3",
            "shoulder.L",
            "elbow.R",
        )
    ]
    assert off[told].max() < 4.0
    assert np.linalg.norm(subject.forward(found, points[:, 0]) - points, axis=-1).mean() < 1e-3


def test_one_frame_is_as_many_and_a_moved_turned_scaled_world_is_the_same() -> None:
    subject, _, points = recorded_walk("cmu_16_14")
    anchor = Anchor.of(subject.rest)
    found = anchor.solve(points).rotations
    assert_allclose(anchor.solve(points[7:8]).rotations[0], found[7], atol=1e-12)
    turn = random_turns(np.random.default_rng(0), (1,), np.pi)[0]
    assert_allclose(anchor.solve(3.7 * points @ turn.T + [1.0, -2.0, 5.0]).rotations, turn @ found, atol=1e-6)
    assert_allclose(Anchor.of(2.0 * subject.rest).solve(points).rotations, found, atol=1e-7)
