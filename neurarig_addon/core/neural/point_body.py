"""A character as 27 points and 22 rotations: its points in the shared reference pose, and conversions to and
from its motion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..character.character import Character
from ..character.motion import Motion
from ..character.reference import FORWARD
from ..geometry import rotation
from ..geometry.rotation import about_y, about_z, norms, rotated, transposed
from ..skeleton.roles import SIDES, require_two_legs, sided
from .carriers import Carriers, RoleTree, Spread, mean_rotation
from .points import INDEX, JOINTS, PARENTS, POINTS
from .rest_points import rest_joints, site_offsets

HUMAN = 1.75  # metres: the body height that lengths refer to
_ENOUGH = 1.0  # sum over frames of the squared sine of the bend: below, a clip shows nothing
_CLEAR = 0.9  # least agreement of a clip's bends (1: all in one plane)


def elbow_rolls(points: np.ndarray, rotations: np.ndarray) -> np.ndarray:
    """Return for both arms the angle `(2,)` in radians about the stretched arm by which a clip's bends
    deviate from forward.

    `points` `(f, 27, 3)` and `rotations` `(f, 22, 3, 3)` of the clip; 0 where it does not show the axis.
    """
    rolls = np.zeros(2)
    for side, letter in enumerate(SIDES):
        shoulder, elbow, wrist = (INDEX[f"{part}.{letter}"] for part in ("shoulder", "elbow", "wrist"))
        forearm = rotation.normalized(points[:, wrist] - points[:, elbow])
        x, _, z = np.einsum("fji,fj->if", rotations[:, shoulder], forearm)
        bend = np.hypot(x, z)
        along = np.array([bend @ x, bend @ z])
        if bend @ bend > _ENOUGH and np.hypot(*along) > _CLEAR * (bend @ bend):
            rolls[side] = np.arctan2(-along[1], along[0])
    return rolls


# Legs farther apart at rest than this have their feet banked with them (CMU: 20 degrees): nobody stands flat
# like that.
_ASTRADDLE = np.sin(np.radians(14.0))
# Joint whose rotation several bones may share -> the joint where these bones end.
_ENDS_AT = {INDEX["spine1"]: INDEX["spine2"], INDEX["spine2"]: INDEX["spine3"], INDEX["neck"]: INDEX["head"]}


class _Shared(NamedTuple):
    """A chain of bones, rows in the tree of roles, that share a joint's rotation, and the joints below and
    above."""

    roles: np.ndarray
    below: int
    above: int
    spread: Spread


@dataclass(frozen=True)
class PointBody:
    """The canonical points of one character.

    `rest` `(27, 3)`: the points in the shared reference pose, walk frame, metres; the pelvis where it is at
    rest. `turns` `(22, 3, 3)`: for each joint the rotation from the rig's rest pose to the reference pose.
    `at_rest` `(27, 3)`: the points in the rig's own rest pose. `locks`: what `reach.locks` has found for this
    body, cached. A rotation of a joint, here and in everything neural, is from the reference pose, in the
    walk frame (E of the notes).
    """

    character: Character
    carriers: Carriers
    turns: np.ndarray
    at_rest: np.ndarray
    rest: np.ndarray
    locks: dict[tuple[str, ...], object] = field(default_factory=dict, init=False, compare=False, repr=False)

    @classmethod
    def of(cls, character: Character, motions: Mapping[str, Motion] | None = None) -> "PointBody":
        """Return the points of a character; what its rig lacks is placed by `rest_points`.

        `motions`: a clip of the character; if its arms are straight at rest, it shows the axes about which
        the elbows bend. Raises NeuraRigError for a character on four legs.
        """
        require_two_legs(character.roles, "Neural Pose poses two-legged ones only")
        carriers = Carriers.of(character)
        joints = rest_joints(character, carriers)
        turns = _turns(character, carriers, joints)
        rest = np.empty((len(POINTS), 3))
        at_rest = np.empty_like(rest)
        rest[0] = joints[0]
        at_rest[: len(joints)] = joints
        for point in range(1, len(joints)):
            parent = PARENTS[point]
            rest[point] = rest[parent] + turns[parent] @ (joints[point] - joints[parent])
        parents = PARENTS[len(joints) :]
        offsets = site_offsets(character.body, joints)
        rest[len(joints) :] = rest[parents] + offsets
        at_rest[len(joints) :] = joints[parents] + rotated(transposed(turns[parents]), offsets)
        body = cls(character, carriers, turns, at_rest, rest)
        return body._with_elbows(motions) if motions else body

    @cached_property
    def tree(self) -> RoleTree:
        """The bones of the character's roles as one tree."""
        return RoleTree.of(self.character, self.carriers, self.at_rest)

    @cached_property
    def offsets(self) -> np.ndarray:
        """Each point's place relative to the joint that carries it `(27, 3)`, in the reference pose; the
        pelvis' own place."""
        return self.rest - np.where(PARENTS[:, None] >= 0, self.rest[PARENTS], 0.0)

    @cached_property
    def height(self) -> float:
        """Metres from the lower ball to the top of the head in the reference pose."""
        return float(
            self.rest[INDEX["head_top"], 2]
            - min(self.rest[INDEX["ball.L"], 2], self.rest[INDEX["ball.R"], 2])
        )

    @property
    def size(self) -> float:
        """Of this body relative to a human's, which lengths refer to."""
        return self.height / HUMAN

    def points(self, motions: Mapping[str, Motion]) -> np.ndarray:
        """Return the places `(f, 27, 3)` of the points under a character's motions."""
        heads = np.stack([motions[role].position for role in self.tree.roles], axis=1)
        return self.tree.points(_stacked(motions, self.tree.roles), heads)

    def rotations(self, motions: Mapping[str, Motion]) -> np.ndarray:
        """Return the joints' rotations `(f, 22, 3, 3)` under a character's motions."""
        holders = self.carriers.holders
        away = _stacked(motions, [self.carriers.groups[joint][0] for joint in holders])
        for joint, lengths in self._lengths.items():
            shared = mean_rotation(np.moveaxis(_stacked(motions, self.carriers.groups[joint]), 1, 0), lengths)
            away[:, [row for row, holder in enumerate(holders) if holder == joint]] = shared[:, None]
        return away @ transposed(self.turns)

    def motions(self, rotations: np.ndarray, root: np.ndarray) -> dict[str, Motion]:
        """Return the motion of every role for joint rotations `(f, 22, 3, 3)` and the pelvis' place `(f, 3)`.

        Joints that the rig lacks are ignored; several spine or neck bones share their joint's rotation
        evenly.
        """
        away = self.role_turns(rotations)
        return self.moved(away, self.tree.heads(away, root))

    def moved(self, away: np.ndarray, heads: np.ndarray) -> dict[str, Motion]:
        """Return the motion of every role for rotations from rest `(f, r, 3, 3)` and heads `(f, r, 3)` in the
        tree's order."""
        tree = self.tree
        return {
            role: Motion(away[:, row], heads[:, row], tree.rest[row]) for row, role in enumerate(tree.roles)
        }

    def role_turns(self, rotations: np.ndarray) -> np.ndarray:
        """Return the rotation of each role's bone from the rig's rest pose `(f, r, 3, 3)`, in the tree's
        order."""
        away = rotations.take(self.tree.joints, axis=1) @ self._role_turns
        for roles, below, above, spread in self._shared:
            away[:, roles] = spread.rotations(away[:, roles[0]], rotations[:, below], rotations[:, above])
        return away

    @cached_property
    def _role_turns(self) -> np.ndarray:
        """The rotation of each role's bone from the rig's rest pose to the reference pose `(r, 3, 3)`."""
        return self.turns[self.tree.joints]

    @cached_property
    def _shared(self) -> tuple["_Shared", ...]:
        """The bones that share a joint's rotation."""
        found = []
        for joint, lengths in self._lengths.items():
            roles = np.flatnonzero(self.tree.joints == joint)
            found.append(
                _Shared(roles, self.carriers.holders[PARENTS[joint]], _ENDS_AT[joint], Spread.of(lengths))
            )
        return tuple(found)

    def forward(self, rotations: np.ndarray, root: np.ndarray) -> np.ndarray:
        """Return the places `(f, 27, 3)` of the points for joint rotations, as if each joint were one rigid
        bone."""
        places = np.empty(rotations.shape[:-3] + (len(POINTS), 3))
        places[..., 0, :] = root
        arms = (rotations[..., PARENTS[1:], :, :] @ self.offsets[1:, :, None])[..., 0]
        for point in range(1, len(POINTS)):
            places[..., point, :] = places[..., PARENTS[point], :] + arms[..., point - 1, :]
        return places

    def _with_elbows(self, motions: Mapping[str, Motion]) -> "PointBody":
        """Return the body with a reference pose from which its elbows, as a clip shows them, bend forward."""
        turns = self.turns.copy()
        for side, roll in zip(SIDES, elbow_rolls(self.points(motions), self.rotations(motions)), strict=True):
            arm = [INDEX[sided(part, side)] for part in ("shoulder", "elbow")]
            rolled = [joint for joint, holder in enumerate(self.carriers.holders) if holder in arm]
            turns[rolled] = transposed(about_y(roll)) @ turns[rolled]
        return replace(self, turns=turns)

    @cached_property
    def _lengths(self) -> dict[int, np.ndarray]:
        """The lengths `(bones,)` of the bones of each joint that several bones share."""
        found = {}
        for joint, group in enumerate(self.carriers.groups):
            if len(group) > 1:
                heads = np.array(
                    [self.character.rest_head(role) for role in group] + [self.at_rest[_ENDS_AT[joint]]]
                )
                lengths = norms(np.diff(heads, axis=0))
                found[joint] = np.maximum(lengths, 1e-3 * max(lengths.sum(), 1e-9))
        return found


def _stacked(motions: Mapping[str, Motion], roles: Sequence[str]) -> np.ndarray:
    """Return the rotations of some roles `(f, roles, 3, 3)`."""
    return np.stack([motions[role].rotation for role in roles], axis=1)


def _turns(character: Character, carriers: Carriers, joints: np.ndarray) -> np.ndarray:
    """Return each joint's rotation `(22, 3, 3)` from rest to the reference pose; a joint without bones turns
    with its holder."""
    turns = np.tile(np.eye(3), (len(JOINTS), 1, 1))
    for joint, group in enumerate(carriers.groups):
        turns[joint] = character.reference[group[0]] if group else turns[carriers.holders[joint]]
    for side in SIDES:
        hip, knee, ankle, ball = (INDEX[sided(part, side)] for part in ("hip", "knee", "ankle", "ball"))
        line = joints[ankle] - joints[hip]
        if abs(line[1]) > _ASTRADDLE * norms(line) and carriers.groups[ankle]:
            along = turns[knee] @ (joints[ball] - joints[ankle])
            hanging = about_z(-np.arctan2(along[1], max(along @ FORWARD, 1e-9))) @ turns[knee]
            turns[ankle] = hanging
            turns[ball] = hanging
    return turns
