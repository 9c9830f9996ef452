"""Forward and inverse kinematics of armature bones, from their own basis to their pose and back, for all frames at once.

Blender's rule of inheritance: a posed bone is its parent's contribution times its own basis (location, rotation, scale).
Everything is in armature space and armature units.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .skeleton import Skeleton


@dataclass(frozen=True)
class Hierarchy:
    """The bones of a skeleton and how they inherit from their parents.

    `inherit_rotation`, `inherit_scale`, `local_location` `(bones,)`: Blender's settings of the relation to the parent.  Inherited scale
    is the parent's full scale; for a uniformly scaled parent that is exact for every mode that inherits scale.
    """

    skeleton: Skeleton
    inherit_rotation: np.ndarray
    inherit_scale: np.ndarray
    local_location: np.ndarray

    @classmethod
    def plain(cls, skeleton: Skeleton) -> "Hierarchy":
        """Return the hierarchy with Blender's defaults: everything is inherited."""
        every = np.ones(len(skeleton.names), dtype=bool)
        return cls(skeleton, every, every, every)

    @cached_property
    def offsets(self) -> np.ndarray:
        """Rest matrices `(bones, 4, 4)` relative to the parents' rest."""
        rest, parents = self.skeleton.rest, self.skeleton.parents
        above = np.where((parents >= 0)[:, None, None], rest[parents], np.eye(4))
        return np.linalg.inv(above) @ rest

    @cached_property
    def levels(self) -> tuple[np.ndarray, ...]:
        """Rows by their distance from a root, roots first."""
        depth = np.zeros(len(self.skeleton.parents), dtype=int)
        for row, parent in enumerate(self.skeleton.parents):
            depth[row] = depth[parent] + 1 if parent >= 0 else 0
        return tuple(np.flatnonzero(depth == level) for level in range(depth.max(initial=-1) + 1))


def forward(hierarchy: Hierarchy, turns: np.ndarray, locations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the posed axes `(f, bones, 3, 3)`, with scale, and heads `(f, bones, 3)` of bones with the basis `turns` and `locations`.

    `turns` `(f, bones, 3, 3)`: rotation times scale.  `locations` `(f, bones, 3)`.
    """
    axes, heads = np.empty_like(turns), np.empty_like(locations)
    for rows in hierarchy.levels:
        resting, slide, head = _contributed(hierarchy, rows, axes, heads)
        axes[:, rows] = resting @ turns[:, rows]
        heads[:, rows] = head + (slide @ locations[:, rows, :, None])[..., 0]
    return axes, heads


def inverse(hierarchy: Hierarchy, axes: np.ndarray, heads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the bones' basis, `(turns, locations)` as in `forward`, that gives the posed `axes` and `heads`."""
    turns, locations = np.empty_like(axes), np.empty_like(heads)
    for rows in hierarchy.levels:
        resting, slide, head = _contributed(hierarchy, rows, axes, heads)
        turns[:, rows] = np.linalg.solve(resting, axes[:, rows])
        locations[:, rows] = np.linalg.solve(slide, (heads[:, rows] - head)[..., None])[..., 0]
    return turns, locations


def _contributed(hierarchy: Hierarchy, rows: np.ndarray, axes: np.ndarray, heads: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the parents' contribution to bones of one level: axes and heads without a basis, and the axes of their locations."""
    offsets = hierarchy.offsets[rows]
    parents = hierarchy.skeleton.parents[rows]
    if parents[0] < 0:
        holder = np.broadcast_to(np.eye(3), (len(axes), len(rows), 3, 3))
        head = np.broadcast_to(offsets[:, :3, 3], (len(axes), len(rows), 3))
    else:
        holder = axes[:, parents]
        head = heads[:, parents] + (holder @ offsets[:, :3, 3, None])[..., 0]
    resting, local = holder @ offsets[:, :3, :3], hierarchy.local_location[rows]
    slide = resting if local.all() else np.where(local[:, None, None], resting, holder)
    if hierarchy.inherit_rotation[rows].all() and hierarchy.inherit_scale[rows].all():
        return resting, slide, head
    scaled = hierarchy.inherit_scale[rows][:, None, None]
    size = np.cbrt(np.linalg.det(holder))[..., None, None]
    turned = np.where(scaled, holder, holder / size) @ offsets[:, :3, :3]
    unturned = np.where(scaled, size, 1.0) * hierarchy.skeleton.rest[rows, :3, :3]
    return np.where(hierarchy.inherit_rotation[rows][:, None, None], turned, unturned), slide, head
