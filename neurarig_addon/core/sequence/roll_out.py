"""A motion continued step by step: what was predicted becomes the past of the next prediction."""

from collections.abc import Callable

import numpy as np

from .network import AHEAD, SequenceNetwork, Wish
from .rows import PARTS, Rows, joined, moved, placed
from .stride import REMEMBERED

EVERY = 6  # frames after which it is predicted anew
_COMES_IN = ((np.arange(AHEAD - EVERY) + 1.0) / (EVERY + 1.0)).clip(max=1.0)[:, None]  # share of a new prediction in the one before
Wishes = Callable[[int, np.ndarray], Wish | None]


class Rolling:
    """A motion of at least two frames that goes on, EVERY frames at a time; the same wishes give the same bits.

    `place` `(3,)`: forward, left and turned, seen from its last frame at the beginning.  `plan`: what was predicted last, AHEAD frames, of
    which EVERY are taken.
    `manner`: see `SequenceNetwork.manner`; None: that of `past`.
    """

    def __init__(self, network: SequenceNetwork, past: Rows, manner: np.ndarray | None = None) -> None:
        self._network, self._past = network, past[-REMEMBERED:]
        self._manner = network.manner(past) if manner is None else manner
        self.plan = past[:0]
        self.place = np.zeros(3)

    def ahead(self, wish: Wish | None) -> Rows:
        """Return the next EVERY frames."""
        new = self._network.ahead(self._past, wish, self._manner)
        if len(self.plan):  # the one before goes over into the new one
            for name in PARTS:
                early = getattr(new, name)[: AHEAD - EVERY]
                early += (1.0 - _COMES_IN) * (getattr(self.plan, name)[EVERY:] - early)
        self.plan, taken = new, new[:EVERY]
        self._past = joined(self._past, taken)[-REMEMBERED:]
        self.place = moved(self.place, placed(taken.steps)[-1])
        return taken


def roll_out(network: SequenceNetwork, past: Rows, wishes: Wishes, count: int, manner: np.ndarray | None = None) -> Rows:
    """Return the next `count` frames of a motion of at least two frames.

    `wishes(n, place)`: what is wished from frame n on, which is at `place` `(3,)` (forward, left, turned) seen from the last frame of
    `past`; it is asked every EVERY frames.  `manner`: see `Rolling`.  The same arguments give the same bits.
    """
    rolling = Rolling(network, past, manner)
    blocks = [rolling.ahead(wishes(start, rolling.place)) for start in range(0, count, EVERY)]
    return joined(past[:0], *blocks)[:count]
