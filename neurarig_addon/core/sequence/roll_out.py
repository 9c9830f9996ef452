"""A motion continued step by step: what was predicted becomes the past of the next prediction."""

from collections.abc import Callable

import numpy as np

from .network import AHEAD, SequenceNetwork, Wish
from .rows import PARTS, Rows, placed, turned
from .stride import REMEMBERED

EVERY = 6  # frames after which it is predicted anew
Wishes = Callable[[int, np.ndarray], Wish | None]


def roll_out(network: SequenceNetwork, past: Rows, wishes: Wishes, count: int) -> Rows:
    """Return the next `count` frames of a motion of at least two frames.

    `wishes(n, place)`: what is wished from frame n on, which is at `place` `(3,)` (forward, left, turned) seen from the last frame of
    `past`; it is asked every EVERY frames.  The same arguments give the same bits.
    """
    rolled = past[np.minimum(np.arange(len(past) + count), len(past) - 1)]
    plan, manner, place = None, network.manner(past), np.zeros(3)
    comes_in = (np.arange(AHEAD - EVERY) + 1.0) / (EVERY + 1.0)
    share = np.minimum(comes_in, 1.0)[:, None]
    for start in range(0, count, EVERY):
        at = len(past) + start
        seen = slice(max(at - REMEMBERED, 0), at)
        new = network.ahead(rolled[seen], wishes(start, place), manner, start)
        if plan is not None:  # the one before goes over into the new one
            for name in PARTS:
                getattr(new, name)[: AHEAD - EVERY] += (1.0 - share) * (getattr(plan, name)[EVERY:] - getattr(new, name)[: AHEAD - EVERY])
        plan = new
        taken = min(EVERY, count - start)
        for name in PARTS:
            getattr(rolled, name)[at : at + taken] = getattr(new, name)[:taken]
        way = placed(new.steps[:taken])[-1]
        place = place + np.array([*turned(way[:2], place[2]), way[2]])
    return rolled[len(past) :]
