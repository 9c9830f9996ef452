"""What somebody looks at while walking."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Gaze:
    """What is looked at: frames `(n,)`, and where it is on them `(n, 3)` in the walk frame, in metres; between them straight on.

    `on_the_spot`: the walk goes nowhere, and sees it from where it began.
    """

    frames: np.ndarray
    places: np.ndarray
    on_the_spot: bool = False

    def at(self, frames: np.ndarray) -> np.ndarray:
        """Return where it is at frames `(f,)`: `(f, 3)`."""
        return np.stack([np.interp(frames, self.frames, self.places[:, axis]) for axis in range(3)], -1)
