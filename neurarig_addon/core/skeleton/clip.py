"""A recorded motion: the bones of one skeleton, frame by frame."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ..geometry.rotation import orthonormal
from .skeleton import Skeleton

SLOWEST, FASTEST = 0.1, 100_000.0  # frames per second that a recorded file may have


@dataclass(frozen=True)
class Clip:
    """A motion of one skeleton, in world metres (z up).

    `frames` `(f,)`: scene frames.  `fps`: frames per second.
    `axes` `(f, bones, 3, 3)`: posed, orthonormal bone axes in the world. `heads` `(f, bones, 3)`: posed heads
    in the world, metres.
    The motion of the armature object is included in the bones; `skeleton.to_world` is the object at rest.
    `remark`: what the user should know of the file, in a sentence, or empty.
    `planted`: contact point -> whether the file says that it stands `(f,)`; others are to be found.
    """

    name: str
    skeleton: Skeleton
    fps: float
    frames: np.ndarray
    axes: np.ndarray
    heads: np.ndarray
    remark: str = ""
    planted: Mapping[str, np.ndarray] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.frames)

    def rows(self, chosen: np.ndarray | slice) -> "Clip":
        """Return the clip of some frames."""
        planted = {point: flags[chosen] for point, flags in self.planted.items()}
        return replace(
            self,
            frames=self.frames[chosen],
            axes=self.axes[chosen],
            heads=self.heads[chosen],
            planted=planted,
        )

    def read_as(self, skeleton: Skeleton) -> "Clip":
        """Return the clip with its bones in the order of another reading of its skeleton, and turned as
        there."""
        if self.skeleton.names == skeleton.names and self.skeleton.turned.keys() == skeleton.turned.keys():
            return self
        rows = [self.skeleton.index[name] for name in skeleton.names]
        matrices = np.tile(np.eye(4), (len(self), len(rows), 1, 1))
        scale = np.cbrt(np.linalg.det(self.skeleton.to_world[:3, :3]))
        matrices[..., :3, :3], matrices[..., :3, 3] = self.axes[:, rows], self.heads[:, rows] / scale
        matrices = skeleton.as_read(matrices)
        return replace(
            self, skeleton=skeleton, axes=matrices[..., :3, :3], heads=scale * matrices[..., :3, 3]
        )

    def posed(self, row: int) -> Skeleton:
        """Return the skeleton with the pose of a frame as its rest pose."""
        to_world = self.skeleton.to_world
        rest = self.skeleton.rest.copy()
        rest[:, :3, :3] = orthonormal(np.linalg.solve(to_world[:3, :3], self.axes[row]))
        rest[:, :3, 3] = (self.heads[row] - to_world[:3, 3]) @ np.linalg.inv(to_world[:3, :3]).T
        return replace(self.skeleton, rest=rest)


def without_gaps(axes: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """Return bone axes `(f, bones, 3, 3)` that are orthonormal on every frame.

    A bone that is flattened or scaled to nothing has no axes there, and some column is zero: it keeps those
    of the frame before, else of the first frame that has some, else those at rest, `rest` `(bones, 3, 3)`,
    which may be scaled.
    """
    has_axes = np.sum(np.square(axes), axis=(-2, -1)) > 2.5  # three for three unit vectors
    if has_axes.all():
        return axes
    last = np.maximum.accumulate(np.where(has_axes, np.arange(len(axes))[:, None], -1), axis=0)
    rows = np.where(last < 0, np.argmax(has_axes, axis=0), last)
    found = axes[rows, np.arange(axes.shape[1])]
    never = ~has_axes.any(axis=0)
    found[:, never] = orthonormal(rest[never])
    return found
