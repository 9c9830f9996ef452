"""Bone-aligned frames of any armature, the way back to axes and Blender's `matrix_basis`, and twists."""

import numpy as np

from neurarig_addon.core.geometry import rotation
from neurarig_addon.core.geometry.rotation import transposed
from neurarig_addon.core.neural.frames import (
    SHORTEST,
    BoneFrames,
    bone_directions,
    carried_frames,
    shortest_turn,
)
from neurarig_addon.core.skeleton.skeleton import Skeleton

CONNECTED = 1e-4  # of the bone's length: a child whose head is this near its tail is connected
NO_CHILD = -1


def frames_of_armature(skeleton: Skeleton, side: np.ndarray, up: np.ndarray) -> BoneFrames:
    """Return the frames of all bones of an armature; `side`, `up` `(3,)`: the character's left and upward
    axis in armature space."""
    heads = skeleton.rest[:, :3, 3]
    tails = heads + skeleton.rest[:, :3, 1] * skeleton.lengths[:, None]
    primary = primary_children(heads, tails, skeleton.parents)
    along = np.where(primary[:, None] >= 0, heads[primary] - heads, tails - heads)
    size = np.ptp(np.concatenate([heads, tails]), axis=0).max()
    directions = bone_directions(along, skeleton.parents, size, up)
    return BoneFrames(
        skeleton.parents, skeleton.rest[:, :3, :3], carried_frames(directions, skeleton.parents, side)
    )


def to_axes(frames: BoneFrames, aligned: np.ndarray) -> np.ndarray:
    """Return the posed axes G of bone-aligned frames A."""
    return aligned @ (transposed(frames.aligned) @ frames.rest)


def to_local(frames: BoneFrames, axes: np.ndarray) -> np.ndarray:
    """Return each bone's rotation in its parent's axes; for a root its own axes."""
    return transposed(above(frames, axes)) @ axes


def above(frames: BoneFrames, axes: np.ndarray) -> np.ndarray:
    """Return the axes of each bone's parent; for a root those of the space."""
    found = axes[..., frames.parents, :, :].copy()
    found[..., frames.parents < 0, :, :] = np.eye(3)
    return found


def from_local(frames: BoneFrames, local: np.ndarray) -> np.ndarray:
    """Return the posed axes G of local rotations."""
    axes = np.array(local)
    for row, parent in enumerate(frames.parents):
        if parent >= 0:
            axes[..., row, :, :] = axes[..., parent, :, :] @ local[..., row, :, :]
    return axes


def to_basis(frames: BoneFrames, axes: np.ndarray) -> np.ndarray:
    """Return the rotation of Blender's `matrix_basis` of each bone, if it inherits rotation."""
    return transposed(to_local(frames, frames.rest)) @ to_local(frames, axes)


def from_basis(frames: BoneFrames, basis: np.ndarray) -> np.ndarray:
    """Return the posed axes G of rotations of Blender's `matrix_basis`."""
    return from_local(frames, to_local(frames, frames.rest) @ basis)


def carried(frames: BoneFrames, axes: np.ndarray) -> np.ndarray:
    """Return the bone-aligned frames that each bone would have if it did not move in its parent."""
    return above(frames, axes) @ transposed(above(frames, frames.rest)) @ frames.aligned


def primary_children(heads: np.ndarray, tails: np.ndarray, parents: np.ndarray) -> np.ndarray:
    """Return for each bone the row of the child along which it lies `(n,)`, -1 for a leaf.

    The connected child, else the one whose head is nearest to the tail; of several equally near ones the one
    with most bones below it, then the first.
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


def swing(carried: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """Return frames `(..., 3, 3)`: `carried` ones, swung by the shortest rotation so that y points along unit
    `direction` `(..., 3)`."""
    return shortest_turn(carried[..., :, 1], direction, carried[..., :, 0]) @ carried


def twist_angle(carried: np.ndarray, aligned: np.ndarray) -> np.ndarray:
    """Return the twist `(...)` in radians of bone-aligned frames about their y, relative to those that the
    parent carries."""
    swung = swing(carried, aligned[..., :, 1])
    left = rotation.transposed(swung) @ aligned
    return np.arctan2(left[..., 0, 2], left[..., 0, 0])


def twisted(aligned: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """Return bone-aligned frames `(..., 3, 3)` turned by `angle` `(...)` radians about their own y."""
    return aligned @ rotation.about_y(angle)
