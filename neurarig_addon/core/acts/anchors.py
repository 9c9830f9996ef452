"""A part that follows a path but for moments at which it is where it has to be: the difference is made up smoothly in between."""

from dataclasses import dataclass

import numpy as np

from ..easing import hermite

NUDGE_S = 1e-3  # seconds over which a path's rate is measured


@dataclass(frozen=True)
class Anchor:
    """A moment in seconds, where the part is then `(3,)`, and how it moves, in metres a second `(3,)`."""

    at: float
    place: np.ndarray
    rate: np.ndarray


def anchored(at: np.ndarray, path: np.ndarray, first: Anchor, last: Anchor, ends: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """Return places `(f, 3)` at times `(f,)` along a `path` `(f, 3)` that begin and end as two anchors say.

    `ends`, `rates` `(2, 3)`: where the path itself is at the anchors, and how it moves.
    """
    seconds = max(last.at - first.at, 1e-9)
    share = np.clip((at - first.at) / seconds, 0.0, 1.0)[:, None]
    off, slopes = np.stack([first.place, last.place]) - ends, (np.stack([first.rate, last.rate]) - rates) * seconds
    return path + hermite(share, off[0], slopes[0], off[1], slopes[1])
