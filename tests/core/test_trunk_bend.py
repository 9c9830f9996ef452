"""A trunk that one control bends: where its chest goes, told from what was seen, and locks that reckon with
it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.geometry.rotation import (
    about_x,
    about_z,
    from_axis_angle,
    normalized,
    rotation_vector,
    transposed,
)
from neurarig_addon.core.neural.plain_poses import POSES, BentTrunk, joint_turns
from neurarig_addon.core.neural.points import INDEX
from neurarig_addon.core.posing.rig_table import TrunkBend
from tests.core.neural_rigs import body as body_of

# from one pivot of the spine to the next, metres
ARMS = np.array([[0.0, 0.01, 0.12], [0.02, 0.0, 0.1], [0.0, 0.0, 0.11]])


def share_of(turns: np.ndarray, share: float) -> np.ndarray:
    vectors = rotation_vector(turns)
    return from_axis_angle(normalized(vectors), share * np.linalg.norm(vectors, axis=-1))


def random_turns(rng: np.random.Generator, count: int, largest: float) -> np.ndarray:
    return from_axis_angle(normalized(rng.normal(size=(count, 3))), rng.uniform(0.05, largest, count))


def chest_of(turns: np.ndarray, shares: tuple[float, ...], askew: np.ndarray) -> np.ndarray:
    """Return how far a chest goes that stands on bones which take such shares of its turn, in axes that are
    turned by `askew`."""
    return sum(
        (askew @ share_of(turns, share) @ askew.T - np.eye(3)) @ arm
        for share, arm in zip(shares, ARMS, strict=False)
    )


@pytest.mark.parametrize(
    ("shares", "askew", "within"),
    [
        ((0.5, 1.0), 0.0, 1e-9),
        ((0.0, 0.5), 0.2, 1e-9),
        ((1.0 / 3.0, 2.0 / 3.0), 0.0, 5e-5),
        ((0.25, 0.5, 0.75), 0.1, 1e-4),
    ],
)
def test_where_a_chest_goes_is_told_from_what_was_seen(
    shares: tuple[float, ...], askew: float, within: float
) -> None:
    rng, stands = np.random.default_rng(3), about_x(np.array(askew)) @ about_z(np.array(-askew))
    seen, other = random_turns(rng, 60, 1.2), random_turns(rng, 40, 1.0)
    bend = TrunkBend.seen(seen, chest_of(seen, shares, stands), 2e-4)
    assert bend is not None
    assert_allclose(bend.shift(other), chest_of(other, shares, stands), atol=within)
    assert_allclose(bend.shift(np.eye(3)[None]), 0.0, atol=1e-12)


def test_a_trunk_that_stays_or_goes_anyhow_tells_of_no_bend() -> None:
    rng = np.random.default_rng(5)
    seen = random_turns(rng, 60, 1.0)
    assert TrunkBend.seen(seen, np.zeros((60, 3)), 2e-4) is None
    assert TrunkBend.seen(seen, rng.normal(scale=0.02, size=(60, 3)), 2e-4) is None
    assert TrunkBend.seen(seen, np.full((60, 3), np.nan), 2e-4) is None


@pytest.mark.parametrize("locked", [("wrist.L", "wrist.R"), ("wrist.L", "ankle.R", "pelvis")])
def test_locked_points_are_at_their_places_on_a_trunk_that_bends_by_itself(locked: tuple[str, ...]) -> None:
    rng = np.random.default_rng(7)
    body = body_of("one spine bone")
    seen = random_turns(rng, 60, 1.0)
    bend = TrunkBend.seen(seen, chest_of(seen, (0.5, 1.0), np.eye(3)), 2e-4)
    assert bend is not None
    trunk = BentTrunk(body, bend)
    poses = np.array([joint_turns(plain.degrees) for plain in POSES.values()])
    away, root = body.role_turns(poses), np.tile(body.rest[0], (len(poses), 1))
    places = body.tree.points(away, trunk.heads(away, root))
    # what is seen of the rest pose, not of these
    away = body.role_turns(np.tile(np.eye(3), (*poses.shape[:2], 1, 1)))
    found, moved = trunk.locked(locked, away, root, places)
    reached = body.tree.points(found, trunk.heads(found, moved))
    rows = [INDEX[point] for point in locked]
    assert_allclose(reached[:, rows], places[:, rows], atol=1e-4)
    plain = body.tree.points(found, body.tree.heads(found, moved))
    # without the bend it would be somewhere else
    assert np.abs(plain[:, rows] - places[:, rows]).max() > 1e-3
    assert_allclose(transposed(found) @ found, np.broadcast_to(np.eye(3), found.shape), atol=1e-9)
