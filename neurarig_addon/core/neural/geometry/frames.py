"""Bone-aligned frames: rotations that mean the same on every rig, whatever its rest pose and bone rolls.

At rest each bone gets a frame B whose y lies along the bone and whose x is carried down the tree without twist.  Posed, the frame is
A = G G0^T B for a bone with axes G (G0 at rest).  Column y of A is where the bone points, which positions show; x and z hold the twist.
The way back, to axes, local rotations and Blender's `matrix_basis`, is exact.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...geometry import rotation
from ...geometry.rotation import transposed
from ...skeleton.skeleton import Skeleton
from ..points import JOINTS, PARENTS, PRIMARY
from .twist import shortest_turn

SHORTEST = 1e-6  # of the figure's height: nearer joints make a bone without length
CONNECTED = 1e-4  # of the bone's length: a child whose head is this near its tail is connected
NO_CHILD = -1


@dataclass(frozen=True)
class BoneFrames:
    """The rest of a tree of bones, parents before children.

    `parents` `(n,)`: row, -1 for a root.  `rest` `(n, 3, 3)`: rest axes G0.  `aligned` `(n, 3, 3)`: bone-aligned rest frames B.
    All rotations below are `(..., n, 3, 3)` in the space of `rest` (a character's reference pose, or an armature).
    """

    parents: np.ndarray
    rest: np.ndarray
    aligned: np.ndarray

    @classmethod
    def of_points(cls, rest: np.ndarray) -> "BoneFrames":
        """Return the frames of the 22 joints of a PointBody, whose points in the reference pose are `rest` `(27, 3)`; there G0 = I."""
        size = np.ptp(rest, axis=0).max()
        along = rest[PRIMARY] - rest[: len(JOINTS)]
        parents = PARENTS[: len(JOINTS)]
        directions = bone_directions(along, parents, size, up=np.array([0.0, 0.0, 1.0]))
        side = np.array([0.0, 1.0, 0.0])
        return cls(parents, np.tile(np.eye(3), (len(JOINTS), 1, 1)), carried_frames(directions, parents, side))

    @classmethod
    def of_skeleton(cls, skeleton: Skeleton, side: np.ndarray, up: np.ndarray) -> "BoneFrames":
        """Return the frames of all bones of an armature; `side`, `up` `(3,)`: the character's left and upward axis in armature space."""
        heads = skeleton.rest[:, :3, 3]
        tails = heads + skeleton.rest[:, :3, 1] * skeleton.lengths[:, None]
        primary = primary_children(heads, tails, skeleton.parents)
        along = np.where(primary[:, None] >= 0, heads[primary] - heads, tails - heads)
        size = np.ptp(np.concatenate([heads, tails]), axis=0).max()
        directions = bone_directions(along, skeleton.parents, size, up)
        return cls(skeleton.parents, skeleton.rest[:, :3, :3], carried_frames(directions, skeleton.parents, side))

    @cached_property
    def directions(self) -> np.ndarray:
        """Unit directions of the bones at rest `(n, 3)`."""
        return self.aligned[:, :, 1]

    def to_aligned(self, axes: np.ndarray) -> np.ndarray:
        """Return the bone-aligned frames A of posed axes G."""
        return axes @ (transposed(self.rest) @ self.aligned)

    def to_axes(self, aligned: np.ndarray) -> np.ndarray:
        """Return the posed axes G of bone-aligned frames A."""
        return aligned @ (transposed(self.aligned) @ self.rest)

    def to_local(self, axes: np.ndarray) -> np.ndarray:
        """Return each bone's rotation in its parent's axes; for a root its own axes."""
        return transposed(self._above(axes)) @ axes

    def from_local(self, local: np.ndarray) -> np.ndarray:
        """Return the posed axes G of local rotations."""
        axes = np.array(local)
        for row, parent in enumerate(self.parents):
            if parent >= 0:
                axes[..., row, :, :] = axes[..., parent, :, :] @ local[..., row, :, :]
        return axes

    def to_basis(self, axes: np.ndarray) -> np.ndarray:
        """Return the rotation of Blender's `matrix_basis` of each bone, if it inherits rotation."""
        return transposed(self.to_local(self.rest)) @ self.to_local(axes)

    def from_basis(self, basis: np.ndarray) -> np.ndarray:
        """Return the posed axes G of rotations of Blender's `matrix_basis`."""
        return self.from_local(self.to_local(self.rest) @ basis)

    def carried(self, axes: np.ndarray) -> np.ndarray:
        """Return the bone-aligned frames that each bone would have if it did not move in its parent."""
        return self._above(axes) @ transposed(self._above(self.rest)) @ self.aligned

    def _above(self, axes: np.ndarray) -> np.ndarray:
        """Return the axes of each bone's parent; for a root those of the space."""
        above = axes[..., self.parents, :, :].copy()
        above[..., self.parents < 0, :, :] = np.eye(3)
        return above


def primary_children(heads: np.ndarray, tails: np.ndarray, parents: np.ndarray) -> np.ndarray:
    """Return for each bone the row of the child along which it lies `(n,)`, -1 for a leaf.

    The connected child, else the one whose head is nearest to the tail; of several equally near ones the one with most bones below it,
    then the first.
    """
    below = np.ones(len(parents), dtype=int)
    for row in range(len(parents) - 1, -1, -1):
        if parents[row] >= 0:
            below[parents[row]] += below[row]
    found = np.full(len(parents), NO_CHILD)
    for bone in range(len(parents)):
        children = np.flatnonzero(parents == bone)
        if len(children):
            apart = np.linalg.norm(heads[children] - tails[bone], axis=-1)
            near = apart <= apart.min() + CONNECTED * max(np.linalg.norm(tails[bone] - heads[bone]), SHORTEST)
            found[bone] = max(children[near], key=lambda child: (below[child], -child))
    return found


def bone_directions(along: np.ndarray, parents: np.ndarray, size: float, up: np.ndarray) -> np.ndarray:
    """Return unit directions `(n, 3)` of bones whose extent is `along` `(n, 3)`; one without length points like its parent, a root up."""
    lengths = np.linalg.norm(along, axis=-1)
    directions = along / np.maximum(lengths, SHORTEST * size)[:, None]
    for row, parent in enumerate(parents):
        if lengths[row] < SHORTEST * size:
            directions[row] = directions[parent] if parent >= 0 else up
    return directions


def carried_frames(directions: np.ndarray, parents: np.ndarray, side: np.ndarray) -> np.ndarray:
    """Return bone-aligned frames `(n, 3, 3)` along unit `directions` `(n, 3)`: x is a root's `side`, carried to children without twist."""
    frames = np.empty((len(parents), 3, 3))
    for row, parent in enumerate(parents):
        y = directions[row]
        if parent >= 0:
            x = shortest_turn(directions[parent], y, frames[parent, :, 0]) @ frames[parent, :, 0]
        else:
            x = side
        x = x - (x @ y) * y
        x = x / np.linalg.norm(x) if np.linalg.norm(x) > SHORTEST else rotation.perpendicular(y)
        frames[row] = np.stack([x, y, np.cross(x, y)], axis=-1)
    return frames
