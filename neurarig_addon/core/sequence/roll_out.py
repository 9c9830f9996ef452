"""A motion continued step by step: what was predicted becomes the past of the next prediction."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..geometry.rotation import norms
from ..skeleton.roles import SIDES
from .network import AHEAD, SequenceNetwork, SequenceWish
from .rows import COLUMNS, PARTS, RATE, Rows, between, joined, moved, placed, seen_from
from .start import our_walk, standing
from .stride import REMEMBERED, loop_of

EVERY = 6  # frames after which it is predicted anew
# share of a new prediction in the one before
_COMES_IN = ((np.arange(AHEAD - EVERY) + 1.0) / (EVERY + 1.0)).clip(max=1.0)[:, None]
LIFTS = 4  # frames after which the first foot of a start is in the air
_LATELY, _STANDS, _WALKS = 8, 0.3, 0.5  # frames; m/s: slower is standing, faster is walking
_FAR, _TURNED = 0.1, np.radians(20.0)  # metres and radians in a second: more is a start
_SECOND = 30  # frames
# a stride goes on at these shares of its speed, and turned by less a second
_SLOWER, _FASTER, _SHARPER = 0.35, 1.7, np.radians(60.0)
_TAKES, _LEAVES = 30, 12  # frames in which it takes over, and is left
_SURELY, _NEAR = 0.5, 4.0  # share of a stride until which its phase is looked for, and within how many frames
_WITHIN = 0.04  # metres a column: who is nearer to a stride walks it
Wishes = Callable[[int, np.ndarray], SequenceWish]


class Rolling:
    """A motion of at least two frames that goes on, EVERY frames at a time; the same wishes give the same
    bits.

    Where it goes on as it went, it goes over into a stride of its past, which cannot fade: the network leads
    there, and where it is told something else. A body that stands begins with the foot that is behind.

    `place` `(3,)`: forward, left and turned, seen from its last frame at the beginning. `plan`: what was
    predicted last, AHEAD frames, of
    which EVERY are taken.
    `walk`: frames whose manner is kept; None: those of `past`, or a usual walk where that stands.
    """

    def __init__(self, network: SequenceNetwork, past: Rows, walk: Rows | None = None) -> None:
        self._network, self._past = network, past[-REMEMBERED:]
        if walk is None:
            walk = past if float(norms(past.steps[-_SECOND:, :2].mean(axis=0))) * RATE > _WALKS else None
        self._manner = network.manner(walk or standing().walk)
        self._loop = loop_of(past) or (loop_of(walk) if walk else None) or our_walk()
        self._phase = self._loop.near(past, self._loop.phase, len(self._loop.rows) / 2.0)[0]
        self._held, self._goes_on = 0.0, False
        self.plan = past[:0]
        self.place = np.zeros(3)
        self._made = 0

    @property
    def course(self) -> np.ndarray:
        """Return the place `(3,)` without the sway of the hips, as far as it is known."""
        return moved(self.place, seen_from(self._sway(0.0, 0.0), np.zeros(3)))

    def ahead(self, wish: SequenceWish) -> Rows:
        """Return the next EVERY frames."""
        loop, faster = self._loop, self._within(wish)
        again = loop.ahead(self._phase, faster, wish.turn / AHEAD, AHEAD)
        far = AHEAD * loop.quicker(faster)
        goal = moved(np.hstack([wish.place, wish.turn]), self._sway(AHEAD, far))
        wish = SequenceWish.between(self._sway(0.0, 0.0), goal)
        new = self._network.ahead(self._past, wish, self._manner, self._made)
        new = between(new, again, self._share(1.0 + np.arange(AHEAD))[:, None])
        new.steps[:] = wish.fulfilled(new.steps)
        self._held = self._share(EVERY)
        self._phase += far * EVERY / AHEAD
        if len(self.plan):  # the one before goes over into the new one
            for name in PARTS:
                early, rows = slice(AHEAD - EVERY), getattr(new, name)
                rows[early] += (1.0 - _COMES_IN) * (getattr(self.plan, name)[EVERY:] - rows[early])
        self.plan, taken = new, new[:EVERY]
        self._past = joined(self._past, taken)[-REMEMBERED:]
        self._made += EVERY
        self.place = moved(self.place, placed(taken.steps)[-1])
        return taken

    def _share(self, frames: np.ndarray | float) -> np.ndarray:
        """Return how far the stride is held some frames later."""
        held = self._held + frames / np.where(self._goes_on, _TAKES, -_LEAVES)
        return np.minimum(np.maximum(held, 0.0), 1.0)

    def _sway(self, frames: float, along: float) -> np.ndarray:
        """Return where the body is, seen from its even course, some frames later and `along` the stride."""
        return self._share(frames) * self._loop.off_at(self._phase + along)

    def _within(self, wish: SequenceWish) -> Any:
        """Return how many times as fast as its stride a wish is, having found whether the motion goes on as
        that does, and in which phase it is."""
        faster, aside = self._loop.compared(wish.place, AHEAD, wish.turn)
        sharper = np.maximum(aside, np.abs(wish.turn - AHEAD * self._loop.step[2]))
        self._goes_on = (faster > _SLOWER) & (faster < _FASTER) & (sharper < _SHARPER)
        close, free = (
            self._loop.near(self._past, self._phase, around) for around in (_NEAR, self._loop.stride / 2.0)
        )
        let_go = self._held == 0.0
        near = np.where(let_go, free[0], close[0])
        self._phase = np.where(self._held < _SURELY, near, self._phase)
        speed = norms(self._past.steps[-_LATELY:, :2].mean(axis=0)) * RATE
        # it may begin with either foot
        first = np.where(self._left_behind(wish), self._loop.lifts(0), self._loop.lifts(1)) - LIFTS
        stood = let_go & (speed < _STANDS) & (free[1] > _WITHIN)
        self._phase = np.where(stood, first, self._phase)
        return np.minimum(np.maximum(faster, _SLOWER), _FASTER)

    def _left_behind(self, wish: SequenceWish) -> np.ndarray:
        """Return whether the left foot is behind, and so goes first."""
        left, right = (self._past.poses[-1, COLUMNS[f"leg.{side}", "effector"]][:2] for side in SIDES)
        return (left - right) @ wish.place <= 0.0


def roll_out(
    network: SequenceNetwork, past: Rows, wishes: Wishes, count: int, walk: Rows | None = None
) -> Rows:
    """Return the next `count` frames of a motion of at least two frames.

    `wishes(n, place)`: what is wished from frame n on, which is at `place` `(3,)` (forward, left, turned)
    seen from the last frame of
    `past`; it is asked every EVERY frames.  `walk`: see `Rolling`.  The same arguments give the same bits.
    """
    rolling = Rolling(network, past, walk)
    blocks = [rolling.ahead(wishes(start, rolling.course)) for start in range(0, count, EVERY)]
    return joined(past[:0], *blocks)[:count]
