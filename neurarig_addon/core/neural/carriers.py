"""Which bones of a rig carry the canonical joints and points, and the bones that have a role as one tree of
rigid parts, for all frames.

A chain of bones may share one joint's rotation.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..character.character import Character
from ..easing import running
from ..geometry.rotation import norms, rotated, transposed
from ..geometry.vectors import nearest_rotation
from ..skeleton.roles import SIDES, neck_of, sided, spine_of
from .points import JOINTS, PARENTS, POINTS

_LIMB_ROLES = {
    "hip": "thigh",
    "knee": "shin",
    "ankle": "foot",
    "ball": "toe",
    "collar": "clavicle",
    "shoulder": "upper_arm",
    "elbow": "forearm",
    "wrist": "hand",
}
_ABOVE_PART = {
    "shin": "thigh",
    "foot": "shin",
    "toe": "foot",
    "upper_arm": "clavicle",
    "forearm": "upper_arm",
    "hand": "forearm",
}


@dataclass(frozen=True)
class Carriers:
    """The roles behind the canonical joints.

    `groups`: for each of the 22 joints the roles, from below, that share its rotation; empty if the rig has
    no such bone. `holders`: for each joint the joint whose bones stand in for it: itself, or the nearest one
    above it that has bones. `hangs_on`: role -> the role that carries its head, None for the pelvis; parents
    come before children.
    """

    groups: tuple[tuple[str, ...], ...]
    holders: tuple[int, ...]
    hangs_on: Mapping[str, str | None]

    @classmethod
    def of(cls, character: Character) -> "Carriers":
        """Return the carriers of a character's roles."""
        spine, neck = (
            [role for role in part_of(character.roles) if character.row(role) is not None]
            for part_of in (spine_of, neck_of)
        )
        groups = _groups(character, spine, neck)
        holders = []
        for joint in range(len(JOINTS)):
            holders.append(joint if groups[joint] or joint == 0 else holders[PARENTS[joint]])
        return cls(groups, tuple(holders), _hangs_on(character, spine, neck))

    def first(self, joint: int) -> str | None:
        """Return the role whose head is the joint, None if the rig has no such bone."""
        return self.groups[joint][0] if self.groups[joint] else None

    def carrier(self, point: int) -> str:
        """Return the role of the bone that carries a point; the pelvis for the pelvis."""
        return self.groups[self.holders[PARENTS[point]]][-1] if point else "pelvis"

    def joint_of(self, role: str) -> int:
        """Return the joint whose rotation a role takes."""
        return next(joint for joint, group in enumerate(self.groups) if role in group)


def _groups(character: Character, spine: list[str], neck: list[str]) -> tuple[tuple[str, ...], ...]:
    found: dict[str, tuple[str, ...]] = dict(
        zip(("spine1", "spine2", "spine3"), _spine_groups(character, spine), strict=True)
    )
    found |= {"pelvis": ("pelvis",), "neck": tuple(neck), "head": ("head",)}
    for side in SIDES:
        found |= {sided(joint, side): (sided(part, side),) for joint, part in _LIMB_ROLES.items()}
    return tuple(tuple(role for role in found[joint] if character.row(role) is not None) for joint in JOINTS)


def _spine_groups(character: Character, spine: list[str]) -> tuple[tuple[str, ...], ...]:
    """Return the bones of spine1, spine2 and spine3: the last bone is the chest, the others are halved by
    length."""
    if len(spine) < 3:
        return (tuple(spine[:1]), (), tuple(spine[1:]))
    heads = np.array([character.rest_head(role) for role in spine])
    along = running(norms(np.diff(heads, axis=0)))
    middle = 1 + int(np.argmin(np.abs(along[1:-1] - along[-1] / 2.0)))
    return (tuple(spine[:middle]), tuple(spine[middle:-1]), tuple(spine[-1:]))


def _hangs_on(character: Character, spine: list[str], neck: list[str]) -> dict[str, str | None]:
    trunk = ["pelvis", *spine, *neck] + (["head"] if character.row("head") is not None else [])
    hangs: dict[str, str | None] = {"pelvis": None}
    hangs |= {role: trunk[at] for at, role in enumerate(trunk[1:])}
    chest = (["pelvis", *spine])[-1]
    for side in SIDES:
        usual = {"thigh": "pelvis", "clavicle": chest, "upper_arm": chest}
        for part in ("thigh", "shin", "foot", "toe", "clavicle", "upper_arm", "forearm", "hand"):
            role = sided(part, side)
            if character.row(role) is None:
                continue
            above = next(
                (sided(up, side) for up in _parts_above(part) if character.row(sided(up, side)) is not None),
                None,
            )
            # Thighs belong to the pelvis, whatever their bones' parents (a Biped's: the spine); arms without
            # a trunk parent to the chest.
            own = None if part == "thigh" else _trunk_ancestor(character, role, trunk[1:])
            hangs[role] = above or own or usual.get(part, chest)
    return hangs


def _parts_above(part: str) -> list[str]:
    """Return the parts of a limb above one, nearest first."""
    found = []
    while part in _ABOVE_PART:
        part = _ABOVE_PART[part]
        found.append(part)
    return found


