"""Deform bones that nothing makes follow the bones with roles: they are posed along with them.

Such are the D bones of MikuMikuDance, which only that program moves; halves of a limb parented elsewhere; and, if the rig's
own mechanism is bypassed, everything that only it would move: faces and fingers parented to controls.
"""

import bpy
import numpy as np

from ....core.skeleton.anatomy import limb_members
from ....core.skeleton.roles import RoleMap
from ....core.skeleton.skeleton import Skeleton
from ..read_armature import meshes_of, skin_bones
from .mapped import may_have_controls
from .probing.read_rig import direct_sources, read_rig

_SAME_PLACE = 0.1  # bone lengths: a bone that moves a role's bone and has its head this near is its double


def left_behind(obj: bpy.types.Object, skeleton: Skeleton, roles: RoleMap) -> dict[str, str]:
    """Return the bones that would stay behind if only the roles' bones were posed, with their roles.

    In limbs these are the deform bones themselves; for what follows the rig's mechanism, its doubles of the roles' bones.
    """
    skin = skin_bones(obj)
    posed = {bone: role for role, bone in roles.bones.items() if bone}
    found: dict[str, str] = {}
    members = limb_members(skeleton.deforming(skin), roles)
    loose = [bone for bone, role in members.items() if _carrier(skeleton, bone, posed) != role]
    rig = read_rig(obj) if loose else None
    for bone in loose:
        role = members[bone]
        follows = rig is not None and rig.reach[rig.names.index(roles.bones[role]), rig.names.index(bone)]
        if not follows and _carrier(skeleton, bone, posed | found) != role:
            found[bone] = role
    return found | _doubles_needed(obj, skeleton, posed, (skin | _holding_meshes(obj)) - found.keys())


def _carrier(skeleton: Skeleton, bone: str, posed: dict[str, str]) -> str:
    """Return the role of the nearest posed bone above, '' if there is none."""
    return next((posed[name] for row in skeleton.ancestors(skeleton.index[bone]) if (name := skeleton.names[row]) in posed), "")


def _doubles_needed(obj: bpy.types.Object, skeleton: Skeleton, posed: dict[str, str], carrying: set[str]) -> dict[str, str]:
    """Return the doubles of roles' bones on which bones that carry skin or a mesh depend, with their roles.

    From each carrying bone the search follows parents, constraints and drivers back to the first posed bone.  A double above a posed
    bone would move that too, so the bone that depends on the double alone is returned instead.
    """
    if not may_have_controls(obj):
        return {}
    sources, doubles = direct_sources(obj), _doubles(obj, skeleton, posed)
    above = {skeleton.names[row] for bone in posed for row in skeleton.ancestors(skeleton.index[bone])}
    found: dict[str, str] = {}
    seen, waiting = set(posed), sorted(carrying)
    while waiting:
        bone = waiting.pop()
        if bone in seen:
            continue
        seen.add(bone)
        alone = sources[bone] & above if len(sources[bone]) == 1 else set()
        role = doubles.get(bone) or next((doubles[one] for one in alone if one in doubles), "")
        if role and bone not in above:
            found[bone] = role
        else:
            waiting.extend(sources[bone])
    return {bone: found[bone] for bone in skeleton.names if bone in found}


def _holding_meshes(obj: bpy.types.Object) -> set[str]:
    """Return the bones to which meshes are parented."""
    return {mesh.parent_bone for mesh in meshes_of(obj) if mesh.parent is obj and mesh.parent_type == "BONE"} & set(obj.data.bones.keys())


def _doubles(obj: bpy.types.Object, skeleton: Skeleton, posed: dict[str, str]) -> dict[str, str]:
    """Return the bones that move a role's bone and share its head, with its role; if they move several, the most parallel one's."""
    rig = read_rig(obj)
    rows = {name: row for row, name in enumerate(rig.names)}
    found: dict[str, tuple[float, str]] = {}
    for bone, role in posed.items():
        row, length = rows[bone], skeleton.lengths[skeleton.index[bone]]
        near = np.linalg.norm(rig.rest[:, :3, 3] - rig.rest[row, :3, 3], axis=1) < _SAME_PLACE * length
        alike = rig.rest[:, :3, 1] @ rig.rest[row, :3, 1]
        for other in np.flatnonzero(near & rig.reach[:, row]).tolist():
            name = rig.names[other]
            if name not in posed:
                found[name] = max(found.get(name, (-2.0, "")), (float(alike[other]), role))
    return {name: role for name, (_, role) in found.items()}
