"""Limbs keep how they are turned about themselves, and hands and feet how they stand, while their ends are
not moved."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.geometry import rotation
from neurarig_addon.core.neural.base_pose import KeptLimbs
from neurarig_addon.core.neural.points import INDEX, JOINTS
from tests.core.neural_rigs import body, random_turns

LIMBS = {
    "arm L": ("shoulder.L", "elbow.L", "wrist.L"),
    "arm R": ("shoulder.R", "elbow.R", "wrist.R"),
    "leg L": ("hip.L", "knee.L", "ankle.L"),
    "leg R": ("hip.R", "knee.R", "ankle.R"),
}


@pytest.fixture(scope="module")
def rest() -> np.ndarray:
    """Return the points of a body in the reference pose."""
    return body("three spine bones").rest


def shown(points: np.ndarray) -> np.ndarray:
    """Return points `(1, 27, 3)` without those that tell how limbs, hands and feet are turned."""
    told = [INDEX[f"{point}.{side}"] for point in ("elbow", "knee", "hand_tip", "ball") for side in "LR"]
    found = points[None].copy()
    found[:, told] = np.nan
    return found


def degrees(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.degrees(np.linalg.norm(rotation.rotation_vector(rotation.transposed(first) @ second), axis=-1))


def upright(rng: np.random.Generator) -> np.ndarray:
    """Return a pose `(22, 3, 3)` not far from the reference pose."""
    return random_turns(rng, (len(JOINTS),), 0.3)


def test_an_answer_that_is_the_pose_stays_wherever_the_whole_faces(rest: np.ndarray) -> None:
    pose = upright(np.random.default_rng(0))
    limbs = KeptLimbs.of(rest, pose, rest)
    for turn in (np.eye(3), rotation.about_z(np.array(1.3))):
        found = limbs.apply((turn @ pose)[None], shown(rest @ turn.T))
        assert_allclose(found[0], turn @ pose, atol=1e-6)


@pytest.mark.parametrize("limb", LIMBS)
def test_a_limb_turned_about_its_line_and_its_lower_bone_are_turned_back_and_its_end_stays(
    rest: np.ndarray, limb: str
) -> None:
    upper, lower, end = (INDEX[point] for point in LIMBS[limb])
    pose = upright(np.random.default_rng(1))

    def line(turns: np.ndarray) -> np.ndarray:
        return turns[upper] @ (rest[lower] - rest[upper]) + turns[lower] @ (rest[end] - rest[lower])

    limbs, answer = KeptLimbs.of(rest, pose, rest), pose.copy()
    answer[lower] = pose[lower] @ rotation.from_axis_angle(
        rotation.normalized(rest[end] - rest[lower]), np.array(-1.0)
    )
    bones = [upper, lower, end]
    answer[bones] = rotation.from_axis_angle(rotation.normalized(line(pose)), np.array(2.0)) @ answer[bones]
    found = limbs.apply(answer[None], shown(rest))[0]
    assert degrees(found, pose).max() < 1e-3
    assert_allclose(line(found), line(answer), atol=1e-9)
    # where all points are shown
    assert_allclose(limbs.apply(answer[None], rest[None])[0], answer, atol=1e-9)


def test_a_limb_whose_end_is_moved_far_and_a_hand_that_is_not_seen_are_as_the_answer_has_them(
    rest: np.ndarray,
) -> None:
    pose = upright(np.random.default_rng(2))
    limbs, answer, points = KeptLimbs.of(rest, pose, rest), pose.copy(), rest.copy()
    arm = [INDEX[point] for point in LIMBS["arm L"]]
    answer[arm] = rotation.about_z(np.array(-2.0)) @ pose[arm]  # the left arm across the chest and beyond
    points[arm[2]] = np.nan
    found = limbs.apply(answer[None], shown(points))[0]
    assert np.isfinite(found).all()
    assert degrees(found[arm], answer[arm]).max() < 2.0
    others = np.delete(np.arange(len(JOINTS)), arm)
    assert degrees(found[others], pose[others]).max() < 1e-3
