"""Bone-aligned frames: rotations that mean the same on every rig, whatever its rest pose and bone rolls.

At rest each bone gets a frame B whose y lies along the bone and whose x is carried down the tree without
twist. Posed, the frame is
A = G G0^T B for a bone with axes G (G0 at rest). Column y of A is where the bone points, which positions
show; x and z hold the twist.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..geometry import rotation
from ..geometry.rotation import UP, dot, norms, rejected, transposed
from .points import JOINTS, PARENTS, PRIMARY

SHORTEST = 1e-6  # of the figure's height: nearer joints make a bone without length
OPPOSITE = 1e-6  # 1 + cosine below which two directions count as opposite


@dataclass(frozen=True)
class BoneFrames:
    """The rest of a tree of bones, parents before children.

    `parents` `(n,)`: row, -1 for a root. `rest` `(n, 3, 3)`: rest axes G0. `aligned` `(n, 3, 3)`:
    bone-aligned rest frames B.
    All rotations below are `(..., n, 3, 3)` in the space of `rest` (a character's reference pose, or an
    armature).
    """

    parents: np.ndarray
    rest: np.ndarray
    aligned: np.ndarray

    @classmethod
    def of_points(cls, rest: np.ndarray) -> "BoneFrames":
        """Return the frames of the 22 joints of a PointBody, whose points in the reference pose are `rest`
        `(27, 3)`; there G0 = I."""
        size = np.ptp(rest, axis=0).max()
        along = rest[PRIMARY] - rest[: len(JOINTS)]
        parents = PARENTS[: len(JOINTS)]
        directions = bone_directions(along, parents, size, up=UP)
        side = np.array([0.0, 1.0, 0.0])
        return cls(
            parents, np.tile(np.eye(3), (len(JOINTS), 1, 1)), carried_frames(directions, parents, side)
        )

    @cached_property
    def directions(self) -> np.ndarray:
        """Unit directions of the bones at rest `(n, 3)`."""
        return self.aligned[:, :, 1]

    def to_aligned(self, axes: np.ndarray) -> np.ndarray:
        """Return the bone-aligned frames A of posed axes G."""
        return axes @ (transposed(self.rest) @ self.aligned)


def bone_directions(along: np.ndarray, parents: np.ndarray, size: float, up: np.ndarray) -> np.ndarray:
    """Return unit directions `(n, 3)` of bones whose extent is `along` `(n, 3)`; one without length points
    like its parent, a root up."""
    lengths = norms(along)
    directions = along / np.maximum(lengths, SHORTEST * size)[:, None]
    for row, parent in enumerate(parents):
        if lengths[row] < SHORTEST * size:
            directions[row] = directions[parent] if parent >= 0 else up
    return directions


def carried_frames(directions: np.ndarray, parents: np.ndarray, side: np.ndarray) -> np.ndarray:
    """Return bone-aligned frames `(n, 3, 3)` along unit `directions` `(n, 3)`: x is a root's `side`, carried
    to children without twist."""
    frames = np.empty((len(parents), 3, 3))
    for row, parent in enumerate(parents):
        y = directions[row]
        if parent >= 0:
            x = shortest_turn(directions[parent], y, frames[parent, :, 0]) @ frames[parent, :, 0]
        else:
            x = side
        x = rejected(x, y)
        x = x / norms(x) if norms(x) > SHORTEST else rotation.perpendicular(y)
        frames[row] = np.stack([x, y, np.cross(x, y)], axis=-1)
    return frames


def shortest_turn(start: np.ndarray, end: np.ndarray, hinge: np.ndarray) -> np.ndarray:
    """Return the shortest rotations `(..., 3, 3)` from unit directions `start` to `end`; for opposite ones
    half a circle about `hinge`.

    I + [v]x + [v]x^2 / (1 + cos), v = start x end (Rodrigues without trigonometry). `hinge` `(..., 3)` is
    made perpendicular to `start`.
    """
    middle = start + end
    raised = 0.5 * dot(middle, middle)[..., None, None]  # 1 + cos, without its cancellation
    skew = end[..., :, None] * start[..., None, :]
    skew = skew - rotation.transposed(skew)
    turn = np.eye(3) + skew + skew @ skew / np.maximum(raised, 1e-3 * OPPOSITE)
    opposite = raised < OPPOSITE
    if opposite.any():
        axis = rotation.normalized(rejected(hinge, start))
        half = 2.0 * axis[..., :, None] * axis[..., None, :] - np.eye(3)
        # The half turn ends at -start; the rest of the way is short.
        turn = np.where(opposite, rotation.between(-start, end) @ half, turn)
    return turn
