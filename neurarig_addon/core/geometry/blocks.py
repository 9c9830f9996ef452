"""Inverses of symmetric positive definite matrices in two blocks, of which the last may be changed at little
cost.

LAPACK wakes threads for a matrix of more than 32 rows, which costs more than to invert it: larger ones are
inverted in halves.
"""

from typing import NamedTuple

import numpy as np

_ALONE = 32  # rows that LAPACK factors in one thread


class BlockInverse(NamedTuple):
    """The inverse of symmetric matrices whose blocks are `A` `(f, e, e)`, `B` `(f, e, l)` and `D` `(f, l,
    l)`.

    `first`: A's inverse; `across` `(f, e, l)`: that times B; `rest` `(f, l, l)`: what D has left, the Schur
    complement D - B' A^-1 B, and
    `last`: the inverse of this.  The last two are None where B and D are empty.
    """

    first: np.ndarray
    across: np.ndarray | None
    rest: np.ndarray | None
    last: np.ndarray | None

    @classmethod
    def of(cls, matrices: np.ndarray, count: int) -> "BlockInverse":
        """Return the inverse of matrices `(f, e + l, e + l)` whose first block has `count` rows."""
        first = inverse(matrices[:, :count, :count])
        if count == matrices.shape[1]:
            return cls(first, None, None, None)
        beside = matrices[:, :count, count:]
        across = first @ beside
        return cls(first, across, matrices[:, count:, count:] - beside.swapaxes(1, 2) @ across, None)

    def stiffer(self, more: np.ndarray) -> "BlockInverse":
        """Return the inverse with `more` `(f, l)` on the diagonal of the last block."""
        if self.rest is None:
            return self
        rest = self.rest.copy()
        rest.reshape(len(rest), -1)[:, :: rest.shape[-1] + 1] += more
        return self._replace(last=inverse(rest))

    def times(self, right: np.ndarray) -> np.ndarray:
        """Return the inverse times `right` `(f, e + l, n)`."""
        if self.across is None or self.rest is None:
            return self.first @ right
        count = self.first.shape[1]
        last = inverse(self.rest) if self.last is None else self.last
        ends = last @ (right[:, count:] - self.across.swapaxes(1, 2) @ right[:, :count])
        return np.concatenate([self.first @ right[:, :count] - self.across @ ends, ends], axis=1)


def inverse(matrices: np.ndarray) -> np.ndarray:
    """Return the inverses of symmetric positive definite matrices `(f, n, n)`, by halves where they are
    large."""
    count = matrices.shape[-1]
    if count <= _ALONE:
        return np.linalg.inv(matrices)
    half = count // 2
    blocks = BlockInverse.of(matrices, half).stiffer(np.zeros(1))
    assert blocks.across is not None and blocks.last is not None
    found = np.empty_like(matrices)
    beside = -blocks.across @ blocks.last
    found[:, :half, :half] = blocks.first - beside @ blocks.across.swapaxes(1, 2)
    found[:, :half, half:], found[:, half:, :half], found[:, half:, half:] = (
        beside,
        beside.swapaxes(1, 2),
        blocks.last,
    )
    return found


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
