"""The posed character as read from Blender: its 27 points, the bones that take the pose, and what IK legs
need besides."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from bpy.types import Depsgraph, Object, Scene
from mathutils import Matrix

from ...core.body.legs import POLE_DISTANCE
from ...core.body.limb import pole_direction
from ...core.character.character import Character
from ...core.character.motion import Motion
from ...core.errors import NeuraRigError
from ...core.geometry.rotation import orthonormal
from ...core.geometry.vectors import transformed
from ...core.neural.plain_poses import BentTrunk
from ...core.neural.point_body import PointBody
from ...core.posing.posing import Poser
from ...core.posing.rig_table import RigTable, TrunkBend
from ...core.skeleton.roles import SIDES, sided
from ..animation.scratch import pose_matrices
from ..character import controls, record
from ..character.controls import snapshot
from ..character.controls.attachment import OWN_FK
from ..character.read_armature import shape_key
from ..character.read_character import read_character

_KNEES = tuple(sided("knee", side) for side in SIDES)  # roles of the poles that knees point at
_UNTURNED = np.tile(np.eye(3), (1, len(SIDES), 1, 1))
_HIP, _KNEE, _AHEAD, _ANKLE = 0, 1, 2, 0  # columns: hip, knee and front of thighs, ankle (and front) of shins
_STILL = Matrix()


@dataclass(frozen=True)
class LegControls:
    """The legs' controls of one character.

    `legs`: the roles of both thighs and both shins (the thigh again if a leg is one bone). `feet`: sides
    whose foot has no bone.
    `columns` `(4, 3, 3)`: for each leg role, as columns, hip and knee (thighs) or ankle (shins) relative to
    its head, then its front
    direction; all at rest, walk frame, metres.  `ankles`: at rest.  `length`: of a leg.
    """

    legs: tuple[str, ...]
    feet: tuple[int, ...]
    columns: np.ndarray
    ankles: np.ndarray
    length: float

    @classmethod
    def of(cls, character: Character, roles: tuple[str, ...]) -> "LegControls":
        """Return the leg controls of a character whose poses have these roles."""
        body = character.body
        thighs = [sided("thigh", side) for side in SIDES]
        shins = [
            sided("shin", side) if sided("shin", side) in roles else thigh
            for side, thigh in zip(SIDES, thighs, strict=True)
        ]
        columns = np.zeros((2 * len(SIDES), 3, 3))
        for row, (thigh, shin) in enumerate(zip(thighs, shins, strict=True)):
            upper, lower = columns[row], columns[row + len(SIDES)]
            upper[:, _HIP], upper[:, _KNEE] = (
                body.hip[row] - character.rest_head(thigh),
                body.knee[row] - character.rest_head(thigh),
            )
            lower[:, _ANKLE] = body.ankle[row] - character.rest_head(shin)
            upper[:, _AHEAD] = character.reference[thigh][0]
            if shin != thigh:
                lower[:, _AHEAD] = character.reference[shin][0]
        feet = tuple(row for row, side in enumerate(SIDES) if sided("foot", side) not in roles)
        return cls((*thighs, *shins), feet, columns, body.ankle, body.leg_length)

    @property
    def rest(self) -> dict[str, np.ndarray]:
        """Return the roles of the controls, in order, and their rest positions `(3,)`; the origin for
        poles."""
        return {pole: np.zeros(3) for pole in _KNEES} | {
            sided("foot", SIDES[row]): self.ankles[row] for row in self.feet
        }

    def posed(self, turns: np.ndarray, heads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations `(f, c, 3, 3)` and heads `(f, c, 3)` of the controls for those of the leg roles,
        `(f, 4, 3, 3)`, `(f, 4, 3)`.

        A pole lies where the leg's bend points, or, if it is straight, the fronts of thigh and shin; a foot
        rotates as its shin.
        """
        sides = len(SIDES)
        carried = turns @ self.columns
        hip, knee = (
            carried[:, :sides, :, _HIP] + heads[:, :sides],
            carried[:, :sides, :, _KNEE] + heads[:, :sides],
        )
        ankle, straight = (
            carried[:, sides:, :, _ANKLE] + heads[:, sides:],
            carried[:, :sides, :, _AHEAD] + carried[:, sides:, :, _AHEAD],
        )
        poles = knee + POLE_DISTANCE * self.length * pole_direction(hip, knee, ankle, straight, self.length)
        still = _UNTURNED.repeat(len(turns), axis=0)
        if not self.feet:
            return still, poles
        feet = [*self.feet]
        return np.concatenate([still, turns[:, sides:][:, feet]], axis=1), np.concatenate(
            [poles, ankle[:, feet]], axis=1
        )

    def motions(self, motions: Mapping[str, Motion]) -> dict[str, Motion]:
        """Return motions with those of the controls added; feet that have one keep it."""
        turns = np.stack([motions[role].rotation for role in self.legs], axis=1)
        turns, heads = self.posed(turns, np.stack([motions[role].position for role in self.legs], axis=1))
        found = {
            role: Motion(turns[:, row], heads[:, row], rest)
            for row, (role, rest) in enumerate(self.rest.items())
        }
        return dict(motions) | {
            role: motion for role, motion in found.items() if role in _KNEES or role not in motions
        }


