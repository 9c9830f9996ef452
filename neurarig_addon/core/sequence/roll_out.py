"""A motion continued step by step: what was predicted becomes the past of the next prediction."""

from collections.abc import Callable

import numpy as np

from ..skeleton.roles import SIDES
from .network import AHEAD, SequenceNetwork, Wish
from .rows import COLUMNS, PARTS, RATE, Rows, joined, moved, placed
from .stride import REMEMBERED

EVERY = 6  # frames after which it is predicted anew
_COMES_IN = ((np.arange(AHEAD - EVERY) + 1.0) / (EVERY + 1.0)).clip(max=1.0)[:, None]  # share of a new prediction in the one before
_LATELY, _STANDS = 8, 0.3  # frames; m/s: slower is standing
_FAR, _TURNED = 0.1, np.radians(20.0)  # metres and radians in a second: more is a start
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
        self._made, self._lead = 0, 0

    def ahead(self, wish: Wish | None) -> Rows:
        """Return the next EVERY frames."""
        self._lead = 0 if wish is None or not _starts(self._past, wish) else self._lead or _foot_behind(self._past, wish)
        new = self._network.ahead(self._past, wish, self._manner, self._made, self._lead)
        if len(self.plan):  # the one before goes over into the new one
            for name in PARTS:
                early = getattr(new, name)[: AHEAD - EVERY]
                early += (1.0 - _COMES_IN) * (getattr(self.plan, name)[EVERY:] - early)
        self.plan, taken = new, new[:EVERY]
        self._past = joined(self._past, taken)[-REMEMBERED:]
        self._made += EVERY
        self.place = moved(self.place, placed(taken.steps)[-1])
        return taken


def _starts(past: Rows, wish: Wish) -> bool:
    """Say whether a body that stands is wished elsewhere."""
    speed = float(np.linalg.norm(past.steps[-_LATELY:, :2].mean(axis=0))) * RATE
    return speed < _STANDS and (float(np.linalg.norm(wish.place)) > _FAR or abs(wish.turn) > _TURNED)


def _foot_behind(past: Rows, wish: Wish) -> int:
    """Return which foot goes first: 1 for the left, -1 for the right."""
    left, right = (past.poses[-1, COLUMNS[f"leg.{side}", "effector"]][:2] for side in SIDES)
    return 1 if float((left - right) @ wish.place) <= 0.0 else -1


def roll_out(network: SequenceNetwork, past: Rows, wishes: Wishes, count: int, manner: np.ndarray | None = None) -> Rows:
    """Return the next `count` frames of a motion of at least two frames.

    `wishes(n, place)`: what is wished from frame n on, which is at `place` `(3,)` (forward, left, turned) seen from the last frame of
    `past`; it is asked every EVERY frames.  `manner`: see `Rolling`.  The same arguments give the same bits.
    """
    rolling = Rolling(network, past, manner)
    blocks = [rolling.ahead(wishes(start, rolling.place)) for start in range(0, count, EVERY)]
    return joined(past[:0], *blocks)[:count]
