"""The rest pose of an armature as plain data."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class Skeleton:
    """The bones of one armature at rest, parents before children.

    `rest` `(bones, 4, 4)`: head position and orthonormal axes (y along the bone) in armature space.
    `lengths` `(bones,)`: armature units.  `parents` `(bones,)`: index, -1 for a root.
    `deform` `(bones,)`: whether the bone deforms a mesh.
    `to_world` `(4, 4)`: armature space to world metres (object matrix times the scene's unit scale).
    `turned`: bone -> its matrix `(4, 4)` as seen from the rig's own, for feet that are read the other way round (`reversed_feet`).
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
        return replace(self, deform=np.array([name in names for name in self.names], dtype=bool)) if names else self

    def in_world(self, points: np.ndarray) -> np.ndarray:
        """Return armature-space points `(..., 3)` in world metres."""
        return points @ self.to_world[:3, :3].T + self.to_world[:3, 3]

    def as_read(self, matrices: np.ndarray) -> np.ndarray:
        """Return the matrices `(..., bones, 4, 4)` of the rig's bones, in this order, as those of the bones as they are read."""
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

    def is_below(self, row: int, other: int) -> bool:
        """Return whether a bone is a descendant of another one."""
        return int(other) in self.ancestors(int(row))

    def chain(self, top: int, bottom: int) -> list[int]:
        """Return the rows from `top` down to `bottom`, both included; empty if `top` is not above `bottom`."""
        rows = [bottom, *self.ancestors(bottom)]
        return rows[: rows.index(top) + 1][::-1] if top in rows else []
