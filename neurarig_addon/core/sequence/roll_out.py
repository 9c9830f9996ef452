"""A motion continued step by step: what was predicted becomes the past of the next prediction."""

from collections.abc import Callable

import numpy as np

from .network import AHEAD, SequenceNetwork, Wish
from .rows import Rows, placed
from .stride import ALIKE, LONGEST

EVERY = 6  # frames after which it is predicted anew
_REMEMBERED = LONGEST + ALIKE  # frames
Wishes = Callable[[int, np.ndarray], Wish | None]


def roll_out(network: SequenceNetwork, past: Rows, wishes: Wishes, count: int) -> Rows:
    """Return the next `count` frames of a motion of at least two frames.

    `wishes(n, place)`: what is wished from frame n on, which is at `place` `(3,)` (forward, left, turned) seen from the last frame of
    `past`; it is asked every EVERY frames.  The same arguments give the same bits.
    """
    poses, steps = np.empty((count + len(past), past.poses.shape[1])), np.empty((count + len(past), 3))
    poses[: len(past)], steps[: len(past)] = past.poses, past.steps
    plan = None
    comes_in = (np.arange(AHEAD - EVERY) + 1.0) / (EVERY + 1.0)
    share = np.minimum(comes_in, 1.0)[:, None]
    for start in range(0, count, EVERY):
        at = len(past) + start
        seen = slice(max(at - _REMEMBERED, 0), at)
        place = placed(steps[len(past) : at])[-1] if start else np.zeros(3)
        new = network.ahead(Rows(poses[seen], steps[seen]), wishes(start, place))
        if plan is not None:  # the one before goes over into the new one
            new.poses[: AHEAD - EVERY] += (1.0 - share) * (plan.poses[EVERY:] - new.poses[: AHEAD - EVERY])
            new.steps[: AHEAD - EVERY] += (1.0 - share) * (plan.steps[EVERY:] - new.steps[: AHEAD - EVERY])
        plan = new
        taken = min(EVERY, count - start)
        poses[at : at + taken], steps[at : at + taken] = new.poses[:taken], new.steps[:taken]
    return Rows(poses[len(past) :], steps[len(past) :])
