"""Block tridiagonal systems: the solution is that of the whole matrix."""

import numpy as np
import pytest

from neurarig_addon.core.geometry.block_chain import solved


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 12])
def test_a_chain_is_solved_as_its_whole_matrix(count):
    rng = np.random.default_rng(count)
    beside, right = rng.normal(0.0, 0.3, (count - 1, 2, 2)), rng.normal(size=(count, 2))
    whole = np.kron(np.eye(count), np.array([[2.0, 0.3], [0.3, 1.5]]))
    for row, block in enumerate(beside):
        here, there = slice(2 * row, 2 * row + 2), slice(2 * row + 2, 2 * row + 4)
        whole[here, there], whole[there, here] = block, block.T
    diagonal = np.stack([whole[2 * row : 2 * row + 2, 2 * row : 2 * row + 2] for row in range(count)])
    np.testing.assert_allclose(
        solved(diagonal, beside, right).ravel(), np.linalg.solve(whole, right.ravel()), atol=1e-9
    )
