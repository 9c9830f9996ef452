"""Forward kinematics: the character's own bones are posed by rotation, the pelvis by location too.  Nothing is added to the rig.

A bone whose parent is not the one that carries its role also gets a location, so that its joint is in place.  Constraints
and drivers of these bones and those above that would interfere are muted and noted.
"""

from collections.abc import Mapping
from typing import Any

import bpy

from ....core.character.body import Body
from ....core.skeleton.role_carriers import hangs_on_carrier
from ....core.skeleton.roles import RoleMap
from ....core.skeleton.skeleton import Skeleton
from . import members, snapshot
from .editing import edit_bones
from .eyes import eye_drives
from .layer_plan import common_root

ROOT_ROLE = "root"


def take_over(obj: bpy.types.Object, skeleton: Skeleton, roles: RoleMap, body: Body, attachment: dict[str, Any]) -> None:
    """Prepare the bones for the drives, noting every step in `attachment`, so that a failure half-way can be undone.

    Raises NeuraRigError, with nothing done, if a bone has to be disconnected and the armature cannot be edited.
    """
    root = common_root(skeleton, roles)
    drives = fk_drives(skeleton, roles, root, members.left_behind(obj, skeleton, roles)) + eye_drives(obj, skeleton, roles)
    _loosen(obj, [bone for bone, _, location, _ in drives if location], attachment)
    if root:
        attachment["placement"] = snapshot.take_motion(obj, root)
    driven = {bone for bone, *_ in drives}
    ours = driven | snapshot.bones_between(obj, driven - {root})
    attachment["pose"] = snapshot.take_pose(obj, sorted(ours))
    affected = {bone.name for name in driven for bone in (obj.pose.bones[name], *obj.pose.bones[name].parent_recursive)}
    attachment["muted"] = snapshot.mute_constraints(obj, affected)
    attachment["muted_drivers"] = snapshot.mute_drivers(obj, affected, attachment["muted"])
    snapshot.neutralise(obj, ours - {root})
    attachment["drives"] = attachment["deform"] = drives
    attachment["controls"] = {role: bone for bone, role, *_ in drives}


def fk_drives(skeleton: Skeleton, roles: RoleMap, root: str, along: Mapping[str, str]) -> list[list]:
    """Return the drives `[bone, role, uses location, uses rotation]` of a character.

    `root`: the bone above all others, or ''.  `along`: bones that are posed along with a role, see `members`; before the role's own.
    """
    drives: list[list] = [[root, ROOT_ROLE, True, False]] if root else []
    drives += [[bone, role, True, True] for bone, role in along.items()]
    for role, bone in roles.bones.items():
        if bone:
            rotation_is_enough = role != "pelvis" and hangs_on_carrier(skeleton, roles, role)  # a leg without a knee keeps its foot
            drives.append([bone, role, not rotation_is_enough, True])
    return drives


def _loosen(obj: bpy.types.Object, bones: list[str], attachment: dict[str, Any]) -> None:
    """Disconnect the bones that need a location: Blender keeps connected ones on their parents' tails."""
    connected = [name for name in bones if obj.data.bones[name].use_connect]
    if connected:
        with edit_bones(obj) as edited:
            attachment["loosened"] = connected
            for name in connected:
                edited[name].use_connect = False
