"""The normal equations of many short stretches of keys, solved all at once.

A span's samples depend only on its two keys and two handles.  So handles are eliminated span by span, which leaves 2 x 2 blocks, a key's
value and slope, each coupled only to its neighbours; these are eliminated from first to last (Thomas algorithm).
"""

from dataclasses import dataclass

import numpy as np

from .hermite import THIRD

DRAWN_TO_THIRDS = 1e-3  # weight that pulls handles to a third of their span, against errors in units of the limits
DRAWN_TO_START = 1e-6  # share of the largest diagonal added to all: one sample alone leaves values and slopes undetermined

_FIRST, _SECOND = np.triu_indices(6)  # upper triangle of a symmetric matrix
_PAIRS = np.zeros((6, 6), dtype=int)
_PAIRS[_FIRST, _SECOND] = _PAIRS[_SECOND, _FIRST] = np.arange(len(_FIRST))


@dataclass(frozen=True)
class Step:
    """Changes of keys' `values` and `slopes` `(w, k)`, and of spans' handles `ahead` and `behind` `(w, k - 1)`."""

    values: np.ndarray
    slopes: np.ndarray
    ahead: np.ndarray
    behind: np.ndarray


@dataclass(frozen=True)
class Normal:
    """The equations of `w` stretches of `k` keys, for each span's value, slope, next value, next slope, and handles ahead and behind.

    `blocks` `(w, k - 1, 6, 6)`, `sums` `(w, k - 1, 6)`; for spans without samples zero but for the pull on handles.
    `handles` `(w, k - 1, 2)`: current lengths.  `free` `(w, k)`: keys that may move.
    """

    blocks: np.ndarray
    sums: np.ndarray
    handles: np.ndarray
    free: np.ndarray

    @classmethod
    def of(cls, where: np.ndarray, derivatives: np.ndarray, off: np.ndarray, handles: np.ndarray, free: np.ndarray) -> "Normal":
        """Return the equations of samples in the order of their spans.

        `where` `(r,)`: each sample's span among all; `derivatives` `(6, r)` and error `off` `(r,)` of each, in units of the limits.
        """
        count, spans = handles.shape[:2]
        starts = np.flatnonzero(np.diff(where, prepend=-1))
        products = np.concatenate([derivatives[_FIRST] * derivatives[_SECOND], derivatives * off])
        found = np.zeros((count * spans, len(products)))
        found[where[starts]] = np.add.reduceat(products, starts, axis=1).T
        blocks = found.take(_PAIRS, axis=1).reshape(count, spans, 6, 6)
        sums = found[:, len(_FIRST) :].reshape(count, spans, 6)
        blocks[..., (4, 5), (4, 5)] += DRAWN_TO_THIRDS
        sums[..., 4:] += DRAWN_TO_THIRDS * (THIRD - handles)
        return cls(blocks, sums, handles, free)

    def step(self, damping: np.ndarray, periodic: bool = False) -> Step:
        """Return the least-squares step of each stretch, with `damping` `(w,)` as a share of its diagonal.

        `periodic`: the last key of each moves with the first.
        """
        if periodic:
            return self._closed(damping)
        keys, handles = self._diagonals()
        most = np.maximum(keys.max(axis=(1, 2)), handles.max(axis=(1, 2)))[:, None, None]
        return self._solved(damping[:, None, None] * keys + DRAWN_TO_START * most, damping[:, None, None] * handles + DRAWN_TO_START * most)

    def _diagonals(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the diagonal of keys' values and slopes `(w, k, 2)` and of handles `(w, k - 1, 2)`."""
        own = np.diagonal(self.blocks, axis1=2, axis2=3)
        keys = np.zeros((*self.free.shape, 2))
        keys[:, :-1] += own[..., :2]
        keys[:, 1:] += own[..., 2:4]
        return keys, own[..., 4:]

    def _solved(self, on_keys: np.ndarray, on_handles: np.ndarray) -> Step:
        """Return the step with these terms added to the diagonals."""
        moves = np.repeat(np.concatenate([self.free[:, :-1, None], self.free[:, 1:, None]], axis=2), 2, axis=2)  # (w, k - 1, 4)
        inner = self.blocks[..., 4:, 4:] + on_handles[..., None] * np.eye(2)
        across = self.blocks[..., :4, 4:] * moves[..., None]
        pulled = across @ _inverse(inner)
        left = self.blocks[..., :4, :4] - pulled @ across.swapaxes(-1, -2)
        right = self.sums[..., :4] - (pulled @ self.sums[..., 4:, None])[..., 0]
        free = self.free[..., None]
        diagonal = (on_keys * free + ~free)[..., None] * np.eye(2)
        asked = np.zeros((*self.free.shape, 2))
        for part, end in ((slice(None, -1), slice(0, 2)), (slice(1, None), slice(2, 4))):
            diagonal[:, part] += left[..., end, end] * free[:, part, :, None]
            asked[:, part] += right[..., end] * free[:, part]
        ahead = left[..., :2, 2:] * (self.free[:, :-1] & self.free[:, 1:])[..., None, None]
        keys = _chain(diagonal, ahead, asked)
        beside = np.concatenate([keys[:, :-1], keys[:, 1:]], axis=2)
        rest = self.sums[..., 4:] - (across.swapaxes(-1, -2) @ beside[..., None])[..., 0]
        handles = (_inverse(inner) @ rest[..., None])[..., 0]
        return Step(keys[..., 0], keys[..., 1], handles[..., 0], handles[..., 1])

    def _closed(self, damping: np.ndarray) -> Step:
        """Return the step of closed stretches: their ends are one key, so there is no first key to eliminate."""
        keys = self.free.shape[1]
        whole, right = self._whole()
        every = np.arange(whole.shape[-1])
        diagonal = whole[:, every, every]
        whole[:, every, every] += damping[:, None] * diagonal + DRAWN_TO_START * diagonal.max(axis=1, keepdims=True)
        held = np.zeros(right.shape, dtype=bool)
        held[:, :keys] = held[:, keys : 2 * keys] = ~self.free
        whole[held[:, :, None] | held[:, None, :]] = 0.0
        whole[:, every, every] += held
        right[held] = 0.0
        step = np.linalg.solve(whole, right[..., None])[..., 0]
        step[:, keys - 1], step[:, 2 * keys - 1] = step[:, 0], step[:, keys]
        return Step(*np.split(step, [keys, 2 * keys, 3 * keys - 1], axis=1))

    def _whole(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the dense equations `(w, u, u)` and `(w, u)` of values, slopes and handles; the last key's are added to the first's."""
        count, keys = self.free.shape
        size = 4 * keys - 2
        whole, right = np.zeros((count, size, size)), np.zeros((count, size))
        for span in range(keys - 1):
            at = np.array([span, keys + span, span + 1, keys + span + 1, 2 * keys + span, 3 * keys - 1 + span])
            whole[:, at[:, None], at] += self.blocks[:, span]
            right[:, at] += self.sums[:, span]
        for last, first in ((keys - 1, 0), (2 * keys - 1, keys)):
            whole[:, first] += whole[:, last]
            whole[:, :, first] += whole[:, :, last]
            right[:, first] += right[:, last]
            whole[:, last], whole[:, :, last], right[:, last] = 0.0, 0.0, 0.0
            whole[:, last, last] = 1.0
        return whole, right


def _chain(diagonal: np.ndarray, ahead: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the solution `(w, k, 2)` of symmetric systems, blocks on the `diagonal` `(w, k, 2, 2)` and `ahead` it `(w, k - 1, 2, 2)`."""
    count, left, found = diagonal.shape[1], diagonal.copy(), right.copy()
    inverse = [_inverse(left[:, 0])]
    for at in range(1, count):
        pulled = ahead[:, at - 1].swapaxes(-1, -2) @ inverse[-1]
        left[:, at] -= pulled @ ahead[:, at - 1]
        found[:, at] -= (pulled @ found[:, at - 1, :, None])[..., 0]
        inverse.append(_inverse(left[:, at]))
    for at in range(count - 1, -1, -1):
        if at < count - 1:
            found[:, at] -= (ahead[:, at] @ found[:, at + 1, :, None])[..., 0]
        found[:, at] = (inverse[at] @ found[:, at, :, None])[..., 0]
    return found


def _inverse(matrices: np.ndarray) -> np.ndarray:
    """Return the inverses of symmetric matrices `(..., 2, 2)`."""
    a, b, d = matrices[..., 0, 0], matrices[..., 0, 1], matrices[..., 1, 1]
    found = np.empty_like(matrices)
    found[..., 0, 0], found[..., 1, 1] = d, a
    found[..., 0, 1] = found[..., 1, 0] = -b
    found /= (a * d - b * b)[..., None, None]
    return found
