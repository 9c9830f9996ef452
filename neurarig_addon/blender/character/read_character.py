"""An armature object as a character: bones, roles, proportions."""

import bpy
from bpy.types import Object, Scene

from ...core.character.character import Character
from ...core.character.measure import refuse_uneven_scale
from ...core.detection.conventions import name_votes
from ...core.detection.remembered import roles_of
from ...core.detection.sides import facing_its_soles, shows_no_toes
from ...core.errors import about
from ...core.skeleton.reversed_feet import with_feet_forward
from ...core.skeleton.roles import REQUIRED, RoleMap
from ...core.skeleton.skeleton import Skeleton
from ...core.skeleton.standing_pose import Standing
from .read_armature import read_skeleton, read_skin, read_soles
from .roles import role_map
from .standing_pose import as_posed, standing_of


def read_character(
    obj: Object,
    scene: Scene | None = None,
    standing: Standing | None = None,
    roles: RoleMap | None = None,
) -> Character:
    """Return the character from its current rest pose, roles and object, in a scene, by default the present
    one; nothing is cached, so call once and keep the result.

    Roles are those of the object's list if it names pelvis and thighs, else `roles`, else detected. Soles are
    those of its meshes.
    `standing`: how it stands if its rest pose does not; without it `standing_pose` finds out.
    Raises NeuraRigError, naming object, bone and remedy, if it is no biped or stands in no available pose.
    """
    scene = scene or bpy.context.scene
    skeleton = with_feet_forward(read_skeleton(obj, scene))
    with about(obj.name):
        refuse_uneven_scale(skeleton)
        roles = _listed(obj) or roles or _detected(obj, skeleton)
        standing = standing_of(obj, scene, skeleton, roles) if standing is None else standing
        return Character.of(skeleton, roles, read_skin(obj, roles), standing)


def known_roles(obj: Object) -> RoleMap:
    """Return an armature's roles: as listed if the list names pelvis and thighs, otherwise detected; raises
    as `detect_roles` does."""
    return _listed(obj) or detect_roles(obj)


def detect_roles(obj: Object) -> RoleMap:
    """Detect an armature's roles, regardless of its list; raises NeuraRigError, naming object and bone, if it
    is no biped."""
    with about(obj.name):
        return _detected(obj, with_feet_forward(read_skeleton(obj)))


def named_roles(obj: Object) -> RoleMap:
    """Return the roles that an armature's bone names suggest, unchecked; empty if none."""
    skeleton = read_skeleton(obj)
    return RoleMap({role: skeleton.names[row] for role, row in name_votes(skeleton).rows.items()})


def _listed(obj: Object) -> RoleMap | None:
    """Return the roles of the object's list; None if it does not name pelvis and thighs."""
    listed = role_map(obj)
    return listed if all(listed.has(role) for role in REQUIRED) else None


def _detected(obj: Object, skeleton: Skeleton) -> RoleMap:
    """Detect roles in the rest pose or, if that is not a biped's (sitting, broken), in the current pose; feet
    point as their soles do."""
    roles = roles_of(pose(obj, skeleton) for pose in (lambda _, at_rest: at_rest, as_posed))
    return (
        facing_its_soles(skeleton, roles, read_soles(obj, roles)) if shows_no_toes(skeleton, roles) else roles
    )
