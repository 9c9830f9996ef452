"""A recorded motion: where the bones of one skeleton are, frame by frame."""

from dataclasses import dataclass

import numpy as np

from .skeleton import Skeleton

SLOWEST, FASTEST = 0.1, 100_000.0  # frames a second of a file that somebody may have recorded


@dataclass(frozen=True)
class Clip:
    """A motion of one skeleton, in world metres (z up).

    `frames` `(f,)`: scene frames.  `fps`: frames a second.
    `axes` `(f, bones, 3, 3)`: posed, orthonormal bone axes in the world.  `heads` `(f, bones, 3)`: posed heads in the world, metres.
    A moving armature object moves the bones: `skeleton.to_world` is where it stands at rest.
    """

    name: str
    skeleton: Skeleton
    fps: float
    frames: np.ndarray
    axes: np.ndarray
    heads: np.ndarray

    def __len__(self) -> int:
        return len(self.frames)

    def rows(self, chosen: np.ndarray | slice) -> "Clip":
        """Return some frames of the clip."""
        return Clip(self.name, self.skeleton, self.fps, self.frames[chosen], self.axes[chosen], self.heads[chosen])
