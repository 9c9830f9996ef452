"""The bones that have a role in a rig as one tree of rigid parts, for all frames at once."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...character.character import Character
from ..points import JOINTS, POINTS
from .carriers import Carriers


@dataclass(frozen=True)
class RoleTree:
    """The roles of a character, parents before children, the pelvis first.

    `parents` `(r,)`: row of the role that carries each one's head, -1 for the pelvis.  `joints` `(r,)`: the joint whose rotation it takes.
    `rest` `(r, 3)`: heads at rest.  `arms` `(r, 3)`: heads relative to their parents' heads, at rest.
    `above` `(r, r)`: 1 where the column's arm is on the way from the pelvis to the row's head.
    `holders` `(27,)`: the role on whose bone each point is.  `reaches` `(27, 3)`: the point relative to that role's head, at rest.
    All in metres, walk frame.
    """

    roles: tuple[str, ...]
    parents: np.ndarray
    joints: np.ndarray
    rest: np.ndarray
    arms: np.ndarray
    above: np.ndarray
    holders: np.ndarray
    reaches: np.ndarray

    @classmethod
    def of(cls, character: Character, carriers: Carriers, points: np.ndarray) -> "RoleTree":
        """Return the tree of a character whose points are at `points` `(27, 3)` at rest."""
        roles = tuple(carriers.hangs_on)
        rows = {role: row for row, role in enumerate(roles)}
        parents = np.array([-1 if above is None else rows[above] for above in carriers.hangs_on.values()])
        rest = np.array([character.rest_head(role) for role in roles])
        arms = np.where(parents[:, None] >= 0, rest - rest[parents], 0.0)
        above = np.eye(len(roles))
        for row, parent in enumerate(parents):
            if parent >= 0:
                above[row] += above[parent]
        own = [carriers.first(point) if point < len(JOINTS) else None for point in range(len(POINTS))]
        holders = np.array([rows[role or carriers.carrier(point)] for point, role in enumerate(own)])
        joints = np.array([carriers.joint_of(role) for role in roles])
        return cls(roles, parents, joints, rest, arms, above, holders, points - rest[holders])

    @cached_property
    def levers(self) -> np.ndarray:
        """The arms, at rest, by which the roles together carry each point, from the pelvis' head `(3 r, 27)`, for `carried`."""
        return self._levers(self.above[self.holders], self.reaches)

    @cached_property
    def _head_levers(self) -> np.ndarray:
        """The same for the roles' heads `(3 r, r)`."""
        return self._levers(self.above, np.zeros_like(self.rest))

    def _levers(self, above: np.ndarray, reaches: np.ndarray) -> np.ndarray:
        """Return the levers `(3 r, n)` of points: the roles on the way to each, `above` `(n, r)`, and its `reaches` from the last."""
        count = len(self.roles)
        levers = np.zeros((len(above), count, 3))
        for row, (way, reach) in enumerate(zip(above, reaches, strict=True)):
            on_way = np.flatnonzero(way)
            levers[row, on_way[-1]] += reach
            for role in on_way[1:]:
                levers[row, self.parents[role]] += self.arms[role]
        return levers.reshape(len(above), 3 * count).T.copy()

    def carried(self, away: np.ndarray, levers: np.ndarray) -> np.ndarray:
        """Return the places `(f, n, 3)` from the pelvis' head of points with `levers` `(3 r, n)`, roles turned by `away` `(f, r, 3, 3)`."""
        columns = away.swapaxes(1, 2).reshape(3 * len(away), len(levers))
        return columns.dot(levers).reshape(len(away), 3, levers.shape[1]).swapaxes(1, 2)

    def heads(self, away: np.ndarray, root: np.ndarray) -> np.ndarray:
        """Return the roles' heads `(f, r, 3)` for rotations from rest `(f, r, 3, 3)` and the pelvis' head `(f, 3)`."""
        return self.carried(away, self._head_levers) + root[:, None]

    def points(self, away: np.ndarray, heads: np.ndarray) -> np.ndarray:
        """Return the 27 points `(..., 27, 3)` for rotations from rest `(..., r, 3, 3)` and the roles' heads `(..., r, 3)`."""
        return heads[..., self.holders, :] + (away[..., self.holders, :, :] @ self.reaches[..., None])[..., 0]
