"""Forward kinematics: the character's own bones are posed by rotation, the pelvis by location too. Nothing is
added to the rig.

A bone whose parent is not the one that carries its role also gets a location, so that its joint is in place.
Constraints
and drivers of these bones and those above that would interfere are muted and noted.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from bpy.types import Object
from mathutils import Matrix

from ....core.character.body import Body
from ....core.skeleton.anatomy import limb_members
from ....core.skeleton.loose_bones import loose_bones
from ....core.skeleton.roles import RoleMap, hangs_on_carrier
from ....core.skeleton.skeleton import Skeleton
from ...animation import compat
from ...animation.renames import bone_of
from ..read_armature import meshes_of, skin_bones
from . import snapshot
from .attachment import BY_BOTH, BY_LOCATION
from .editing import edit_bones
from .eyes import eye_drives
from .layer_plan import common_root
from .own_controls import may_have_controls
from .probing.read_rig import direct_sources, read_rig

ROOT_ROLE = "root"
_SAME_PLACE = 0.1  # bone lengths: a bone that moves a role's bone and has its head this near is its double


def take_over(
    obj: Object, skeleton: Skeleton, roles: RoleMap, body: Body, attachment: dict[str, Any]
) -> None:
    """Prepare the bones for the drives, noting every step in `attachment`, so that a failure half-way can be
    undone.

    Raises NeuraRigError, with nothing done, if a bone has to be disconnected and the armature cannot be
    edited.
    """
    root = common_root(skeleton, roles)
    drives = fk_drives(skeleton, roles, root, left_behind(obj, skeleton, roles)) + eye_drives(
        obj, skeleton, roles
    )
    _loosen(obj, [bone for bone, _, location, _ in drives if location], attachment)
    if root:
        attachment["placement"] = snapshot.take_motion(obj, root)
    driven = {bone for bone, *_ in drives}
    ours = driven | snapshot.bones_between(obj, driven - {root})
    attachment["pose"] = snapshot.take_pose(obj, sorted(ours))
    affected = {
        bone.name
        for name in driven
        for bone in (obj.pose.bones[name], *obj.pose.bones[name].parent_recursive)
    }
    attachment["muted"] = snapshot.mute_constraints(obj, affected)
    attachment["muted_drivers"] = snapshot.mute_drivers(obj, affected, attachment["muted"])
    snapshot.neutralise(obj, ours - {root})
    attachment["drives"] = attachment["deform"] = drives
    attachment["controls"] = {role: bone for bone, role, *_ in drives}


def fk_drives(skeleton: Skeleton, roles: RoleMap, root: str, along: Mapping[str, str]) -> list[list]:
    """Return the drives `[bone, role, uses location, uses rotation]` of a character.

    `root`: the bone above all others, or ''. `along`: bones that are posed along with a role, see
    `left_behind`; before the role's own.
    """
    drives: list[list] = [[root, ROOT_ROLE, *BY_LOCATION]] if root else []
    drives += [[bone, role, *BY_BOTH] for bone, role in along.items()]
    for role, bone in roles.bones.items():
        if bone:
            # a leg without a knee keeps its foot
            rotation_is_enough = role != "pelvis" and hangs_on_carrier(skeleton, roles, role)
            drives.append([bone, role, not rotation_is_enough, True])
    return drives


def _loosen(obj: Object, bones: list[str], attachment: dict[str, Any]) -> None:
    """Disconnect the bones that need a location: Blender keeps connected ones on their parents' tails."""
    connected = [name for name in bones if obj.data.bones[name].use_connect]
    if connected:
        with edit_bones(obj) as edited:
            attachment["loosened"] = connected
            for name in connected:
                edited[name].use_connect = False


def left_behind(obj: Object, skeleton: Skeleton, roles: RoleMap) -> dict[str, str]:
    """Return the bones that would stay behind if only the roles' bones were posed, with their roles.

    In limbs and in skeletons in pieces these are the deform bones themselves, unless the user poses them; for
    what follows the rig's mechanism, its doubles of the roles' bones.
    """
    skin = skin_bones(obj)
    posed = {bone: role for role, bone in roles.bones.items() if bone}
    found: dict[str, str] = {}
    deforming = skeleton.deforming(skin)
    members = loose_bones(deforming, roles)
    free = _unposed(obj, members)
    members = limb_members(deforming, roles) | {bone: role for bone, role in members.items() if bone in free}
    loose = [bone for bone, role in members.items() if _carrier(skeleton, bone, posed) != role]
    rig = read_rig(obj) if loose else None
    for bone in sorted(loose, key=skeleton.index.__getitem__):
        role = members[bone]
        follows = rig is not None and rig.reach[rig.names.index(roles.bones[role]), rig.names.index(bone)]
        if not follows and _carrier(skeleton, bone, posed | found) != role:
            found[bone] = role
    return found | _doubles_needed(obj, skeleton, posed, (skin | _holding_meshes(obj)) - found.keys())


def _unposed(obj: Object, bones: Iterable[str]) -> set[str]:
    """Return those of some bones that the user has neither moved, keyed nor constrained, as a prop that is
    put down."""
    curves = (
        curve for action, slot in compat.all_actions(obj) for curve in compat.find_channels(action, slot)
    )
    keyed = {bone_of(curve.data_path) for curve in curves} if bones else set()
    posed = (obj.pose.bones[bone] for bone in bones)
    return {
        bone.name
        for bone in posed
        if bone.matrix_basis == Matrix() and not bone.constraints and bone.name not in keyed
    }


def _carrier(skeleton: Skeleton, bone: str, posed: dict[str, str]) -> str:
    """Return the role of the nearest posed bone above, '' if there is none."""
    return next(
        (
            posed[name]
            for row in skeleton.ancestors(skeleton.index[bone])
            if (name := skeleton.names[row]) in posed
        ),
        "",
    )


def _doubles_needed(
    obj: Object, skeleton: Skeleton, posed: dict[str, str], carrying: set[str]
) -> dict[str, str]:
    """Return the doubles of roles' bones on which bones that carry skin or a mesh depend, with their roles.

    From each carrying bone the search follows parents, constraints and drivers back to the first posed bone.
    A double above a posed
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


def _holding_meshes(obj: Object) -> set[str]:
    """Return the bones to which meshes are parented."""
    return {
        mesh.parent_bone for mesh in meshes_of(obj) if mesh.parent is obj and mesh.parent_type == "BONE"
    } & set(obj.data.bones.keys())


def _doubles(obj: Object, skeleton: Skeleton, posed: dict[str, str]) -> dict[str, str]:
    """Return the bones that move a role's bone and share its head, with its role; if they move several, the
    most parallel one's."""
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
