"""The normal equations of many short stretches of keys, solved all at once.

A span's samples depend only on its two keys and two handles.  So handles are eliminated span by span, which leaves a small system, a
key's value and slope coupled to its neighbours', for each stretch.
"""

from dataclasses import dataclass

import numpy as np

from .hermite import THIRD

DRAWN_TO_THIRDS = 1e-3  # weight that pulls handles to a third of their span, against errors in units of the limits
DRAWN_TO_START = 1e-6  # share of the largest diagonal added to all: one sample alone leaves values and slopes undetermined

_FIRST, _SECOND = np.triu_indices(6)  # upper triangle of a symmetric matrix
_PAIRS = np.zeros((6, 6), dtype=int)
_PAIRS[_FIRST, _SECOND] = _PAIRS[_SECOND, _FIRST] = np.arange(len(_FIRST))
_OWN = np.diagonal(_PAIRS)
_KEYS, _AHEAD, _BEHIND = _PAIRS[:4, :4], _PAIRS[:4, 4], _PAIRS[:4, 5]


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

    `products` `(21, k - 1, w)`: the upper triangle of each span's matrix; `sums` `(6, k - 1, w)`; for spans without samples zero but for
    the pull on handles.  `free` `(k, w)`: keys that may move.
    """

    products: np.ndarray
    sums: np.ndarray
    free: np.ndarray

    @classmethod
    def of(cls, where: np.ndarray, derivatives: np.ndarray, off: np.ndarray, handles: np.ndarray, free: np.ndarray) -> "Normal":
        """Return the equations of samples in the order of their spans.

        `where` `(r,)`: each sample's span among all; `derivatives` `(6, r)` and error `off` `(r,)` of each, in units of the limits.
        `handles` `(w, k - 1, 2)`: current lengths; `free` `(w, k)`.
        """
        count, spans = handles.shape[:2]
        starts = np.flatnonzero(np.diff(where, prepend=-1))
        window, span = np.divmod(where[starts], spans)
        products = np.empty((len(_FIRST) + 6, len(off)))
        for row, first in enumerate(_OWN.tolist()):
            np.multiply(derivatives[row], derivatives[row:], out=products[first : first + 6 - row])
        np.multiply(derivatives, off, out=products[len(_FIRST) :])
        found = np.zeros((len(products), spans, count))
        found[:, span, window] = np.add.reduceat(products, starts, axis=1)
        found[_OWN[4:]] += DRAWN_TO_THIRDS
        found[-2:] += DRAWN_TO_THIRDS * (THIRD - handles.T)
        return cls(found[: len(_FIRST)], found[len(_FIRST) :], np.ascontiguousarray(free.T))

    def step(self, damping: np.ndarray, periodic: bool = False) -> Step:
        """Return the least-squares step of each stretch, with `damping` `(w,)` as a share of its diagonal.

        `periodic`: the last key of each moves with the first.
        """
        if periodic:
            return self._closed(damping)
        own = self.products[_OWN]
        keys = np.zeros((2, *self.free.shape))
        keys[:, :-1] += own[:2]
        keys[:, 1:] += own[2:4]
        least = DRAWN_TO_START * np.maximum(keys.max(axis=(0, 1)), own[4:].max(axis=(0, 1)))
        return self._solved(damping * keys + least, damping * own[4:] + least)

    def _solved(self, on_keys: np.ndarray, on_handles: np.ndarray) -> Step:
        """Return the step with these terms added to the diagonals `(2, k, w)` of keys and `(2, k - 1, w)` of handles."""
        inner = _inverse(self.products[_OWN[4]] + on_handles[0], self.products[_PAIRS[4, 5]], self.products[_OWN[5]] + on_handles[1])
        ahead, behind, sums = self.products[_AHEAD], self.products[_BEHIND], self.sums
        by_ahead, by_behind = ahead * inner[0] + behind * inner[1], ahead * inner[1] + behind * inner[2]
        left = self.products[_KEYS] - by_ahead[:, None] * ahead - by_behind[:, None] * behind
        right = sums[:4] - by_ahead * sums[4] - by_behind * sums[5]
        keys = self._keys(left, right, on_keys)
        beside = np.concatenate([keys[:, :-1], keys[:, 1:]])
        rest = sums[4] - (ahead * beside).sum(axis=0), sums[5] - (behind * beside).sum(axis=0)
        handles = inner[0] * rest[0] + inner[1] * rest[1], inner[1] * rest[0] + inner[2] * rest[1]
        return Step(keys[0].T, keys[1].T, handles[0].T, handles[1].T)

    def _keys(self, left: np.ndarray, right: np.ndarray, on_keys: np.ndarray) -> np.ndarray:
        """Return the steps `(2, k, w)` of keys: the values and slopes at both ends of each span have the equations `left`
        `(4, 4, k - 1, w)` and `right` `(4, k - 1, w)`."""
        keys, count = self.free.shape
        whole, sums = np.zeros((2 * keys, 2 * keys, count)), np.zeros((2 * keys, count))
        for span in range(keys - 1):
            part = slice(2 * span, 2 * span + 4)
            whole[part, part] += left[:, :, span]
            sums[part] += right[:, span]
        free = np.repeat(self.free, 2, axis=0)
        moving = np.flatnonzero(free.any(axis=1))
        found = np.zeros((2 * keys, count))
        if len(moving):
            part = slice(moving[0], moving[-1] + 1)
            free = free[part]
            system = whole[part, part] * (free[:, None] & free)
            every = np.arange(len(free))
            system[every, every] += np.where(free, on_keys.swapaxes(0, 1).reshape(2 * keys, -1)[part], 1.0)
            found[part] = np.linalg.solve(system.transpose(2, 0, 1), (sums[part] * free).T[..., None])[..., 0].T
        return found.reshape(keys, 2, count).swapaxes(0, 1)

    def _closed(self, damping: np.ndarray) -> Step:
        """Return the step of closed stretches: their ends are one key, so there is no first key to eliminate."""
        keys, free = len(self.free), self.free.T
        whole, right = self._whole()
        every = np.arange(whole.shape[-1])
        diagonal = whole[:, every, every]
        whole[:, every, every] += damping[:, None] * diagonal + DRAWN_TO_START * diagonal.max(axis=1, keepdims=True)
        held = np.zeros(right.shape, dtype=bool)
        held[:, :keys] = held[:, keys : 2 * keys] = ~free
        whole[held[:, :, None] | held[:, None, :]] = 0.0
        whole[:, every, every] += held
        right[held] = 0.0
        step = np.linalg.solve(whole, right[..., None])[..., 0]
        step[:, keys - 1], step[:, 2 * keys - 1] = step[:, 0], step[:, keys]
        return Step(*np.split(step, [keys, 2 * keys, 3 * keys - 1], axis=1))

    def _whole(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the dense equations `(w, u, u)` and `(w, u)` of values, slopes and handles; the last key's are added to the first's."""
        keys, count = self.free.shape
        blocks, sums = np.moveaxis(self.products[_PAIRS], -1, 0), np.moveaxis(self.sums, -1, 0)
        size = 4 * keys - 2
        whole, right = np.zeros((count, size, size)), np.zeros((count, size))
        for span in range(keys - 1):
            at = np.array([span, keys + span, span + 1, keys + span + 1, 2 * keys + span, 3 * keys - 1 + span])
            whole[:, at[:, None], at] += blocks[..., span]
            right[:, at] += sums[..., span]
        for last, first in ((keys - 1, 0), (2 * keys - 1, keys)):
            whole[:, first] += whole[:, last]
            whole[:, :, first] += whole[:, :, last]
            right[:, first] += right[:, last]
            whole[:, last], whole[:, :, last], right[:, last] = 0.0, 0.0, 0.0
            whole[:, last, last] = 1.0
        return whole, right


def _inverse(a: np.ndarray, b: np.ndarray, d: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the upper triangles of the inverses of symmetric 2 x 2 matrices, given by theirs."""
    share = 1.0 / (a * d - b * b)
    return d * share, -b * share, a * share
