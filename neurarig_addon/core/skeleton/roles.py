"""The roles of bones in the walk: names, the map from roles to bones, and which role carries which, whatever
the bones' hierarchy."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field

from ..errors import NeuraRigError
from .skeleton import Skeleton

SIDES = ("L", "R")
LEG_JOINTS = ("thigh", "shin", "foot")
LEG_PARTS = (*LEG_JOINTS, "toe")
ARM_PARTS = ("clavicle", "upper_arm", "forearm", "hand")
FORE_PARTS = (*ARM_PARTS, "fingers")  # of a fore leg: scapula, humerus, radius, metacarpus, digits
# the joints of all legs, those of the hind ones first; what feet are called
LEGS = tuple(
    tuple(f"{part}.{side}" for part in parts) for parts in (LEG_JOINTS, FORE_PARTS[1:4]) for side in SIDES
)
FEET = (*SIDES, "LF", "RF")
FORE_OF: dict[str, str] = dict(
    zip(LEG_PARTS, FORE_PARTS[1:], strict=True)
)  # a part of a hind leg -> that of a fore leg
SPINE = "spine"
NECK = "neck"
TAIL = "tail"
EYES = ("eye.L", "eye.R")
EARS = ("ear.L", "ear.R")
BIPED, QUADRUPED, BIRD = KINDS = ("biped", "quadruped", "bird")

# A walk needs these; other roles are animated if the rig has them.
REQUIRED = ("pelvis", "thigh.L", "thigh.R")


def sided(part: str, side: str) -> str:
    """Return the role of a part on one side: `sided("thigh", "L")` is `thigh.L`."""
    return f"{part}.{side}"


def on_side(parts: Iterable[str], side: str) -> list[str]:
    """Return the roles of parts on one side."""
    return [sided(part, side) for part in parts]


def stem_of(role: str) -> str:
    """Return a role without its side or number: `thigh` of `thigh.L`, `spine` of `spine.2`."""
    return role.partition(".")[0]


def numbered(stem: str, rows: Iterable[int]) -> dict[str, int]:
    """Return the roles of a row of bones: `spine.1`, `spine.2` ... or `neck`, `neck.2` ..."""
    return {stem if stem == NECK and k == 0 else f"{stem}.{k + 1}": row for k, row in enumerate(rows)}


def spine_of(roles: Container[str]) -> list[str]:
    """Return those of some roles that are the spine, from the pelvis up."""
    return _row(roles, f"{SPINE}.1", SPINE)


def neck_of(roles: Container[str]) -> list[str]:
    """Return those that are the neck, from the chest up."""
    return _row(roles, NECK, NECK)


def tail_of(roles: Container[str]) -> list[str]:
    """Return those that are the tail, from the pelvis outwards."""
    return _row(roles, f"{TAIL}.1", TAIL)


def chest_of(roles: Container[str]) -> str:
    """Return the last one of the spine, or the pelvis without one."""
    return (spine_of(roles) or ["pelvis"])[-1]


def leg_parts(roles: "RoleMap") -> tuple[str, ...]:
    """Return the parts of the legs that a character stands on."""
    return (*LEG_PARTS, *(FORE_OF.values() if roles.kind == QUADRUPED else ()))


def require_two_legs(roles: "RoleMap", what: str) -> None:
    """Raise NeuraRigError, naming the pelvis, for `what` a character on four legs has not."""
    if roles.kind == QUADRUPED:
        raise NeuraRigError(
            f"'{roles.get('pelvis')}' carries a character on four legs: {what}. Choose one on two legs."
        )


def _row(roles: Container[str], first: str, stem: str) -> list[str]:
    found = [first] if first in roles else []
    while found and f"{stem}.{len(found) + 1}" in roles:
        found.append(f"{stem}.{len(found) + 1}")
    return found


def mirrored(role: str) -> str:
    """Return the role on the other side; midline roles are their own mirror."""
    if role.endswith(".L"):
        return role[:-2] + ".R"
    return role[:-2] + ".L" if role.endswith(".R") else role


@dataclass(frozen=True)
class RoleMap:
    """Which bone plays which role.

    Roles: `pelvis`; the spine from the pelvis up `spine.1`, `spine.2`, ... (the last one is the chest);
    `neck`, `neck.2`, ...; `head`; and on both sides `thigh shin foot toe clavicle upper_arm forearm hand`
    with `.L` or `.R`. For a limb split into several bones (twist or bend halves) the first is named: the rest
    of the chain follows from the skeleton. `eyes`: `eye.L` and `eye.R`, apart from `bones` because they carry
    nothing and only looking turns them.

    `kind`: what the character is. A quadruped's hind legs are legs (`foot`: the metatarsus, from the hock),
    its fore legs arms (`clavicle`: the scapula, `hand`: the metacarpus, from the carpus) with `fingers`, the
    digits. A bird's `shin` is the tibiotarsus and its `foot` the tarsometatarsus; wings have no roles. Both
    have `tail.1`, `tail.2` ... from the pelvis outwards, and a quadruped `ear.L` and `ear.R`.
    """

    bones: Mapping[str, str]
    eyes: Mapping[str, str] = field(default_factory=dict)
    kind: str = BIPED

    @classmethod
    def of(cls, listed: Mapping[str, str], kind: str = BIPED) -> "RoleMap":
        """Return the map of a list that has eyes and other roles in it."""
        eyes = {role: bone for role, bone in listed.items() if role in EYES}
        return cls({role: bone for role, bone in listed.items() if role not in EYES}, eyes, kind)

    @property
    def listed(self) -> dict[str, str]:
        """All roles with their bones, the eyes last."""
        return {**self.bones, **self.eyes}

    def get(self, role: str) -> str | None:
        """Return the bone's name, or None if the rig has no such bone."""
        return self.bones.get(role) or self.eyes.get(role) or None

    def rows(self, skeleton: Skeleton, roles: Iterable[str] | None = None) -> list[int]:
        """Return the rows of the bones that play some roles, by default all, as far as the rig has them."""
        bones = map(self.get, self.bones if roles is None else roles)
        return [skeleton.index[bone] for bone in bones if bone]

    def has(self, role: str) -> bool:
        """Return whether the rig has a bone for this role."""
        return self.get(role) is not None

    def spine(self) -> list[str]:
        """Return the spine bones from the pelvis up."""
        return [self.bones[role] for role in spine_of(self)]

    def neck(self) -> list[str]:
        """Return the neck bones from the chest up."""
        return [self.bones[role] for role in neck_of(self)]

    def tail(self) -> list[str]:
        """Return the tail bones from the pelvis outwards."""
        return [self.bones[role] for role in tail_of(self)]

    def __contains__(self, role: str) -> bool:
        return self.has(role)


