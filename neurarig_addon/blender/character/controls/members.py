"""Deform bones of a limb beside those with roles that nothing makes follow: they are posed along with them.

Such are the D bones of MikuMikuDance, which only that program moves; halves of a limb parented elsewhere; and, if the rig's
own mechanism is bypassed, everything that only it would move.
"""

import bpy

from ....core.skeleton.anatomy import limb_members
from ....core.skeleton.roles import RoleMap
from ....core.skeleton.skeleton import Skeleton
from ..read_armature import skin_bones
from .probing.read_rig import read_rig


def left_behind(obj: bpy.types.Object, skeleton: Skeleton, roles: RoleMap) -> dict[str, str]:
    """Return the deform bones of limbs that would stay behind if only the roles' bones were posed, with their roles."""
    posed = {bone: role for role, bone in roles.bones.items() if bone}
    found: dict[str, str] = {}
    members = limb_members(skeleton.deforming(skin_bones(obj)), roles)
    loose = [bone for bone, role in members.items() if _carrier(skeleton, bone, posed) != role]
    rig = read_rig(obj) if loose else None
    for bone in loose:
        role = members[bone]
        follows = rig is not None and rig.reach[rig.names.index(roles.bones[role]), rig.names.index(bone)]
        if not follows and _carrier(skeleton, bone, posed | found) != role:
            found[bone] = role
    return found


def _carrier(skeleton: Skeleton, bone: str, posed: dict[str, str]) -> str:
    """Return the role of the nearest posed bone above, '' if there is none."""
    return next((posed[name] for row in skeleton.ancestors(skeleton.index[bone]) if (name := skeleton.names[row]) in posed), "")
