"""Systems of equations whose unknowns are coupled to the next ones only, many at once, by cyclic
reduction."""

import numpy as np


def solved(diagonal: np.ndarray, beside: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the solutions `(k, ..., m)` of symmetric block tridiagonal systems, by eliminating every other
    block at a time.

    `diagonal` `(k, ..., m, m)`; `beside` `(k - 1, ..., m, m)`: from each block's row to the next block;
    `right` `(k, ..., m)`.
    """
    inverse = np.linalg.inv(diagonal[1::2]) if len(diagonal) > 1 else np.linalg.inv(diagonal)
    if len(diagonal) == 1:
        return _times(inverse, right)
    before, after = beside[0::2], beside[1::2]
    there = len(after)
    pulled = before @ inverse
    pushed = np.swapaxes(after, -1, -2) @ inverse[:there]
    kept, rest = diagonal[0::2].copy(), right[0::2].copy()
    kept[: len(before)] -= pulled @ np.swapaxes(before, -1, -2)
    rest[: len(before)] -= _times(pulled, right[1::2])
    kept[1 : there + 1] -= pushed @ after
    rest[1 : there + 1] -= _times(pushed, right[1::2][:there])
    found = np.empty_like(right)
    found[0::2] = solved(kept, -(pulled[:there] @ after), rest)
    left = right[1::2] - _times(np.swapaxes(before, -1, -2), found[0::2][: len(before)])
    left[:there] -= _times(after, found[0::2][1 : there + 1])
    found[1::2] = _times(inverse, left)
    return found


def _times(matrices: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    return (matrices @ vectors[..., None])[..., 0]
