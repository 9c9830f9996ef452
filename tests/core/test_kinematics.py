"""Forward and inverse kinematics undo each other, whatever the bones inherit."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.geometry import rotation
from neurarig_addon.core.skeleton.skeleton import Hierarchy, Skeleton, forward, inverse

FRAMES, BONES = 5, 9


def random_axes(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rotation.from_axis_angle(
        rotation.normalized(rng.normal(size=(*shape, 3))), rng.uniform(-3.0, 3.0, shape)
    )


def skeleton(rng: np.random.Generator) -> Skeleton:
    parents = np.array([-1, *(int(rng.integers(-1, row)) for row in range(1, BONES))])
    rest = np.tile(np.eye(4), (BONES, 1, 1))
    rest[:, :3, :3], rest[:, :3, 3] = random_axes(rng, BONES), rng.normal(size=(BONES, 3))
    return Skeleton(
        tuple(f"b{row}" for row in range(BONES)),
        parents,
        rest,
        np.ones(BONES),
        np.ones(BONES, dtype=bool),
        np.eye(4),
    )


@pytest.mark.parametrize("seed", range(8))
def test_inverse_undoes_forward(seed: int) -> None:
    rng = np.random.default_rng(seed)
    hierarchy = Hierarchy(skeleton(rng), *(rng.random((3, BONES)) < 0.6))
    turns = random_axes(rng, FRAMES, BONES) * rng.uniform(0.5, 2.0, (FRAMES, BONES, 1, 1))
    locations = rng.normal(size=(FRAMES, BONES, 3))
    found = inverse(hierarchy, *forward(hierarchy, turns, locations))
    assert_allclose(found[0], turns, atol=1e-9)
    assert_allclose(found[1], locations, atol=1e-9)


def test_bones_that_add_nothing_are_at_rest() -> None:
    rng = np.random.default_rng(0)
    bones = skeleton(rng)
    axes, heads = forward(
        Hierarchy.plain(bones), np.tile(np.eye(3), (1, BONES, 1, 1)), np.zeros((1, BONES, 3))
    )
    assert_allclose(axes[0], bones.rest[:, :3, :3], atol=1e-12)
    assert_allclose(heads[0], bones.rest[:, :3, 3], atol=1e-12)


@pytest.mark.parametrize("turns, scales", [(True, False), (False, True), (False, False)])
def test_what_a_bone_does_not_inherit_its_parent_does_not_change(turns: bool, scales: bool) -> None:
    rng = np.random.default_rng(3)
    rest = np.tile(np.eye(4), (2, 1, 1))
    rest[:, :3, :3], rest[1, :3, 3] = random_axes(rng, 2), [0.0, 0.0, 1.0]
    bones = Skeleton(
        ("above", "below"), np.array([-1, 0]), rest, np.ones(2), np.ones(2, dtype=bool), np.eye(4)
    )
    inherit_rotation, inherit_scale = np.array([True, turns]), np.array([True, scales])
    hierarchy = Hierarchy(bones, inherit_rotation, inherit_scale, np.ones(2, dtype=bool))
    basis = np.tile(np.eye(3), (1, 2, 1, 1))
    turn = random_axes(rng, 1)[0]
    basis[0, 0] = 2.0 * turn
    axes, _ = forward(hierarchy, basis, np.zeros((1, 2, 3)))
    carried = rest[0, :3, :3] @ turn @ rest[0, :3, :3].T if turns else np.eye(3)
    assert_allclose(axes[0, 1], (2.0 if scales else 1.0) * carried @ rest[1, :3, :3], atol=1e-9)
