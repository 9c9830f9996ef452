"""A goal for a part of a character, whatever its legs do."""

from dataclasses import dataclass

import numpy as np

from ..easing import outside, smoothstep

CHEST, HEAD = "spine3", "head"
HANDS = ("wrist.L", "wrist.R")
REACHING = (*HANDS, CHEST, HEAD)  # the points that can have a goal


@dataclass(frozen=True)
class Goal:
    """The goal of a point at some frames, relative to the root.

    `place` `(f, 3)` metres.  `share` `(f,)`: the share of the way that it goes there, 0..1.
    `turn` `(f, 3, 3)`: a hand's wanted rotation away from rest, None to follow the forearm; `turned` `(f,)`:
    its share, 0..1.
    `leans`: the trunk may help a hand.
    """

    place: np.ndarray
    share: np.ndarray
    turn: np.ndarray | None = None
    turned: np.ndarray | None = None
    leans: bool = True


def held(frames: np.ndarray, start: float, end: float, ease: float) -> np.ndarray:
    """Return a weight `(f,)`, 0..1: 1 from `start` to `end`, easing in and out over `ease` frames."""
    away = outside(frames, start, end)
    return smoothstep(1.0 - away / ease) if ease > 0.0 else (away <= 0.0).astype(float)