def all_roles(spine_bones: int, neck_bones: int = 1, kind: str = BIPED, tail_bones: int = 0) -> list[str]:
    """Return every role of a kind of character in the order of the panels; eyes last."""
    roles = ["pelvis", *(f"{SPINE}.{n + 1}" for n in range(spine_bones)), NECK]
    roles += [f"{NECK}.{n + 1}" for n in range(1, neck_bones)] + ["head"]
    limbs = (*LEG_PARTS, *{BIPED: ARM_PARTS, QUADRUPED: FORE_PARTS, BIRD: ()}[kind])
    roles += [sided(part, side) for side in SIDES for part in limbs]
    roles += [f"{TAIL}.{n + 1}" for n in range(tail_bones if kind != BIPED else 0)]
    return roles + [*(EARS if kind == QUADRUPED else ()), *EYES]


# Part -> its carriers; the first one that the rig has counts.
_TRUNK = ("spine", "pelvis")
_CARRIERS = {
    "thigh": ("pelvis",),
    "shin": ("thigh",),
    "foot": ("shin", "thigh"),
    "toe": ("foot", "shin"),
    "clavicle": _TRUNK,
    "upper_arm": ("clavicle", *_TRUNK),
    "forearm": ("upper_arm",),
    "hand": ("forearm",),
    "fingers": ("hand", "forearm"),
    "ear": ("head", "neck", *_TRUNK),
    "neck": _TRUNK,
    "head": ("neck", *_TRUNK),
    "spine": ("spine", "pelvis"),
}


def carrier_role(roles: RoleMap, role: str) -> str:
    """Return the role that should carry this one: the nearest above it that the rig has."""
    part, _, rest = role.partition(".")
    if part in (SPINE, TAIL):
        number = int(rest)
        return f"{part}.{number - 1}" if number > 1 else "pelvis"
    if part == "neck" and rest:
        return "neck" if rest == "2" else f"neck.{int(rest) - 1}"
    for part_above in _CARRIERS.get(part, ("pelvis",)):
        row = {"spine": spine_of, "neck": neck_of}.get(part_above, lambda _: [])(roles)
        if row:
            return row[-1]
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
    """Return whether a role's bone is below the one that carries it in a pose, with no role between, and is
    read as it is drawn."""
    return roles.bones[role] not in skeleton.turned and roles_above(skeleton, roles, role)[:1] == [
        carrier_role(roles, role)
    ]
