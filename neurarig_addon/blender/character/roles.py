"""An armature's list of roles: read and filled."""

from bpy.types import Context, Object, PropertyGroup

from ...core.skeleton.roles import BIPED, BIRD, EYES, KINDS, QUADRUPED, RoleMap, all_roles
from ..animation.properties import OVERRIDE
from ..animation.renames import Renames
from .changes import Changes

changes = Changes()  # of the role list: a bone was chosen
KIND_ITEMS = (
    (BIPED, "Biped", "Walks on two legs"),
    (QUADRUPED, "Four-Legged", "Walks on four legs, with hocks behind and a wrist above each fore foot"),
    (BIRD, "Bird", "Walks on two legs whose backward knees are the ankles"),
)


class NeuraRigRole(PropertyGroup):
    """One row of the role list: which bone plays a role."""

    role: OVERRIDE.text("Role", "What the bone is to the character")
    bone: changes.keyable.text("Bone", "The bone that plays this role; empty where the character has none")


def store_roles(obj: Object, roles: RoleMap) -> None:
    """Fill the role list: every role that this kind of character can have, in the panel's order, empty if the
    rig has no such bone; eyes if it has any."""
    possible = all_roles(
        max(3, len(roles.spine())), max(1, len(roles.neck())), roles.kind, max(3, len(roles.tail()))
    )
    listed = [role for role in possible if roles.eyes or role not in EYES]
    with changes.as_one(obj):
        obj.neurarig.kind = roles.kind
        items = obj.neurarig.roles
        items.clear()
        for role in listed:
            item = items.add()
            item.name = item.role = role
            item.bone = roles.get(role) or ""


def follow(obj: Object, renames: Renames) -> None:
    """Update bone names in the role list after renames."""
    for item in obj.neurarig.roles:
        if renames.bone(item.bone) != item.bone:
            item.bone = renames.bone(item.bone)


def role_map(obj: Object) -> RoleMap:
    """Return the roles set in the panel, without bones that the armature does not have."""
    bones = obj.data.bones
    listed = {item.role: item.bone for item in obj.neurarig.roles if item.bone in bones}
    return RoleMap.of(listed, kind_of(obj))


def kind_of(obj: Object) -> str:
    """Return what a character is, one of KINDS; a biped where a file says nothing that is known."""
    return obj.neurarig.kind if obj.neurarig.kind in KINDS else BIPED


def is_biped(obj: Object) -> bool:
    """Return whether a character walks on two legs and has arms: no animal."""
    return kind_of(obj) == BIPED


def on_four_legs(obj: Object) -> bool:
    """Return whether a character is a quadruped."""
    return kind_of(obj) == QUADRUPED


def is_bird(obj: Object) -> bool:
    """Return whether a character is a bird."""
    return kind_of(obj) == BIRD


def list_kind(settings: PropertyGroup, _context: Context) -> None:
    """Update of the kind: list the roles of the one chosen, with their bones as they were."""
    if not changes.is_open:
        store_roles(settings.id_data, role_map(settings.id_data))
