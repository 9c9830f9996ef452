"""A recorded motion: the bones of one skeleton, frame by frame."""

from dataclasses import dataclass, replace

import numpy as np

from ..geometry.rotation import orthonormal
from .skeleton import Skeleton

SLOWEST, FASTEST = 0.1, 100_000.0  # frames per second that a recorded file may have


@dataclass(frozen=True)
class Clip:
    """A motion of one skeleton, in world metres (z up).

    `frames` `(f,)`: scene frames.  `fps`: frames per second.
    `axes` `(f, bones, 3, 3)`: posed, orthonormal bone axes in the world.  `heads` `(f, bones, 3)`: posed heads in the world, metres.
    The motion of the armature object is included in the bones; `skeleton.to_world` is the object at rest.
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
        """Return the clip of some frames."""
        return Clip(self.name, self.skeleton, self.fps, self.frames[chosen], self.axes[chosen], self.heads[chosen])

    def posed(self, row: int) -> Skeleton:
        """Return the skeleton with the pose of a frame as its rest pose."""
        to_world = self.skeleton.to_world
        rest = self.skeleton.rest.copy()
        rest[:, :3, :3] = orthonormal(np.linalg.solve(to_world[:3, :3], self.axes[row]))
        rest[:, :3, 3] = (self.heads[row] - to_world[:3, 3]) @ np.linalg.inv(to_world[:3, :3]).T
        return replace(self.skeleton, rest=rest)
