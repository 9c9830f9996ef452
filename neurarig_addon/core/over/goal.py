"""Where a part of a character is wanted, whatever its legs do."""

from dataclasses import dataclass

import numpy as np

from ..easing import smoothstep

CHEST, HEAD = "spine3", "head"
HANDS = ("wrist.L", "wrist.R")
REACHING = (*HANDS, CHEST, HEAD)  # the points that can have a goal


@dataclass(frozen=True)
class Goal:
    """Where a point is wanted at some frames, as seen from the root.

    `place` `(f, 3)` metres.  `share` `(f,)`: how far it goes there, 0..1.
    `turn` `(f, 3, 3)`: how a hand is wanted to be turned away from rest, None for as the forearm brings it; `turned` `(f,)`: how far.
    `leans`: the trunk may help a hand.
    """

    place: np.ndarray
    share: np.ndarray
    turn: np.ndarray | None = None
    turned: np.ndarray | None = None
    leans: bool = True


def held(frames: np.ndarray, start: float, end: float, ease: float) -> np.ndarray:
    """Return how far something is held `(f,)`, 0..1: wholly from `start` to `end`, going there and back in `ease` frames."""
    outside = np.maximum(np.maximum(start - frames, frames - end), 0.0)
    return smoothstep(1.0 - outside / ease) if ease > 0.0 else (outside <= 0.0).astype(float)
