"""Swing and twist: the shortest rotation to where a bone is seen to point, and the remaining rotation about the bone."""

import numpy as np

from ...geometry import rotation

OPPOSITE = 1e-6  # 1 + cosine below which two directions count as opposite


def shortest_turn(start: np.ndarray, end: np.ndarray, hinge: np.ndarray) -> np.ndarray:
    """Return the shortest rotations `(..., 3, 3)` from unit directions `start` to `end`; for opposite ones half a circle about `hinge`.

    I + [v]x + [v]x^2 / (1 + cos), v = start x end (Rodrigues without trigonometry).  `hinge` `(..., 3)` is made perpendicular to `start`.
    """
    middle = start + end
    raised = 0.5 * np.sum(middle * middle, axis=-1)[..., None, None]  # 1 + cos, without its cancellation
    skew = end[..., :, None] * start[..., None, :]
    skew = skew - rotation.transposed(skew)
    turn = np.eye(3) + skew + skew @ skew / np.maximum(raised, 1e-3 * OPPOSITE)
    opposite = raised < OPPOSITE
    if opposite.any():
        axis = rotation.normalized(hinge - np.sum(hinge * start, axis=-1, keepdims=True) * start)
        half = 2.0 * axis[..., :, None] * axis[..., None, :] - np.eye(3)
        # The half turn ends at -start; the rest of the way is short.
        turn = np.where(opposite, rotation.between(-start, end) @ half, turn)
    return turn


def swing(carried: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """Return frames `(..., 3, 3)`: `carried` ones, swung by the shortest rotation so that y points along unit `direction` `(..., 3)`."""
    return shortest_turn(carried[..., :, 1], direction, carried[..., :, 0]) @ carried


def twist_angle(carried: np.ndarray, aligned: np.ndarray) -> np.ndarray:
    """Return the twist `(...)` in radians of bone-aligned frames about their y, relative to those that the parent carries."""
    swung = swing(carried, aligned[..., :, 1])
    left = rotation.transposed(swung) @ aligned
    return np.arctan2(left[..., 0, 2], left[..., 0, 0])


def twisted(aligned: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """Return bone-aligned frames `(..., 3, 3)` turned by `angle` `(...)` radians about their own y."""
    return aligned @ rotation.about_y(angle)
