"""The rest pose of an armature as plain data, and its kinematics, for all frames at once.

Blender's rule of inheritance: a posed bone is its parent's contribution times its own basis (location,
rotation, scale). Everything is in armature space and armature units.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..geometry.vectors import transformed


@dataclass(frozen=True)
class Skeleton:
    """The bones of one armature at rest, parents before children.

    `rest` `(bones, 4, 4)`: head position and orthonormal axes (y along the bone) in armature space.
    `lengths` `(bones,)`: armature units.  `parents` `(bones,)`: index, -1 for a root.
    `deform` `(bones,)`: whether the bone deforms a mesh.
    `to_world` `(4, 4)`: armature space to world metres (object matrix times the scene's unit scale).
    `turned`: bone -> its matrix `(4, 4)` as seen from the rig's own, for feet that are read the other way
    round (`reversed_feet`).
    """

    names: tuple[str, ...]
    parents: np.ndarray
    rest: np.ndarray
    lengths: np.ndarray
    deform: np.ndarray
    to_world: np.ndarray
    turned: Mapping[str, np.ndarray] = field(default_factory=dict)

    @cached_property
    def index(self) -> dict[str, int]:
        """Bone name to row."""
        return {name: row for row, name in enumerate(self.names)}

    @cached_property
    def _parents(self) -> list[int]:
        return self.parents.tolist()

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Rows of each bone's children."""
        found: list[list[int]] = [[] for _ in self.names]
        for row, parent in enumerate(self._parents):
            if parent >= 0:
                found[parent].append(row)
        return tuple(tuple(rows) for rows in found)

    @cached_property
    def heads(self) -> np.ndarray:
        """Heads `(bones, 3)` in world metres."""
        return self.in_world(self.rest[:, :3, 3])

    @cached_property
    def tails(self) -> np.ndarray:
        """Tails `(bones, 3)` in world metres."""
        return self.in_world(self.rest[:, :3, 3] + self.rest[:, :3, 1] * self.lengths[:, None])

    def deforming(self, names: set[str]) -> "Skeleton":
        """Return the skeleton in which only these bones deform; unchanged if there are none."""
        return (
            replace(self, deform=np.array([name in names for name in self.names], dtype=bool))
            if names
            else self
        )

    def in_world(self, points: np.ndarray) -> np.ndarray:
        """Return armature-space points `(..., 3)` in world metres."""
        return transformed(points, self.to_world)

    def as_read(self, matrices: np.ndarray) -> np.ndarray:
        """Return the matrices `(..., bones, 4, 4)` of the rig's bones, in this order, as those of the bones
        as they are read."""
        if not self.turned:
            return matrices
        found = np.array(matrices)
        for bone, turn in self.turned.items():
            found[..., self.index[bone], :, :] = found[..., self.index[bone], :, :] @ turn
        return found

    def ancestors(self, row: int) -> list[int]:
        """Return the rows above a bone, nearest first."""
        found, parents = [], self._parents
        row = parents[row]
        while row >= 0:
            found.append(row)
            row = parents[row]
        return found

    @cached_property
    def _families(self) -> tuple[np.ndarray, np.ndarray]:
        """Each bone's number in an order in which all below a bone follow it, and that of the first one
        behind them, `(bones,)`."""
        sizes = np.ones(len(self.names), dtype=int)
        for row, parent in reversed(list(enumerate(self._parents))):
            if parent >= 0:
                sizes[parent] += sizes[row]
        starts, free = np.zeros_like(sizes), [0] * (len(sizes) + 1)
        for row, parent in enumerate(self._parents):
            starts[row] = free[parent]
            free[parent] += int(sizes[row])
            free[row] = int(starts[row]) + 1
        return starts, starts + sizes

    def below(self, row: int) -> np.ndarray:
        """Return which bones `(bones,)` are descendants of one."""
        starts, ends = self._families
        return (starts > starts[row]) & (starts < ends[row])

    def is_below(self, row: int, other: int) -> bool:
        """Return whether a bone is a descendant of another one."""
        starts, ends = self._families
        return bool(starts[other] < starts[row] < ends[other])

    def chain(self, top: int, bottom: int) -> list[int]:
        """Return the rows from `top` down to `bottom`, both included; empty if `top` is not above
        `bottom`."""
        rows = [bottom, *self.ancestors(bottom)]
        return rows[: rows.index(top) + 1][::-1] if top in rows else []


@dataclass(frozen=True)
class Hierarchy:
    """The bones of a skeleton and how they inherit from their parents.

    `inherit_rotation`, `inherit_scale`, `local_location` `(bones,)`: Blender's settings of the relation to
    the parent. Inherited scale
    is the parent's full scale; for a uniformly scaled parent that is exact for every mode that inherits
    scale.
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
    """Return the posed axes `(f, bones, 3, 3)`, with scale, and heads `(f, bones, 3)` of bones with the basis
    `turns` and `locations`.

    `turns` `(f, bones, 3, 3)`: rotation times scale.  `locations` `(f, bones, 3)`.
    """
    axes, heads = np.empty_like(turns), np.empty_like(locations)
    for rows in hierarchy.levels:
        resting, slide, head = _contributed(hierarchy, rows, axes, heads)
        axes[:, rows] = resting @ turns[:, rows]
        heads[:, rows] = head + (slide @ locations[:, rows, :, None])[..., 0]
    return axes, heads


def inverse(hierarchy: Hierarchy, axes: np.ndarray, heads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the bones' basis, `(turns, locations)` as in `forward`, that gives the posed `axes` and
    `heads`."""
    turns, locations = np.empty_like(axes), np.empty_like(heads)
    for rows in hierarchy.levels:
        resting, slide, head = _contributed(hierarchy, rows, axes, heads)
        turns[:, rows] = np.linalg.solve(resting, axes[:, rows])
        locations[:, rows] = np.linalg.solve(slide, (heads[:, rows] - head)[..., None])[..., 0]
    return turns, locations


def _contributed(
    hierarchy: Hierarchy, rows: np.ndarray, axes: np.ndarray, heads: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the parents' contribution to bones of one level: axes and heads without a basis, and the axes of
    their locations."""
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
