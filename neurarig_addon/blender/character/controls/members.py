"""Bones that deform a limb beside those that play its roles, and that nothing makes follow these: they are posed along with them.

The D bones of MikuMikuDance, which follow by the program alone that plays them; halves of a limb that hang elsewhere; and, where the rig's
own mechanism is left out, all that only that would move.
"""

import bpy

from ....core.skeleton.anatomy import limb_members
from ....core.skeleton.roles import RoleMap
from ....core.skeleton.skeleton import Skeleton
from ..read_armature import skin_bones
from .probing.read_rig import read_rig


def left_behind(obj: bpy.types.Object, skeleton: Skeleton, roles: RoleMap) -> dict[str, str]:
    """Return the deforming bones of limbs that would stay behind if the roles' bones alone were posed, and the role of each."""
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
    """Return the role by which the nearest bone above is posed, '' where none is."""
    return next((posed[name] for row in skeleton.ancestors(skeleton.index[bone]) if (name := skeleton.names[row]) in posed), "")
