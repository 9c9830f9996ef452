"""A rig's bones of roles as one tree of rigid parts, for all frames at once."""

from dataclasses import dataclass

import numpy as np

from ...character import Character
from ..points import JOINTS, POINTS
from .carriers import Carriers


@dataclass(frozen=True)
class RoleTree:
    """The roles of a character, parents before children, the pelvis first.

    `parents` `(r,)`: row of the role that carries each one's head, -1 for the pelvis.  `joints` `(r,)`: the joint whose rotation it takes.
    `rest` `(r, 3)`: heads at rest.  `arms` `(r, 3)`: heads from their parents' heads, at rest.
    `above` `(r, r)`: 1 where the column's arm is on the way from the pelvis to the row's head.
    `holders` `(27,)`: the role on whose bone each point is.  `reaches` `(27, 3)`: the point from that role's head, at rest.
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

    def heads(self, away: np.ndarray, root: np.ndarray) -> np.ndarray:
        """Return the roles' heads `(..., r, 3)` for rotations away from rest `(..., r, 3, 3)` and the pelvis' head `(..., 3)`."""
        return self.above @ self.carried_arms(away) + root[..., None, :]

    def carried_arms(self, away: np.ndarray) -> np.ndarray:
        """Return the arms `(..., r, 3)` as their parents turn them."""
        return (away[..., self.parents, :, :] @ self.arms[..., None])[..., 0]

    def points(self, away: np.ndarray, heads: np.ndarray) -> np.ndarray:
        """Return the 27 points `(..., 27, 3)`."""
        return heads[..., self.holders, :] + (away[..., self.holders, :, :] @ self.reaches[..., None])[..., 0]
