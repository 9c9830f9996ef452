"""Deform bones beside those with roles that nothing makes follow: they are posed along with them.

Such are the D bones of MikuMikuDance, which only that program moves; halves of a limb parented elsewhere; and, if the rig's
own mechanism is bypassed, everything that only it would move: faces and fingers that hang on controls.
"""

import bpy
import numpy as np

from ....core.skeleton.anatomy import limb_members
from ....core.skeleton.roles import RoleMap
from ....core.skeleton.skeleton import Skeleton
from ..read_armature import meshes_of, skin_bones
from .mapped import may_have_controls
from .probing.read_rig import direct_sources, read_rig

_SAME_PLACE = 0.1  # of a bone's length: what begins this near to a role's bone, and moves it, stands for it


def left_behind(obj: bpy.types.Object, skeleton: Skeleton, roles: RoleMap) -> dict[str, str]:
    """Return the bones to pose along with roles so that no deform bone stays behind, with their roles.

    For limbs these are the deform bones themselves.  For what hangs on the mechanism they are its bones that stand for a role's bone.
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
    return found | _standing_in(obj, skeleton, posed, (skin | _holding_meshes(obj)) - found.keys())


def _carrier(skeleton: Skeleton, bone: str, posed: dict[str, str]) -> str:
    """Return the role of the nearest posed bone above, '' if there is none."""
    return next((posed[name] for row in skeleton.ancestors(skeleton.index[bone]) if (name := skeleton.names[row]) in posed), "")


def _standing_in(obj: bpy.types.Object, skeleton: Skeleton, posed: dict[str, str], carrying: set[str]) -> dict[str, str]:
    """Return the bones that stand for roles' bones and carry the skin or a mesh, with their roles.

    From every carrying bone the search follows its dependencies up to the first posed bone.  A bone above a posed one would take that
    along: what depends on it alone is posed in its place.
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
        stands_for = doubles.get(bone) or next((doubles[one] for one in alone if one in doubles), "")
        if stands_for and bone not in above:
            found[bone] = stands_for
        else:
            waiting.extend(sources[bone])
    return {bone: found[bone] for bone in skeleton.names if bone in found}


def _holding_meshes(obj: bpy.types.Object) -> set[str]:
    """Return the bones that carry whole meshes."""
    return {mesh.parent_bone for mesh in meshes_of(obj) if mesh.parent is obj and mesh.parent_type == "BONE"} & set(obj.data.bones.keys())


def _doubles(obj: bpy.types.Object, skeleton: Skeleton, posed: dict[str, str]) -> dict[str, str]:
    """Return the bones that move a role's bone and begin where it does, and its role; of several the one that points most alike."""
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