@dataclass(frozen=True)
class PosedRig:
    """A posed character: its description, its 27 points, and the bones that take the pose (None before it is
    attached).

    `bend`: how its trunk bends by its own control; None if the spine's bones are posed one by one.
    """

    character: Character
    body: PointBody
    table: RigTable | None
    needs_knees: bool
    bend: TrunkBend | None = None

    @cached_property
    def trunk(self) -> BentTrunk | None:
        """The body with a trunk that bends by its own control; None if it has none."""
        return None if self.bend is None else BentTrunk(self.body, self.bend)

    @cached_property
    def root_bone(self) -> str:
        """Name of the bone that carries the whole character; '' if there is none."""
        return self.table.root_bone if self.table else ""

    @cached_property
    def legs(self) -> LegControls | None:
        """What only IK legs need: poles for knees, feet without a bone; None if legs are posed by their
        bones."""
        return LegControls.of(self.character, self.body.tree.roles) if self.needs_knees else None

    @cached_property
    def leg_rows(self) -> np.ndarray:
        """Rows of the tree's roles from which the legs' controls follow."""
        return np.array(
            [self.body.tree.roles.index(role) for role in (self.legs.legs if self.legs else ())], dtype=int
        )

    @cached_property
    def poser(self) -> Poser:
        """The solver from the roles of the body's tree and of leg controls to the bones that take the
        pose."""
        controls = self.legs.rest if self.legs else {}
        return Poser.of(
            self.attached_table,
            (*self.body.tree.roles, *controls),
            np.vstack([self.body.tree.rest, *controls.values()]),
        )

    @property
    def attached_table(self) -> RigTable:
        """The bones that take the pose; raises NeuraRigError if there are none yet."""
        if self.table is None:
            raise NeuraRigError("The character has no targets yet. Use Create Targets first.")
        return self.table

    def stands(self, obj: Object) -> tuple[Matrix, Matrix]:
        """Return the transforms that carry the whole character, for comparison: the object's and the root
        bone's own."""
        root = obj.pose.bones.get(self.root_bone) if self.root_bone else None
        return obj.matrix_world.copy(), root.matrix_basis.copy() if root else _STILL

    def walk_to_world(self, obj: Object, metres: float) -> np.ndarray:
        """Return the rigid transform `(4, 4)` from walk frame to world metres, as object (or its evaluation)
        and root bone are now."""
        world = np.array(obj.matrix_world) * [[metres], [metres], [metres], [1.0]]
        return world @ self._root_motion(obj) @ self.character.body.walk_to_armature

    def shown_motions(self, obj: Object, depsgraph: Depsgraph) -> dict[str, Motion]:
        """Return the motion of every role, one frame, as Blender shows the character, without the root bone's
        motion."""
        evaluated = obj.evaluated_get(depsgraph)
        rows = {bone.name: row for row, bone in enumerate(evaluated.pose.bones)}
        poses = np.linalg.inv(self._root_motion(evaluated)) @ pose_matrices(evaluated)
        to_armature = self.character.body.walk_to_armature
        scale = np.cbrt(np.linalg.det(to_armature[:3, :3]))
        turn = to_armature[:3, :3] / scale
        found = {}
        for role in self.body.tree.roles:
            row = self.character.row(role)
            assert row is not None  # the tree holds roles that have a bone
            skeleton = self.character.skeleton
            bone = skeleton.names[row]
            matrix = poses[rows[bone]] @ skeleton.turned.get(bone, np.eye(4))
            away = orthonormal(matrix[:3, :3]) @ skeleton.rest[row, :3, :3].T
            head = (matrix[:3, 3] - to_armature[:3, 3]) @ turn / scale
            found[role] = Motion((turn.T @ away @ turn)[None], head[None], self.character.rest_head(role))
        return found

    def shown_points(
        self, obj: Object, depsgraph: Depsgraph, metres: float
    ) -> tuple[dict[str, Motion], np.ndarray]:
        """Return the motions of the roles as Blender shows the character, and its 27 points `(27, 3)` in
        world metres."""
        to_world = self.walk_to_world(obj.evaluated_get(depsgraph), metres)
        motions = self.shown_motions(obj, depsgraph)
        return motions, transformed(self.body.points(motions)[0], to_world)

    def under_root(self, obj: Object, motions: Mapping[str, Motion]) -> dict[str, Motion]:
        """Return a character's observed motions without its root bone's motion."""
        to_armature = self.character.body.walk_to_armature
        back = np.linalg.inv(self._root_motion(obj) @ to_armature) @ to_armature
        turn, shift = back[:3, :3], back[:3, 3]
        return {
            role: Motion(turn @ one.rotation, one.position @ turn.T + shift, one.rest)
            for role, one in motions.items()
        }

    def _root_motion(self, obj: Object) -> np.ndarray:
        if self.root_bone not in obj.pose.bones:
            return np.eye(4)
        return np.array(snapshot.take_motion(obj, self.root_bone)).reshape(4, 4)


def read(obj: Object, scene: Scene) -> PosedRig:
    """Return the character as it is now; raises NeuraRigError if it is not a biped or a bone that takes the
    pose is gone."""
    character = read_character(obj, scene)
    attachment = record.attachment(obj) if record.holds(obj, record.POSE) else None
    character = replace(character, roles=controls.posed_roles(obj, character.roles, attachment))
    body = PointBody.of(character)
    if attachment is None:
        return PosedRig(character, body, None, False)
    table = controls.rig_table(obj, attachment, character.body)
    return PosedRig(character, body, table, attachment["kind"] not in OWN_FK, controls.trunk_bend(attachment))


def key(obj: Object, scene: Scene) -> tuple:
    """Return a key that changes whenever the result of `read` does."""
    return obj.neurarig.attachment, *shape_key(obj, scene)
