"""A recording of points: their places, frame by frame, as a motion capture system, a tracker or another
program wrote them."""

from dataclasses import dataclass

import numpy as np

from ..errors import NeuraRigError
from ..skeleton.clip import FASTEST

MOST_MARKERS = 10_000
FARTHEST = 1e50  # units: anything beyond is damage, and its products would overflow
SLOWEST = 1.0  # fps, the lowest rate accepted


def are_seen(places: np.ndarray) -> np.ndarray:
    """Return which places `(..., 3)` are known: finite and within FARTHEST."""
    return np.logical_and.reduce(np.abs(places) < FARTHEST, axis=-1)


def are_blank(places: np.ndarray) -> np.ndarray:
    """Return which places `(f, n, 3)` are three zeros meaning unseen `(f, n)`: zeros of points that are not
    always at the origin."""
    zero = np.logical_and.reduce(places == 0.0, axis=-1)
    return zero & ~(zero | np.isnan(places[..., 0])).all(axis=0)


@dataclass(frozen=True)
class Markers:
    """Named points over time, in the axes and unit of the recording.

    `fps`: frame rate, 0 if unknown. `places` `(f, n, 3)`: NaN where a point was not seen. `metres` per unit,
    and `up`, the
    upward axis (`"z"`, `"-y"` ...), as given in the recording, None if not given.
    Raises NeuraRigError if shapes disagree or no point was seen.
    """

    name: str
    fps: float
    names: tuple[str, ...]
    places: np.ndarray
    metres: float | None = None
    up: str | None = None

    def __post_init__(self) -> None:
        if self.places.ndim != 3 or self.places.shape[1:] != (len(self.names), 3):
            shape = " x ".join(map(str, self.places.shape))
            raise NeuraRigError(
                f"'{self.name}' has {len(self.names)} names for {shape} numbers; it needs frames x names x 3."
            )
        if not len(self.places) or not np.isfinite(self.places).all(axis=-1).any():
            raise NeuraRigError(f"'{self.name}' holds no points; export it again with their positions.")
        if self.fps and not SLOWEST <= self.fps <= FASTEST:
            raise NeuraRigError(
                f"'{self.name}' has {self.fps:g} frames a second; give it a rate of {SLOWEST:g} to"
                f" {FASTEST:g}, or its times in seconds."
            )

    def __len__(self) -> int:
        return len(self.places)
