"""Inverses in two blocks: what they give is what numpy's inverse gives, for any split, change of the last
block and size."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.geometry.blocks import BlockInverse, inverse


def positive(frames: int, rows: int) -> np.ndarray:
    """Return symmetric positive definite matrices `(frames, rows, rows)`, drawn at random."""
    levers = np.random.default_rng(rows).normal(size=(frames, rows, rows + 3))
    return levers @ levers.swapaxes(1, 2) + np.eye(rows)


@pytest.mark.parametrize("rows", [1, 5, 32, 33, 47, 130])
def test_inverts_matrices_of_any_size(rows):
    matrices = positive(3, rows)
    assert_allclose(inverse(matrices) @ matrices, np.broadcast_to(np.eye(rows), matrices.shape), atol=1e-9)


@pytest.mark.parametrize("count", [1, 20, 36, 40])
def test_a_stiffer_last_block_is_as_if_inverted_afresh(count):
    matrices, right = positive(2, 40), np.random.default_rng(0).normal(size=(2, 40, 2))
    more = np.random.default_rng(1).uniform(0.0, 1e6, size=(2, 40 - count))
    stiffer = matrices.copy()
    for row in range(40 - count):
        stiffer[:, count + row, count + row] += more[:, row]
    found = BlockInverse.of(matrices, count)
    assert_allclose(found.times(right), np.linalg.solve(matrices, right), atol=1e-10)
    assert_allclose(found.stiffer(more).times(right), np.linalg.solve(stiffer, right), atol=1e-10)
