"""Euler angles from row to row: what is seen between frames where two axes meet."""

import itertools

import numpy as np
import pytest

from neurarig_addon.core.geometry import rotation
from neurarig_addon.core.posing.channels import continuous_rows, from_mode, in_mode


def way(before: np.ndarray, after: np.ndarray, order: str) -> np.ndarray:
    """Return how far it turns `(f,)` while angles go evenly from some to the next."""
    seen = [from_mode(before + share * (after - before), order) for share in np.linspace(0.0, 1.0, 21)]
    steps = [
        rotation.rotation_vector(np.swapaxes(one, -1, -2) @ other) for one, other in itertools.pairwise(seen)
    ]
    return np.linalg.norm(steps, axis=-1).sum(axis=0)


@pytest.mark.few(2)
@pytest.mark.parametrize("order", ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"])
def test_euler_angles_go_the_shorter_way_between_frames_past_gimbal_lock_too(order):
    """Turned on about the middle axis, tilted a little: of the two ways to write each next rotation, the one
    that turns less."""
    rng = np.random.default_rng(sum(order.encode()) + 7)
    i, j, k = ("XYZ".index(axis) for axis in order)
    for _ in range(30):
        turns = rotation.from_axis_angle(
            np.broadcast_to(np.eye(3)[j], (120, 3)), np.radians(rng.uniform(3.0, 12.0)) * np.arange(120.0)
        )
        turns = turns @ rotation.from_axis_angle(
            rotation.normalized(rng.normal(size=3)), np.array(np.radians(rng.uniform(0.5, 15.0)))
        )
        rows = continuous_rows(in_mode(turns, order), order)
        np.testing.assert_allclose(from_mode(rows, order), turns, atol=1e-6)
        other = rows[1:].copy()
        other[:, [i, k]] += np.pi
        other[:, j] = np.pi - other[:, j]
        other -= 2.0 * np.pi * np.round((other - rows[:-1]) / (2.0 * np.pi))
        longer = way(rows[:-1], rows[1:], order) - way(rows[:-1], other, order)
        assert longer.max() < np.radians(1.0)
