"""Forward and inverse kinematics undo each other, whatever the bones inherit."""

import numpy as np
import pytest

from neurarig_addon.core import rotation
from neurarig_addon.core.kinematics import Hierarchy, forward, inverse
from neurarig_addon.core.skeleton import Skeleton

FRAMES, BONES = 5, 9


def random_axes(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rotation.from_axis_angle(rotation.normalized(rng.normal(size=(*shape, 3))), rng.uniform(-3.0, 3.0, shape))


def skeleton(rng: np.random.Generator) -> Skeleton:
    parents = np.array([-1, *(int(rng.integers(-1, row)) for row in range(1, BONES))])
    rest = np.tile(np.eye(4), (BONES, 1, 1))
    rest[:, :3, :3], rest[:, :3, 3] = random_axes(rng, BONES), rng.normal(size=(BONES, 3))
    return Skeleton(tuple(f"b{row}" for row in range(BONES)), parents, rest, np.ones(BONES), np.ones(BONES, dtype=bool), np.eye(4))


@pytest.mark.parametrize("seed", range(8))
def test_inverse_undoes_forward(seed: int) -> None:
    rng = np.random.default_rng(seed)
    hierarchy = Hierarchy(skeleton(rng), *(rng.random((3, BONES)) < 0.6))
    turns = random_axes(rng, FRAMES, BONES) * rng.uniform(0.5, 2.0, (FRAMES, BONES, 1, 1))
    locations = rng.normal(size=(FRAMES, BONES, 3))
    found = inverse(hierarchy, *forward(hierarchy, turns, locations))
    np.testing.assert_allclose(found[0], turns, atol=1e-9)
    np.testing.assert_allclose(found[1], locations, atol=1e-9)


def test_bones_that_add_nothing_are_at_rest() -> None:
    rng = np.random.default_rng(0)
    bones = skeleton(rng)
    axes, heads = forward(Hierarchy.plain(bones), np.tile(np.eye(3), (1, BONES, 1, 1)), np.zeros((1, BONES, 3)))
    np.testing.assert_allclose(axes[0], bones.rest[:, :3, :3], atol=1e-12)
    np.testing.assert_allclose(heads[0], bones.rest[:, :3, 3], atol=1e-12)
