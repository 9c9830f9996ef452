"""A recorded motion: where the bones of one skeleton are, frame by frame."""

from dataclasses import dataclass, replace

import numpy as np

from ..geometry.rotation import orthonormal
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

    def posed(self, row: int) -> Skeleton:
        """Return the skeleton as if it rested as it is posed in a frame."""
        to_world = self.skeleton.to_world
        rest = self.skeleton.rest.copy()
        rest[:, :3, :3] = orthonormal(np.linalg.solve(to_world[:3, :3], self.axes[row]))
        rest[:, :3, 3] = (self.heads[row] - to_world[:3, 3]) @ np.linalg.inv(to_world[:3, :3]).T
        return replace(self.skeleton, rest=rest)
