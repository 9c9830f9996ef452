"""What locks are made of: limbs and bones turned by mirrors, the least push within bounds, levers of a tree
of roles."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.body.limbs import Aims, ReachingLimbs
from neurarig_addon.core.geometry import rotation
from neurarig_addon.core.neural.frames import shortest_turn
from neurarig_addon.core.neural.points import JOINTS
from neurarig_addon.core.neural.reach.trunk_reach import TrunkReach
from neurarig_addon.core.neural.reach.trunk_step import Bounds, least_push
from tests.core.neural_rigs import body, random_turns

FRAMES = 200


def is_rotation(turns: np.ndarray) -> bool:
    square = turns @ rotation.transposed(turns)
    return bool(np.abs(square - np.eye(3)).max() < 1e-9) and bool((np.linalg.det(turns) > 0.0).all())


def test_bones_are_aimed_by_the_shortest_turn() -> None:
    rng = np.random.default_rng(0)
    arms = rng.normal(size=(3, 3))
    turns, wanted = random_turns(rng, (FRAMES, 3), 2.0), rng.normal(size=(FRAMES, 3, 3))
    found = Aims(np.arange(3), arms).turned(turns, wanted)
    start, end = rotation.normalized((turns @ arms[:, :, None])[..., 0]), rotation.normalized(wanted)
    assert_allclose(found, shortest_turn(start, end, start[..., [1, 2, 0]]) @ turns, atol=1e-6)


def test_a_bone_that_is_to_point_backwards_turns_half_a_circle_and_nowhere_turns_nothing() -> None:
    arms = np.array([[0.0, 0.0, 0.2], [0.0, 0.3, 0.0], [0.1, 0.0, 0.0]])
    aims, turns = Aims(np.arange(3), arms), random_turns(np.random.default_rng(1), (FRAMES, 3), 3.0)
    pointed = (turns @ arms[:, :, None])[..., 0]
    backwards = aims.turned(turns, -5.0 * pointed)
    assert is_rotation(backwards)
    assert_allclose((backwards @ arms[:, :, None])[..., 0], -pointed, atol=1e-7)
    assert_allclose(aims.turned(turns, np.zeros((FRAMES, 3, 3))), turns, atol=1e-7)


@pytest.mark.parametrize("bent", [1.0, 1e-2, 1e-4, 0.0], ids="bent {}".format)
def test_limbs_end_where_they_are_asked_to(bent: float) -> None:
    """Also straight and folded ones, towards anywhere: behind them, as far as they reach, and into their own
    start."""
    rng = np.random.default_rng(2)
    arms = np.array([[0.0, 0.0, -0.4], [0.0, 0.3, 0.0], [0.02, 0.0, -0.38], [0.0, 0.3, 0.0]])
    limbs = ReachingLimbs(np.arange(4), arms, np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]))
    upper = random_turns(rng, (FRAMES, 2), 3.0)
    turns = np.concatenate([upper, upper @ random_turns(rng, (FRAMES, 2), bent)], axis=1)
    turns[: FRAMES // 4, 2:] = turns[: FRAMES // 4, :2] @ rotation.about_y(np.array(np.pi - bent))
    before = (turns @ arms[:, :, None])[..., 0].reshape(FRAMES, 2, 2, 3).sum(axis=1)
    way = rng.uniform(0.05, 0.6, (FRAMES, 2, 1)) * rotation.normalized(rng.normal(size=(FRAMES, 2, 3)))
    way[::5] = -0.9 * before[::5]
    way[1::5] = before[1::5]
    way[::7] = 0.0
    found = limbs.reached(turns, way)
    assert is_rotation(found)
    reached = (found @ arms[:, :, None])[..., 0].reshape(FRAMES, 2, 2, 3).sum(axis=1)
    lengths = np.linalg.norm(arms, axis=-1)
    nearest, farthest = np.abs(lengths[:2] - lengths[2:]), lengths[:2] + lengths[2:]
    distance = np.linalg.norm(way, axis=-1)
    off = np.maximum(nearest - distance, 0.0) + np.maximum(distance - farthest, 0.0)
    assert_allclose(np.linalg.norm(reached - way, axis=-1), off, atol=1e-7)


def test_a_push_promises_what_its_levers_leave() -> None:
    """Of the whole way, also where it goes a part of it and is damped."""
    rng = np.random.default_rng(5)
    levers, whole = rng.normal(size=(20, 6, 9)), rng.normal(size=(20, 6))
    for part, damping in ((1.0, 1e-9), (0.4, 1e-9), (1.0, 0.5), (0.3, 2.0)):
        push = least_push(levers, part * whole, None, np.full(20, damping))
        gone = (levers @ (levers.swapaxes(1, 2) @ push.along))[..., 0]
        assert_allclose(push.left(whole), np.sum((whole - gone) ** 2, axis=1), atol=1e-9)


def test_the_least_push_is_the_best_of_all_ways_to_hold_limbs() -> None:
    """Against every choice of which bounds are met exactly: the shortest push that breaks none."""
    rng = np.random.default_rng(3)
    frames, limbs = 40, 3
    levers, want = rng.normal(size=(frames, 3 + limbs, 12)), 0.1 * rng.normal(size=(frames, 3))
    high = 0.2 * rng.normal(size=(frames, limbs))
    bounds = Bounds(high, high + rng.uniform(0.0, 0.3, high.shape))
    push = least_push(levers, want, bounds, np.full(frames, 1e-9))
    moves = (push.along.swapaxes(1, 2) @ levers)[:, 0]
    for frame in range(frames):
        best = np.inf
        for choice in product((None, *bounds), repeat=limbs):
            held = {3 + limb: bound[frame, limb] for limb, bound in enumerate(choice) if bound is not None}
            move = np.linalg.pinv(levers[frame, [0, 1, 2, *held]]) @ np.append(want[frame], [*held.values()])
            gone = levers[frame, 3:] @ move
            if (gone > bounds.high[frame] - 1e-9).all() and (gone < bounds.low[frame] + 1e-9).all():
                best = min(best, float(move @ move))
        assert_allclose(levers[frame, :3] @ moves[frame], want[frame], atol=1e-6)
        assert float(moves[frame] @ moves[frame]) == pytest.approx(best, rel=1e-5, abs=1e-12), frame


@pytest.mark.parametrize("pulls", [(1.0, 0.4), (0.4, 1.0), (0.4, 0.2), (0.2, 0.4)])
def test_of_two_limbs_that_cannot_both_reach_the_weaker_gives_way_and_the_other_has_all_it_asks_for(
    pulls: tuple[float, float],
) -> None:
    """A trunk of one bone, free to go anywhere, with limbs of half a metre ahead and behind and places too
    far apart, or not."""
    arms = np.array([[[0.2, -0.2], [0.0, 0.0], [0.0, 0.0]]])
    trunk = TrunkReach(arms, np.full(1, 0.1), 1.0, np.zeros(2), np.full(2, 0.5), np.array(pulls), 1.0)
    apart, left = np.array([2.5, 1.3, 2.0]), np.array([1.1, 0.0, 0.6])
    places = apart[:, None, None] * np.array([[0.5, 0.0, 0.0], [-0.5, 0.0, 0.0]])
    state = trunk.solve(np.tile(np.eye(3), (3, 1, 1, 1)), np.zeros((3, 3)), places)
    points = state.shift[:, None] + arms.sum(axis=0).T @ state.axes[:, 0]
    off = np.maximum(np.linalg.norm(places - points, axis=-1) - 0.5, 0.0)
    assert_allclose(off, np.where(pulls == np.max(pulls), 0.0, left[:, None]), atol=1e-4)


@pytest.mark.parametrize(
    "build", ["one spine bone", "three neck bones, five spine bones", "no clavicles, A-pose"]
)
def test_levers_carry_points_and_heads_where_bone_after_bone_does(build: str) -> None:
    rng = np.random.default_rng(4)
    subject = body(build)
    tree = subject.tree
    away, root = random_turns(rng, (5, len(tree.roles)), 1.0), rng.normal(size=(5, 3))
    heads = np.empty((5, len(tree.roles), 3))
    heads[:, 0] = root
    for row, parent in enumerate(tree.parents[1:], 1):
        heads[:, row] = heads[:, parent] + away[:, parent] @ tree.arms[row]
    assert_allclose(tree.heads(away, root), heads, atol=1e-12)
    assert_allclose(tree.carried(away, tree.levers) + root[:, None], tree.points(away, heads), atol=1e-12)
    assert len(JOINTS) < tree.levers.shape[1]
