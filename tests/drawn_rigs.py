"""Control rigs drawn at random, of other makes than people's: their true controls and switches are known by
construction.

A rig has controls, a mechanism of an FK and an IK chain for every limb, and bones that deform; what is drawn
is how these hang together.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import pi

import bpy
from mathutils import Vector

from neurarig_addon.core.controls.control_map import FK, IK, ControlMap
from neurarig_addon.core.skeleton.roles import SIDES, RoleMap, sided
from tests import rigs
from tests.rig_make import Make

ROLES = {
    "Hips": "pelvis", "Spine": "spine.1", "Spine1": "spine.2", "Spine2": "spine.3", "Neck": "neck",
    "Head": "head",
    "UpLeg": "thigh", "Leg": "shin", "Foot": "foot", "ToeBase": "toe",
    "Shoulder": "clavicle", "Arm": "upper_arm", "ForeArm": "forearm", "Hand": "hand",
}  # fmt: skip
CHAINS = {"leg": ("thigh", "shin", "foot", "toe"), "arm": ("upper_arm", "forearm", "hand")}
ENDS = {"leg": ("foot_ik", "knee_pole"), "arm": ("hand_ik", "elbow_pole")}
SOLVED = 2  # bones of a chain that its solver bends


@dataclass
class DrawnRig:
    """A rig, and what is true of it: role -> deforming bone, control role -> bone, limb -> path of its
    switch."""

    obj: bpy.types.Object
    make: Make
    roles: dict[str, str] = field(default_factory=dict)
    controls: dict[str, str] = field(default_factory=dict)
    switches: dict[str, str] = field(default_factory=dict)

    @property
    def role_map(self) -> RoleMap:
        return RoleMap(self.roles)

    def missed(self, found: ControlMap) -> list[str]:
        """Return the control roles and limbs that a map has not right; often one control turns the toes in
        both states."""
        wrong = []
        for role, bone in self.controls.items():
            alike = (role, role.replace("toe_ik", "toe_fk"), role.replace("toe_fk", "toe_ik"))
            wrong += [role] if bone not in [found.get(other) for other in alike] else []
        for limb, path in self.switches.items():
            states = {IK: self.make.ik_at, FK: 1.0 - self.make.ik_at}
            wrong += (
                [limb]
                if any(
                    found.switches.get(limb, {}).get(state, {}).get(path) != value
                    for state, value in states.items()
                )
                else []
            )
        return wrong

    @property
    def asked(self) -> int:
        """How many controls and switches there are to be found."""
        return len(self.controls) + len(self.switches)


class _Maker:
    """Makes one rig; names of bones mean nothing."""

    def __init__(self, make: Make, seed: int) -> None:
        self.make, self.draw = make, random.Random(seed + 1)
        self.bones = {
            _role(bone.name): bone
            for bone in rigs.biped(toes=True, arm_drop_deg=self.draw.choice((0.0, 30.0, 50.0)))
        }
        self.obj = bpy.data.objects.new(f"Drawn {seed}", bpy.data.armatures.new(f"Drawn {seed}"))
        bpy.context.scene.collection.objects.link(self.obj)
        rigs.make_active(self.obj)
        self.rig = DrawnRig(self.obj, make)
        self.names: dict[str, str] = {}

    def made(self) -> DrawnRig:
        bpy.ops.object.mode_set(mode="EDIT")
        self._trunk_bones()
        for limb in self._limbs():
            self._limb_bones(*limb)
        bpy.ops.object.mode_set(mode="OBJECT")
        for bone in self.obj.data.bones:
            bone.use_deform = bone.name in self.rig.roles.values()
        for side in SIDES if self.make.reverse else ():
            self.obj.pose.bones[self.names[f"heel {side}"]].lock_location = (True, True, True)
        for role in (
            "pelvis",
            *(role for role in self.bones if role.split(".")[0] in ("spine", "neck", "head", "clavicle")),
        ):
            self._follow(self.rig.roles[role], self.names[f"ctl {role}"])
        for limb in self._limbs():
            self._limb_constraints(*limb)
        if self.make.shaped:
            self._shapes()
        bpy.context.view_layer.update()
        return self.rig

    def _limbs(self) -> Iterator[tuple[str, str]]:
        yield from ((kind, side) for kind in CHAINS for side in SIDES)

    def _bone(self, key: str, head: Vector, tail: Vector, parent: str = "", roll: float = 0.0) -> str:
        bone = self.obj.data.edit_bones.new(f"x{self.draw.randrange(10**6):06d}")
        bone.head, bone.tail, bone.roll = head, tail, roll
        bone.parent = self.obj.data.edit_bones[self.names[parent]] if parent else None
        self.names[key] = bone.name
        return bone.name

    def _like(self, key: str, role: str, parent: str, free: bool = False) -> str:
        """Make a bone in the place of a role's; `free`: one whose axes may be its own."""
        head, tail = Vector(self.bones[role].head), Vector(self.bones[role].tail)
        if free and self.make.turned:
            way = Vector([self.draw.uniform(-1.0, 1.0) for _ in range(3)]).normalized()
            return self._bone(key, head, head + 0.1 * way, parent, self.draw.uniform(-pi, pi))
        return self._bone(key, head, tail, parent)

    def _trunk_bones(self) -> None:
        controls = self.rig.controls
        controls["root"] = self._bone("root", Vector((0.0, 0.0, 0.0)), Vector((0.0, -0.3, 0.0)))
        hips = Vector(self.bones["pelvis"].head)
        controls["torso"] = self._bone("torso", hips, hips + Vector((0.0, -0.2, 0.0)), "root")
        controls["hips"] = self._like("ctl pelvis", "pelvis", "torso", free=True)
        below = "torso"
        for role in ("spine.1", "spine.2", "spine.3", "neck", "head"):
            controls[role] = self._like(f"ctl {role}", role, below, free=True)
            below = f"ctl {role}"
        controls["chest"] = controls["spine.3"]
        for side in SIDES:
            role = sided("clavicle", side)
            controls[role] = self._like(f"ctl {role}", role, "ctl spine.3", free=True)
        for role, bone in self.bones.items():
            above = "" if bone.parent is None else "root" if self.make.flat else f"def {_role(bone.parent)}"
            self.rig.roles[role] = self._like(
                f"def {role}", role, "" if self.make.copies == "ARMATURE" else above
            )

    def _limb_bones(self, kind: str, side: str) -> None:
        parts = [sided(part, side) for part in CHAINS[kind]]
        base = "ctl pelvis" if kind == "leg" else f"ctl {sided('clavicle', side)}"
        for chain in () if self.make.one_chain else ("fk", "ik"):
            above = base
            for role in parts if chain == "fk" else parts[:SOLVED]:
                self._like(f"{chain} {role}", role, above)
                above = f"{chain} {role}"
        end_role = parts[2]
        head = Vector(self.bones[end_role].head)
        if kind == "leg" and self.make.turned:
            end = self._bone(
                f"end {end_role}", head, head + Vector((0.0, 0.2, 0.0)), "root", self.draw.uniform(-pi, pi)
            )
        else:
            end = self._like(f"end {end_role}", end_role, "root")
        above = f"end {end_role}"
        if kind == "leg" and self.make.reverse:
            heel, ball = head + Vector((0.0, 0.05, -head.z)), Vector(self.bones[parts[3]].head)
            self.rig.controls[sided("roll", side)] = self._bone(
                f"heel {side}", heel, heel + Vector((0.0, 0.1, 0.0)), above
            )
            self._bone(f"ball {side}", ball, ball + Vector((0.0, 0.06, 0.02)), f"heel {side}")
            above = f"ball {side}"
        self._like(f"target {end_role}", end_role, above)
        if kind == "leg":
            self.rig.controls[sided("toe_ik", side)] = self._like(
                f"toe {side}", parts[3], f"target {end_role}"
            )
        middle = Vector(self.bones[parts[1]].head)
        out = Vector((0.0, -0.5 if kind == "leg" else 0.5, 0.0))
        carrier = {"root": "root", "torso": "torso", "end": f"end {end_role}"}[self.make.pole_on]
        pole = self._bone(f"pole {end_role}", middle + out, middle + 1.2 * out, carrier)
        reach, aim = ENDS[kind]
        self.rig.controls |= {sided(reach, side): end, sided(aim, side): pole}
        for role in parts:
            turned = self.names.get(f"fk {role}", self.names[f"def {role}"])
            self.rig.controls[role.replace(".", "_fk.")] = turned

    def _limb_constraints(self, kind: str, side: str) -> None:
        parts = [sided(part, side) for part in CHAINS[kind]]
        path = self._switch(f"{kind}.{side}")
        bent = [self.names[f"{'def' if self.make.one_chain else 'ik'} {role}"] for role in parts[:SOLVED]]
        solver = self.obj.pose.bones[bent[1]].constraints.new("IK")
        solver.target, solver.subtarget, solver.chain_count = (
            self.obj,
            self.names[f"target {parts[2]}"],
            SOLVED,
        )
        solver.pole_target, solver.pole_subtarget = self.obj, self.names[f"pole {parts[2]}"]
        solver.pole_angle = _pole_angle(
            *(self.obj.data.bones[name] for name in (*bent, solver.pole_subtarget))
        )
        solver.use_stretch = self.make.stretch
        for name in bent:
            self.obj.pose.bones[name].ik_stretch = 0.1 if self.make.stretch else 0.0
        if self.make.one_chain:
            self._drive(solver, path)
        ends = {parts[2]: f"target {parts[2]}"} | ({parts[3]: f"toe {side}"} if kind == "leg" else {})
        for number, role in enumerate(parts):
            bone = self.rig.roles[role]
            in_ik = f"ik {role}" if number < SOLVED else ends[role]
            if self.make.one_chain:
                if number >= SOLVED:
                    self._drive(self._follow(bone, self.names[in_ik], turns=True), path)
                continue
            follower = self._follow(bone, self.names[f"fk {role}"])
            if self.make.copies == "ARMATURE":
                target = follower.targets.new()
                target.target, target.subtarget = self.obj, self.names[in_ik]
                self._drive(target, path)
                self._drive(follower.targets[0], path, in_fk=True)
            else:
                self._drive(self._follow(bone, self.names[in_ik]), path)

    def _follow(self, bone: str, carrier: str, turns: bool = False) -> bpy.types.Constraint:
        """Have a bone follow another one; `turns`: only its rotation, as the bone hangs on its parent."""
        kind = "COPY_ROTATION" if turns else self.make.copies
        if kind == "COPY_ROTATION" and bone == self.rig.roles["pelvis"]:
            kind = "COPY_TRANSFORMS"
        constraint = self.obj.pose.bones[bone].constraints.new(kind)
        if kind == "ARMATURE":
            target = constraint.targets.new()
            target.target, target.subtarget = self.obj, carrier
        else:
            constraint.target, constraint.subtarget = self.obj, carrier
        return constraint

    def _switch(self, limb: str) -> str:
        key = f"s{self.draw.randrange(10**4)}"
        kind, _, side = limb.partition(".")
        name = self.rig.controls[sided(ENDS[kind][0], side)]
        holder = {"BONE": self.obj.pose.bones[name], "OBJECT": self.obj, "DATA": self.obj.data}[
            self.make.switch
        ]
        holder[key] = self.make.ik_at if self.make.saved == IK else 1.0 - self.make.ik_at
        holder.id_properties_ui(key).update(min=0.0, max=1.0)
        path = {"BONE": f'pose.bones["{name}"]["{key}"]', "OBJECT": f'["{key}"]', "DATA": f'data["{key}"]'}[
            self.make.switch
        ]
        self.rig.switches[limb] = path
        return path

    def _drive(
        self, driven: bpy.types.Constraint | bpy.types.ConstraintTargetBone, path: str, in_fk: bool = False
    ) -> None:
        """Have a constraint, or its target, count in IK alone, or `in_fk` alone."""
        driver = driven.driver_add(
            "influence" if isinstance(driven, bpy.types.Constraint) else "weight"
        ).driver
        variable = driver.variables.new()
        is_data = path.startswith("data")
        variable.targets[0].id_type = "ARMATURE" if is_data else "OBJECT"
        variable.targets[0].id = self.obj.data if is_data else self.obj
        variable.targets[0].data_path = path.removeprefix("data")
        driver.type, variable.name = "SCRIPTED", "v"
        driver.expression = "v" if (self.make.ik_at == 1.0) != in_fk else "1 - v"

    def _shapes(self) -> None:
        shape = bpy.data.objects.new("Shape", bpy.data.meshes.new("Shape"))
        for name in self.rig.controls.values():
            self.obj.pose.bones[name].custom_shape = shape


def draw_rig(seed: int) -> DrawnRig:
    """Make the rig of a seed in the present scene."""
    return _Maker(Make.drawn(seed), seed).made()


def _role(name: str) -> str:
    side = "L" if name.startswith("Left") else "R" if name.startswith("Right") else ""
    part = ROLES[name.removeprefix("Left").removeprefix("Right")]
    return sided(part, side) if side else part


def _pole_angle(base: bpy.types.Bone, end: bpy.types.Bone, pole: bpy.types.Bone) -> float:
    """Return the angle with which a solver with this pole leaves its chain as it rests."""
    normal = (end.tail_local - base.head_local).cross(pole.head_local - base.head_local)
    projected = normal.cross(base.tail_local - base.head_local)
    axis = base.matrix_local.to_3x3().col[0]
    angle = axis.angle(projected)
    return -angle if axis.cross(projected).angle(base.tail_local - base.head_local) < 1.0 else angle
