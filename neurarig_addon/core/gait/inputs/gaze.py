"""What a character looks at while walking."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Gaze:
    """A target to look at: its place `(n, 3)` on frames `(n,)`, in metres in the walk frame, linear in
    between.

    `on_the_spot`: the walk is in place and sees the target from where it began.
    """

    frames: np.ndarray
    places: np.ndarray
    on_the_spot: bool = False

    def at(self, frames: np.ndarray) -> np.ndarray:
        """Return the target's place `(f, 3)` at frames `(f,)`."""
        return np.stack([np.interp(frames, self.frames, self.places[:, axis]) for axis in range(3)], -1)


@dataclass(frozen=True)
class Sight:
    """What the eyes of a walker do.

    `yaw`, `pitch` `(f,)`: radians by which they are ahead of the head. `place` `(f, 3)`: what is looked at,
    in metres as seen from the
    root; `sees` `(f,)`: how much of the way the eyes go to it, 0..1.
    """

    yaw: np.ndarray
    pitch: np.ndarray
    place: np.ndarray
    sees: np.ndarray
