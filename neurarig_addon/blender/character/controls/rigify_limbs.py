"""The limbs of a generated Rigify rig, whatever its bones are called: their FK controls; of an animal's legs
those of paws, hocks and poles, and the solvers on which those of the hocks hang."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import bpy
import numpy as np

from ....core.geometry.rotation import normalized
from ....core.posing.heels import Heel, Hinge
from ....core.posing.rig_table import POLES
from ....core.skeleton.roles import FORE_OF, LEG_PARTS, SIDES, RoleMap, sided
from .attachment import BY_BOTH, BY_LOCATION, BY_ROTATION

PARENT_ROOT = 1  # the root's name in `torso_parent`, `IK_parent` and `pole_parent`
FK_SWITCHES = {"IK_FK": 1.0, "FK_limb_follow": 0.0}
IK_SWITCHES = {
    "IK_FK": 0.0,
    "IK_Stretch": 0.0,
    "pole_vector": True,
    "IK_parent": PARENT_ROOT,
    "pole_parent": PARENT_ROOT,
}


class RigifyLimb(NamedTuple):
    """A limb by its `roles`, from the trunk outward, and the `stems` of its bones' names without their
    `end`."""

    roles: tuple[str, ...]
    pole: str
    stems: tuple[str, ...]
    end: str

    def name(self, part: int, kind: str) -> str:
        """Return Rigify's name of a bone of some kind that is made for a part of the limb."""
        return f"{self.stems[part]}{kind}{self.end}"

    def is_paw(self, obj: bpy.types.Object) -> bool:
        """Return whether the rig has a paw's controls and switches for it."""
        bones, holder = obj.pose.bones, obj.pose.bones.get(self.name(0, "_parent"), {})
        return (
            len(self.roles) > 2
            and all(key in holder for key in IK_SWITCHES)
            and all(bone in bones for bone, *_ in self.ik_drives())
        )

    def ik_drives(self) -> Iterator[list]:
        """Yield the drives of its IK controls; the paw is the toes, or the foot of a leg without any."""
        yield [self.name(2, "_ik"), self.roles[-1], *BY_BOTH]
        yield [self.name(2, "_heel_ik"), self.roles[2], *BY_ROTATION]
        yield [self.name(0, "_ik_target"), self.pole, *BY_LOCATION]

    def fk_drives(self, obj: bpy.types.Object) -> Iterator[list]:
        """Yield the drives of its FK controls; that of the toes has their name."""
        for part, role in enumerate(self.roles):
            control = self.name(part, "_fk")
            yield [control if control in obj.pose.bones else self.name(part, ""), role, *BY_ROTATION]

    def idle(self, obj: bpy.types.Object) -> list[str]:
        """Return the controls that would add motion to those that are driven."""
        toes = (self.name(part, kind) for part in range(len(self.roles)) for kind in ("_ik", "", "_spin_ik"))
        return [name for name in toes if name in obj.pose.bones]

    def switches(self, obj: bpy.types.Object, by_ik: bool) -> Iterator[tuple[str, str, str, Any]]:
        """Yield the switches for a paw by IK with a pole, or for FK: (bone, constraint or '', property,
        value)."""
        for key, value in (IK_SWITCHES if by_ik else FK_SWITCHES).items():
            yield self.name(0, "_parent"), "", key, value
        if not by_ik:
            return
        bones = obj.pose.bones
        solvers = [f"MCH-{self.name(part, kind)}" for part, kind in ((1, "_ik"), (1, "_ik2"), (2, "_ik3"))]
        # the chain to whose joint a fore leg's heel control is tilted turns over as the leg folds
        turns_over = solvers[1] if solvers[2] not in bones else ""
        for name in solvers:
            for constraint in bones[name].constraints if name in bones else ():
                yield name, constraint.name, "influence" if name == turns_over else "use_stretch", 0


def limbs(roles: RoleMap) -> Iterator[RigifyLimb]:
    """Yield the legs, and the fore legs or arms."""
    for parts, pole in zip((LEG_PARTS, FORE_OF.values()), POLES, strict=True):
        for side in SIDES:
            present = tuple(role for part in parts if roles.has(role := sided(part, side)))
            names = [plain(roles.bones[role]) for role in present]
            if names:
                yield RigifyLimb(present, f"{pole}{side}", tuple(name[:-2] for name in names), names[0][-2:])


def plain(bone: str) -> str:
    """Return the name of the metarig's bone from which a deforming or an original one was made."""
    return bone.removeprefix("DEF-").removeprefix("ORG-")


def carried(obj: bpy.types.Object, driven: set[str], root: str) -> dict[str, str]:
    """Return the mechanism bones that carry driven controls, and the control that moves each: the root, as
    switched, or the one above in a leg by FK."""
    bones, found = obj.pose.bones, {}
    for name in driven:
        holder = bones[name].parent
        if holder and any(one.type == "ARMATURE" for one in holder.constraints):
            found[holder.name] = root
        if name.endswith(("_fk.L", "_fk.R")):
            found[f"ORG-{name.replace('_fk', '')}"] = name
    return found


def heels(
    obj: bpy.types.Object, drives: list[list], carried_by: Mapping[str, str], walk_to_armature: np.ndarray
) -> dict[str, Heel]:
    """Return the bones on which driven heel controls hang that solvers move, and how each is carried;
    `carried_by`: see `read_table`."""
    bones, roles, found = obj.pose.bones, {name: role for name, role, *_ in drives}, {}
    controls, to_walk = {role: name for name, role in roles.items()}, np.linalg.inv(walk_to_armature)

    def at_rest(bone: bpy.types.PoseBone) -> np.ndarray:
        return to_walk @ np.array(bone.bone.matrix_local)

    def hinge(bone: bpy.types.PoseBone, other: np.ndarray) -> Hinge:
        free, rest = [bone.lock_ik_x, bone.lock_ik_y, bone.lock_ik_z].index(False), at_rest(bone)
        end = rest[:3, 3] + bone.bone.length * rest[:3, 1]
        return Hinge(rest[:3, 3], end, normalized(rest[:3, free]), other)

    def driven(bone: bpy.types.PoseBone) -> str:
        while bone.name not in roles:
            bone = bones[carried_by[bone.name]] if bone.name in carried_by else bone.parent
        return roles[bone.name]

    for pole, control in controls.items():
        first = bones.get(f"MCH-{control.replace('_ik_target', '_ik2')}")
        if not pole.startswith(POLES) or first is None:
            continue
        foot = pole.replace(POLES[0], "foot.").replace(POLES[1], "hand.")
        lower, solver = next(
            (bone, one)
            for bone in first.children
            for one in bone.constraints
            if getattr(one, "pole_subtarget", "")
        )
        carrier, rest = bones[controls[foot]].parent, at_rest(first)
        up = rest[:3, [0, 2]] @ [np.cos(solver.pole_angle), np.sin(solver.pole_angle)]
        reach, holder = hinge(lower, rest[:3, 3]), carrier.parent
        shares = [one.influence for one in holder.constraints if one.type == "DAMPED_TRACK"]
        shin, tilt = None if shares else hinge(holder, reach.end), at_rest(holder)[:3, 1]
        above, paw = driven(first), driven(bones[solver.subtarget])
        found[carrier.name] = Heel(foot, above, paw, pole, reach, up, shin, tilt, np.array(sum(shares)))
    return found
