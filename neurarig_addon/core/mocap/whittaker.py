"""Penalised least squares over time: the smoothest paths near the seen places (Whittaker 1923), for many paths at once.

Minimises  sum w (y - x)^2 + sum v (x[t-1] - 2 x[t] + x[t+1])^2  over x.  The normal equations have two diagonals on either side of
the main one; they are treated as a chain of 2 x 2 blocks and solved by block cyclic reduction: every second block is expressed
by its two neighbours, which leaves half as many, so a clip of n frames takes log2(n) steps on whole arrays.  All paths of a clip are
solved together, each with its own weights; nothing is approximated.
"""

from dataclasses import dataclass

import numpy as np

_STEP = np.array([1.0, -2.0, 1.0])  # the second difference


def whittaker(seen: np.ndarray, weights: np.ndarray, stiffness: np.ndarray) -> np.ndarray:
    """Return the smoothest paths `(f, n, 3)` near the seen places.

    Args:
        seen: `(f, n, 3)`, finite.
        weights: `(f, n)`, w, how closely each place is kept; 0 where it was not seen.  Two per path must be above 0.
        stiffness: `(f - 2, n)`, v, above 0, how closely each three neighbours follow a straight line.
    """
    frames = len(seen)
    bands = _bands(weights, stiffness)
    if frames % 2:  # pads with a last row, tied to nothing
        bands = np.pad(bands, ((0, 0), (0, 1), (0, 0)))
        bands[0, -1] = 1.0
        seen, weights = np.pad(seen, ((0, 1), (0, 0), (0, 0))), np.pad(weights, ((0, 1), (0, 0)))
    first, second = bands[:, 0::2], bands[:, 1::2]
    chain = _Chain(
        np.array([[first[0], first[1]], [first[1], second[0]]]),
        np.array([[first[2], np.zeros_like(first[0])], [second[1], second[2]]])[:, :, :-1],
    )
    asked = np.moveaxis(seen * weights[..., None], -1, 0).reshape(3, -1, 2, weights.shape[1]).transpose(2, 0, 1, 3)
    found = chain.solve(np.ascontiguousarray(asked))
    return np.moveaxis(found.transpose(1, 2, 0, 3).reshape(3, -1, weights.shape[1]), 0, -1)[:frames]


def _bands(weights: np.ndarray, stiffness: np.ndarray) -> np.ndarray:
    """Return the main diagonal and the two beside it `(3, f, n)`; the last rows of the latter are 0."""
    bands = np.zeros((3, *weights.shape))
    bands[0] = weights
    count = len(stiffness)
    for low in range(3):
        for high in range(low, 3):
            bands[high - low, low : low + count] += _STEP[low] * _STEP[high] * stiffness
    return bands


@dataclass(frozen=True)
class _Chain:
    """Symmetric chains of 2 x 2 blocks: `blocks` `(2, 2, k, n)` on the diagonal, `links` `(2, 2, k - 1, n)` between each and the next."""

    blocks: np.ndarray
    links: np.ndarray

    def solve(self, asked: np.ndarray) -> np.ndarray:
        """Return x `(2, c, k, n)` with  chain x = `asked` `(2, c, k, n)`."""
        inverse = _inverse(self.blocks[:, :, 0::2])
        if self.blocks.shape[2] == 1:
            return _product(inverse, asked)
        # Eliminate the even blocks: x = inverse (asked - links x neighbours).
        odd = self.blocks.shape[2] // 2
        before, after = self.links[:, :, 0::2], _transposed(self.links[:, :, 1::2])  # from an even block to the next, and to the one before
        own = _product(inverse, asked[:, :, 0::2])
        up, down = _product(inverse[:, :, : before.shape[2]], before), _product(inverse[:, :, 1 : after.shape[2] + 1], after)
        blocks = self.blocks[:, :, 1::2] - _product(_transposed(before), up)
        left = asked[:, :, 1::2] - _product(_transposed(before), own[:, :, :odd])
        upward = _transposed(after)
        reach = upward.shape[2]
        blocks[:, :, :reach] -= _product(upward, down)
        left[:, :, :reach] -= _product(upward, own[:, :, 1 : reach + 1])
        links = -_product(upward[:, :, : odd - 1], up[:, :, 1:odd])
        found = np.empty_like(asked)
        kept = found[:, :, 1::2] = _Chain(blocks, links).solve(left)
        own[:, :, :odd] -= _product(up, kept)
        own[:, :, 1 : reach + 1] -= _product(down, kept[:, :, :reach])
        found[:, :, 0::2] = own
        return found


def _product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the products `(2, c, ...)` of blocks `(2, 2, ...)` and `(2, c, ...)`: written out, as the blocks are small and many."""
    return left[:, 0, None] * right[None, 0] + left[:, 1, None] * right[None, 1]


def _inverse(blocks: np.ndarray) -> np.ndarray:
    """Return the inverses of symmetric blocks `(2, 2, ...)`."""
    (a, b), (_, c) = blocks
    return np.array([[c, -b], [-b, a]]) / (a * c - b * b)


def _transposed(blocks: np.ndarray) -> np.ndarray:
    return blocks.swapaxes(0, 1)
