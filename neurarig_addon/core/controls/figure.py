"""The bones observed while controls are moved: those that deform the character, one for each role."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..geometry.rotation import normalized, norms
from ..skeleton.roles import SIDES, RoleMap, carrier_role, sided, stem_of
from ..skeleton.skeleton import Skeleton

LEG, ARM = "leg", "arm"
CHAINS = {LEG: ("thigh", "shin", "foot", "toe"), ARM: ("upper_arm", "forearm", "hand")}
LIMBS = tuple(sided(kind, side) for kind in (LEG, ARM) for side in SIDES)
PELVIS = "pelvis"
_BESIDE = 0.12  # segment lengths: how far off its line a bone that deforms it may begin
_BEYOND = 0.45  # segment lengths: how far from its head along it
_ALIGNED = 0.8  # least cosine between a segment and a bone that deforms it


@dataclass(frozen=True)
class ObservedRig:
    """What is observed of a character, in armature space and units.

    `roles` `(r)`. `bones` `(r,)`: rows of the bones that deform them. `joints` `(r, 3)`: the roles' heads at
    rest.
    `beyond` `(r, r)`: whether the column is the row or descends from it. `hangs_on`: for each role the rows
    of its children.
    """

    roles: tuple[str, ...]
    bones: np.ndarray
    joints: np.ndarray
    beyond: np.ndarray
    hangs_on: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, skeleton: Skeleton, roles: RoleMap, order: Sequence[str]) -> "ObservedRig":
        """Return what to observe of a character; `order`: the names of all bones in the order of the trials'
        answers."""
        names = tuple(role for role, bone in roles.bones.items() if bone in skeleton.index)
        joints = np.array([skeleton.rest[skeleton.index[roles.bones[role]], :3, 3] for role in names])
        above = {role: None if role == PELVIS else _above(roles, role) for role in names}
        beyond = np.zeros((len(names), len(names)), dtype=bool)
        for column, role in enumerate(names):
            at: str | None = role
            while at is not None:
                beyond[names.index(at), column] = True
                at = above.get(at)
        rows = [
            order.index(skeleton.names[_deforming(skeleton, roles, role, names, above)]) for role in names
        ]
        hangs_on = tuple(
            tuple(row for row, other in enumerate(names) if above[other] == role) for role in names
        )
        return cls(names, np.array(rows), joints, beyond, hangs_on)

    @cached_property
    def size(self) -> float:
        """The length of a leg."""
        left, right = (self.joints[self.chain(sided(LEG, side))] for side in SIDES)
        return float(np.mean([norms(np.diff(leg[:3], axis=0)).sum() for leg in (left, right)]))

    @cached_property
    def centre(self) -> np.ndarray:
        """The pelvis' head."""
        return self.joints[self.roles.index(PELVIS)]

    @cached_property
    def up(self) -> np.ndarray:
        """The direction from the feet to the hips."""
        legs = [self.chain(sided(LEG, side)) for side in SIDES]
        return normalized(
            np.mean([self.joints[leg[0]] - self.joints[leg[min(2, len(leg) - 1)]] for leg in legs], axis=0)
        )

    @cached_property
    def across(self) -> np.ndarray:
        """The direction from the right hip to the left one."""
        left, right = (self.joints[self.chain(sided(LEG, side))[0]] for side in SIDES)
        return normalized(left - right)

    def chain(self, limb: str) -> list[int]:
        """Return the rows of a limb's roles from its root outward; an arm without its clavicle."""
        kind, _, side = limb.partition(".")
        return [self.roles.index(role) for part in CHAINS[kind] if (role := sided(part, side)) in self.roles]

    def is_whole(self, limb: str) -> bool:
        """Return whether a limb has root, middle and end."""
        kind, _, side = limb.partition(".")
        return all(sided(part, side) in self.roles for part in CHAINS[kind][:3])

    def rows(self, *parts: str) -> list[int]:
        """Return the rows of these roles, of both sides, if present."""
        return [row for row, role in enumerate(self.roles) if stem_of(role) in parts]

    def numbered(self, stem: str) -> list[int]:
        """Return the rows of `spine.1`, `spine.2`, ... or `neck`, `neck.2`, ... in rising order."""
        return sorted(self.rows(stem), key=lambda row: int(self.roles[row].partition(".")[2] or 1))

    @cached_property
    def is_segment(self) -> np.ndarray:
        """Whether each role `(r,)` is a limb's upper or lower segment."""
        segments = [row for limb in LIMBS if self.is_whole(limb) for row in self.chain(limb)[:2]]
        return np.isin(np.arange(len(self.roles)), segments)

    @cached_property
    def axes(self) -> np.ndarray:
        """The direction `(r, 3)` from root to end of the limb that a role belongs to, zero for the trunk."""
        found = np.zeros_like(self.joints)
        for limb in LIMBS:
            chain = self.chain(limb)
            if self.is_whole(limb):
                along = self.joints[chain[2]] - self.joints[chain[0]]
                found[chain] = along / max(float(norms(along)), 1e-9)
        return found


def _above(roles: RoleMap, role: str) -> str:
    """Return the role that carries another one, skipping those that the rig lacks."""
    carrier = carrier_role(roles, role)
    while carrier != PELVIS and not roles.has(carrier):
        carrier = carrier_role(roles, carrier)
    return carrier


def _deforming(
    skeleton: Skeleton, roles: RoleMap, role: str, names: tuple[str, ...], above: dict[str, str | None]
) -> int:
    """Return the row of the bone that deforms a role: its own bone, or the one nearest to its head that
    points along it."""
    own = skeleton.index[roles.bones[role]]
    if skeleton.deform[own] or not skeleton.deform.any():
        return own
    head = skeleton.rest[own, :3, 3]
    below = [other for other in names if above[other] == role and stem_of(other) != "clavicle"]
    if below:
        tail = skeleton.rest[skeleton.index[roles.bones[below[0]]], :3, 3]
    else:
        tail = head + skeleton.rest[own, :3, 1] * skeleton.lengths[own]
    length = max(float(norms(tail - head)), 1e-9)
    along = (tail - head) / length
    offsets = skeleton.rest[:, :3, 3] - head
    place = offsets @ along
    beside = norms(offsets - place[:, None] * along)
    fits = skeleton.deform & (beside < _BESIDE * length) & (np.abs(place) < _BEYOND * length)
    fits &= skeleton.rest[:, :3, 1] @ along > _ALIGNED
    return int(np.argmin(np.where(fits, np.abs(place) + beside, np.inf))) if fits.any() else own
