"""A character as used after detection: bones, roles, proportions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..detection import detect as detection
from ..errors import NeuraRigError
from ..geometry import rotation
from ..geometry.vectors import transformed
from ..skeleton.clip import Clip
from ..skeleton.reversed_feet import with_feet_forward
from ..skeleton.roles import BIPED, RoleMap
from ..skeleton.skeleton import Skeleton
from ..skeleton.standing_pose import Standing, raised, soles_stood, stood
from . import measure as measuring
from .body import Body
from .motion import Motion
from .reference import reference_turns


@dataclass(frozen=True)
class Character:
    """A biped armature whose roles are known.

    `reference`: role -> rotation `(3, 3)` away from rest, in the walk frame, that brings the role's bone into
    the reference pose shared by all characters (see `core.reference`). `standing`: how roles stand if the
    rest pose is not a standing one; `skeleton` is then the standing one.
    """

    skeleton: Skeleton
    roles: RoleMap
    body: Body
    standing: Standing = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        skeleton: Skeleton,
        roles: RoleMap | None = None,
        soles: Mapping[str, np.ndarray] | None = None,
        standing: Standing | None = None,
    ) -> "Character":
        """Detect the roles (if given, check them) and measure; raises NeuraRigError if it is not a biped.

        `soles` are those of the rest pose. `standing`: how it stands; without it a lying character is raised.
        """
        measuring.refuse_uneven_scale(skeleton)
        skeleton = with_feet_forward(skeleton)
        detected = roles is None
        roles = detection.detect(skeleton) if roles is None else roles
        if roles.kind != BIPED:
            standing = {}
        standing = raised(skeleton, roles) if standing is None else standing
        stands, under = stood(skeleton, roles, standing), soles_stood(soles or {}, standing)
        if not detected and roles.kind == BIPED:
            detection.check(stands, roles)
        return cls(stands, roles, measuring.measure(stands, roles, under), standing)

    @cached_property
    def reference(self) -> Mapping[str, np.ndarray]:
        """Role -> rotation away from rest into the reference pose."""
        return reference_turns(self.skeleton, self.roles, self.body, self.walk_to_world)

    @cached_property
    def walk_to_world(self) -> np.ndarray:
        """Return the rigid transform `(4, 4)` from the walk frame to world metres."""
        return self.skeleton.to_world @ self.body.walk_to_armature

    def row(self, role: str) -> int | None:
        """Return the skeleton row of a role's bone, None if the rig has none."""
        return self.skeleton.index.get(self.roles.get(role) or "")

    def rest_head(self, role: str) -> np.ndarray:
        """Return a role's joint `(3,)` at rest, in the walk frame; raises NeuraRigError if the rig has no
        bone for it."""
        row = self.row(role)
        if row is None:
            raise NeuraRigError(f"The rig has no bone for '{role}'; assign one in the role list.")
        return self.in_walk(self.skeleton.heads[row])

    def in_walk(self, points: np.ndarray) -> np.ndarray:
        """Return world points `(..., 3)` in the walk frame."""
        return (points - self.walk_to_world[:3, 3]) @ self.walk_to_world[:3, :3]

    def in_world(self, points: np.ndarray) -> np.ndarray:
        """Return walk-frame points `(..., 3)` in world metres."""
        return transformed(points, self.walk_to_world)

    def motions(self, clip: Clip) -> dict[str, Motion]:
        """Return the motion of every role in a clip of this character's skeleton, in its walk frame,
        including travel and turns."""
        turn, clip = self.walk_to_world[:3, :3], clip.read_as(self.skeleton)
        rest_axes = rotation.orthonormal(self.skeleton.to_world[:3, :3] @ self.skeleton.rest[:, :3, :3])
        found = {}
        for role in self.roles.bones:
            row = self.row(role)
            if row is not None:
                away = _between(turn.T, clip.axes[:, row], rest_axes[row].T @ turn)
                found[role] = Motion(
                    away, self.in_walk(clip.heads[:, row]), self.in_walk(self.skeleton.heads[row])
                )
        return found


def _between(left: np.ndarray, turns: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return `left @ turns @ right` for turns `(f, 3, 3)`."""
    return rotation.times(rotation.times(turns.swapaxes(-1, -2), left.T).swapaxes(-1, -2), right)