def _trunk_ancestor(character: Character, role: str, trunk: list[str]) -> str | None:
    """Return the one of these roles that is a limb's ancestor in the rig (a Biped's clavicles have its neck),
    None if none is."""
    row = character.row(role)
    rows = {character.row(name): name for name in trunk}
    return (
        next((rows[above] for above in character.skeleton.ancestors(row) if above in rows), None)
        if row is not None
        else None
    )


_HALVES, _TRACE = np.full(9, 0.5), np.eye(3).ravel()
# twice the sine of an angle: below, near half a circle, a turn has no clear axis and nothing is spread
_OPPOSITE = 2e-6


def mean_rotation(turns: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the chordal mean `(f, 3, 3)` of rotations `(bones, f, 3, 3)` with weights `(bones,)`."""
    return nearest_rotation(np.einsum("b,bfij->fij", weights, turns))


@dataclass(frozen=True)
class Spread:
    """A chain of bones that share a rotation: their shares of its length `(bones,)`, and where their middles
    are, -0.5 to 0.5."""

    share: np.ndarray
    middle: np.ndarray

    @classmethod
    def of(cls, lengths: np.ndarray) -> "Spread":
        """Return the chain of bones of these lengths `(bones,)`."""
        share = lengths / lengths.sum()
        return cls(share, np.cumsum(share) - share / 2.0 - 0.5)

    def rotations(self, mean: np.ndarray, below: np.ndarray, above: np.ndarray) -> np.ndarray:
        """Return the bones' rotations `(f, bones, 3, 3)` between neighbours turned by `below` and `above`
        `(f, 3, 3)`.

        The bones turn evenly about one axis, in all by half the angle from `below` to `above`, and their
        chordal mean is exactly `mean`.
        """
        way = above @ transposed(below)
        skew = way - transposed(way)
        numbers = skew.reshape(-1, 9)
        sine = np.sqrt(numbers * numbers @ _HALVES)  # twice that of the angle, as is the cosine below
        angle = np.arctan2(sine, way.reshape(-1, 9) @ _TRACE - 1.0) * (sine > _OPPOSITE)
        each = np.exp(angle[:, None] * (0.5j * self.middle))
        # All turns have one axis, so the mean of the ramp is a turn about it too: remove it.
        mean_turn = each @ self.share
        each = (each * (np.conj(mean_turn) / np.abs(mean_turn))[:, None])[..., None, None]
        unit = skew / np.maximum(sine, _OPPOSITE)[:, None, None]
        once = unit @ mean
        return mean[:, None] + each.imag * once[:, None] + (1.0 - each.real) * (unit @ once)[:, None]


@dataclass(frozen=True)
class RoleTree:
    """The roles of a character, parents before children, the pelvis first.

    `parents` `(r,)`: row of the role that carries each one's head, -1 for the pelvis. `joints` `(r,)`: the
    joint whose rotation it takes.
    `rest` `(r, 3)`: heads at rest.  `arms` `(r, 3)`: heads relative to their parents' heads, at rest.
    `above` `(r, r)`: 1 where the column's arm is on the way from the pelvis to the row's head.
    `holders` `(27,)`: the role on whose bone each point is. `reaches` `(27, 3)`: the point relative to that
    role's head, at rest.
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
        """The arms, at rest, by which the roles together carry each point, from the pelvis' head `(3 r, 27)`,
        for `carried`."""
        return self._levers(self.above[self.holders], self.reaches)

    @cached_property
    def _head_levers(self) -> np.ndarray:
        """The same for the roles' heads `(3 r, r)`."""
        return self._levers(self.above, np.zeros_like(self.rest))

    def _levers(self, above: np.ndarray, reaches: np.ndarray) -> np.ndarray:
        """Return the levers `(3 r, n)` of points: the roles on the way to each, `above` `(n, r)`, and its
        `reaches` from the last."""
        count = len(self.roles)
        levers = np.zeros((len(above), count, 3))
        for row, (way, reach) in enumerate(zip(above, reaches, strict=True)):
            on_way = np.flatnonzero(way)
            levers[row, on_way[-1]] += reach
            for role in on_way[1:]:
                levers[row, self.parents[role]] += self.arms[role]
        return levers.reshape(len(above), 3 * count).T.copy()

    def carried(self, away: np.ndarray, levers: np.ndarray) -> np.ndarray:
        """Return the places `(f, n, 3)` from the pelvis' head of points with `levers` `(3 r, n)`, roles
        turned by `away` `(f, r, 3, 3)`."""
        columns = away.swapaxes(1, 2).reshape(3 * len(away), len(levers))
        return columns.dot(levers).reshape(len(away), 3, levers.shape[1]).swapaxes(1, 2)

    def heads(self, away: np.ndarray, root: np.ndarray) -> np.ndarray:
        """Return the roles' heads `(f, r, 3)` for rotations from rest `(f, r, 3, 3)` and the pelvis' head
        `(f, 3)`."""
        return self.carried(away, self._head_levers) + root[:, None]

    def points(self, away: np.ndarray, heads: np.ndarray) -> np.ndarray:
        """Return the 27 points `(..., 27, 3)` for rotations from rest `(..., r, 3, 3)` and the roles' heads
        `(..., r, 3)`."""
        return heads[..., self.holders, :] + rotated(away[..., self.holders, :, :], self.reaches)
