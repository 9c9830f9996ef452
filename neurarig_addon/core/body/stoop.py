"""How people go down for a hand: what recordings, not the least move, decide of pelvis and trunk.

The least move that brings a hand lower is a squat, because a trunk that begins to lean hardly gets lower.
People lean, and bend their knees as much as is left.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from ..shipped import DATA, shipped

STORE = DATA / "stoop.json"
# everybody who reaches down, and those whose legs stay straight
STOOPS, STRAIGHT = "stoops", "straight"
_WORTH = 0.15  # arm lengths per metre: what brings a hand nearer by less is not done in full


class StoopHabit(NamedTuple):
    """How people reach down: rows for each `depth` `(n,)`, metres on a body of human size, by which a hand is
    out of reach of the shoulders of who stands.

    `height`, `back` `(n,)`: of the hips above the ankles and behind them, leg lengths. `pelvis`, `trunk`,
    `head` `(n,)`: how far these lean forward, degrees; the trunk is the line from the hips to the shoulders.
    """

    depth: np.ndarray
    height: np.ndarray
    back: np.ndarray
    pelvis: np.ndarray
    trunk: np.ndarray
    head: np.ndarray

    def more(self, before: float, depth: np.ndarray) -> np.ndarray:
        """Return by how much all but `depth` change `(5, f)` from a depth before to one `depth` `(f,)`
        more."""
        rows = np.array(self[1:])
        return np.array(
            [np.interp(before + depth, self.depth, row) - np.interp(before, self.depth, row) for row in rows]
        )


@cache
def bundled_habit(name: str = STOOPS) -> StoopHabit:
    """Return how the recorded people of a name reach down."""
    content = shipped("stoop")[name]
    return StoopHabit(*(np.array(content[name], dtype=float) for name in StoopHabit._fields))


def followed(left: np.ndarray, depths: np.ndarray, worth: float = _WORTH) -> np.ndarray:
    """Return the depth `(f,)` to which a hand is followed that has so much `left` to go at `depths` `(d,)`,
    `(f, d)` arm lengths.

    As deep as it takes, but no deeper than it brings the hand nearer; where that is by less than `worth` a
    metre, not in full.
    """
    lowest, steps = np.minimum.accumulate(left, axis=1), np.diff(depths)
    gains, needed = -np.diff(lowest, axis=1), -np.diff(np.maximum(lowest, 0.0), axis=1)
    return needed / np.maximum(gains, np.maximum(worth * steps, needed)) @ steps
