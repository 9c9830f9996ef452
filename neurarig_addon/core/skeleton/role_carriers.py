"""Which role carries which: the anatomy of a body, whatever the hierarchy of its bones."""

from .roles import RoleMap, sided
from .skeleton import Skeleton

# Part -> its carriers; the first one that the rig has counts.
_TRUNK = ("spine", "pelvis")
_CARRIERS = {
    "thigh": ("pelvis",),
    "shin": ("thigh",),
    "foot": ("shin", "thigh"),
    "toe": ("foot",),
    "clavicle": _TRUNK,
    "upper_arm": ("clavicle", *_TRUNK),
    "forearm": ("upper_arm",),
    "hand": ("forearm",),
    "neck": _TRUNK,
    "head": ("neck", *_TRUNK),
    "spine": ("spine", "pelvis"),
}


def carrier_role(roles: RoleMap, role: str) -> str:
    """Return the role that should carry this one: the nearest above it that the rig has."""
    part, _, rest = role.partition(".")
    if part == "spine":
        number = int(rest)
        return f"spine.{number - 1}" if number > 1 else "pelvis"
    if part == "neck" and rest:
        return "neck" if rest == "2" else f"neck.{int(rest) - 1}"
    for part_above in _CARRIERS.get(part, ("pelvis",)):
        if part_above == "spine" and roles.spine():
            return f"spine.{len(roles.spine())}"
        if part_above == "neck" and roles.neck():
            return "neck" if len(roles.neck()) == 1 else f"neck.{len(roles.neck())}"
        above = sided(part_above, rest) if rest and roles.has(sided(part_above, rest)) else part_above
        if roles.has(above):
            return above
    return "pelvis"


def roles_above(skeleton: Skeleton, roles: RoleMap, role: str) -> list[str]:
    """Return the roles of the bones above a role's bone, nearest first."""
    names = {bone: other for other, bone in roles.bones.items() if bone}
    above = (skeleton.names[row] for row in skeleton.ancestors(skeleton.index[roles.bones[role]]))
    return [names[bone] for bone in above if bone in names]


def hangs_on_carrier(skeleton: Skeleton, roles: RoleMap, role: str) -> bool:
    """Return whether a role's bone is below the one that carries it in a pose, with no role between, and is read as it is drawn."""
    return roles.bones[role] not in skeleton.turned and roles_above(skeleton, roles, role)[:1] == [carrier_role(roles, role)]
