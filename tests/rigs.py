"""Armatures made by code from literal bone tables, for tests and benchmarks in Blender.

A table holds world positions in metres of a character at rest that faces -Y, left side at +X; the right side
is its mirror. `build` can put any object transform under it: the character in the world stays the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import bpy
import numpy as np
from mathutils import Matrix, Vector

from tests.generated_human import HUMAN, LEGS, generated_file, rigify_metarig

Point = tuple[float, float, float]


@dataclass(frozen=True)
class Bone:
    """One row of a table: world positions in metres, roll in radians."""

    name: str
    parent: str | None
    head: Point
    tail: Point
    roll: float = 0.0


TRUNK = (
    Bone("Hips", None, (0.0, 0.0, 0.96), (0.0, 0.0, 1.05)),
    Bone("Spine", "Hips", (0.0, 0.0, 1.05), (0.0, 0.01, 1.17)),
    Bone("Spine1", "Spine", (0.0, 0.01, 1.17), (0.0, 0.015, 1.29)),
    Bone("Spine2", "Spine1", (0.0, 0.015, 1.29), (0.0, 0.015, 1.45)),
    Bone("Neck", "Spine2", (0.0, 0.015, 1.45), (0.0, 0.0, 1.54)),
    Bone("Head", "Neck", (0.0, 0.0, 1.54), (0.0, -0.01, 1.75)),
)
LEFT_LEG = (
    Bone("LeftUpLeg", "Hips", (0.09, 0.0, 0.925), (0.09, -0.015, 0.5025)),
    Bone("LeftLeg", "LeftUpLeg", (0.09, -0.015, 0.5025), (0.09, 0.0, 0.08)),
    Bone("LeftFoot", "LeftLeg", (0.09, 0.0, 0.08), (0.09, -0.125, 0.025)),
    Bone("LeftToeBase", "LeftFoot", (0.09, -0.125, 0.025), (0.09, -0.19, 0.02)),
)
LEFT_ARM = (
    Bone("LeftShoulder", "Spine2", (0.03, 0.0, 1.42), (0.17, 0.015, 1.42)),
    Bone("LeftArm", "LeftShoulder", (0.18, 0.015, 1.42), (0.46, 0.025, 1.42)),
    Bone("LeftForeArm", "LeftArm", (0.46, 0.025, 1.42), (0.71, 0.015, 1.42)),
    Bone("LeftHand", "LeftForeArm", (0.71, 0.015, 1.42), (0.88, 0.015, 1.42)),
)
QUADRUPED_LEGS = (
    Bone("front_thigh.L", "chest", (0.12, -0.45, 0.95), (0.12, -0.4, 0.6)),
    Bone("front_shin.L", "front_thigh.L", (0.12, -0.4, 0.6), (0.12, -0.45, 0.1)),
    Bone("front_foot.L", "front_shin.L", (0.12, -0.45, 0.1), (0.12, -0.53, 0.0)),
    Bone("thigh.L", "pelvis", (0.12, 0.45, 0.95), (0.12, 0.4, 0.6)),
    Bone("shin.L", "thigh.L", (0.12, 0.4, 0.6), (0.12, 0.5, 0.1)),
    Bone("foot.L", "shin.L", (0.12, 0.5, 0.1), (0.12, 0.42, 0.0)),
)
QUADRUPED_TRUNK = (
    Bone("pelvis", None, (0.0, 0.5, 1.0), (0.0, 0.3, 1.0)),
    Bone("spine", "pelvis", (0.0, 0.3, 1.0), (0.0, -0.1, 1.0)),
    Bone("chest", "spine", (0.0, -0.1, 1.0), (0.0, -0.5, 1.05)),
    Bone("neck", "chest", (0.0, -0.5, 1.05), (0.0, -0.8, 1.4)),
    Bone("head", "neck", (0.0, -0.8, 1.4), (0.0, -1.1, 1.35)),
)


def biped(toes: bool = True, arm_drop_deg: float = 0.0) -> list[Bone]:
    """Return a 1.75 m human: T-pose, or the arms lowered by `arm_drop_deg` (45 is an A-pose)."""
    leg = [bone for bone in LEFT_LEG if toes or "Toe" not in bone.name]
    arm = [LEFT_ARM[0], *lowered(LEFT_ARM[1:], np.radians(arm_drop_deg))]
    return [*TRUNK, *with_mirror(leg), *with_mirror(arm)]


def split_limb_biped() -> list[Bone]:
    """Return the human with thighs, shins, upper arms and forearms in two halves each, as game and bend rigs
    have them."""
    limbs = {f"{side}{part}" for side in ("Left", "Right") for part in ("UpLeg", "Leg", "Arm", "ForeArm")}
    return split(biped(), limbs)


def quadruped() -> list[Bone]:
    """Return a horse of twelve leg bones."""
    return [*QUADRUPED_TRUNK, *with_mirror(QUADRUPED_LEGS)]


def arms_only() -> list[Bone]:
    """Return a trunk with arms and no legs."""
    return [*TRUNK, *with_mirror(LEFT_ARM)]


def with_mirror(bones: Iterable[Bone]) -> list[Bone]:
    """Return left bones and their mirror images in x."""
    left = list(bones)
    return left + [
        Bone(
            mirrored_name(bone.name),
            mirrored_name(bone.parent),
            mirrored(bone.head),
            mirrored(bone.tail),
            -bone.roll,
        )
        for bone in left
    ]


def mirrored_name(name: str | None) -> str | None:
    """Return the name of the bone on the right; a midline name stays."""
    if name is None:
        return None
    return name[:-2] + ".R" if name.endswith(".L") else name.replace("Left", "Right")


def mirrored(point: Point) -> Point:
    """Return the point on the other side."""
    return (-point[0], point[1], point[2])


def lowered(arm: Iterable[Bone], angle: float) -> list[Bone]:
    """Return a left arm turned down about its shoulder by `angle` radians."""
    bones = list(arm)
    shoulder = Vector(bones[0].head)
    turn = Matrix.Translation(shoulder) @ Matrix.Rotation(angle, 4, "Y") @ Matrix.Translation(-shoulder)
    return [
        replace(bone, head=tuple(turn @ Vector(bone.head)), tail=tuple(turn @ Vector(bone.tail)))
        for bone in bones
    ]


def split(bones: Iterable[Bone], names: set[str]) -> list[Bone]:
    """Return the table with each named bone cut in half; the lower half is called `NAME.001` and carries the
    children."""
    result = []
    for bone in bones:
        parent = f"{bone.parent}.001" if bone.parent in names else bone.parent
        if bone.name in names:
            middle = tuple((Vector(bone.head) + Vector(bone.tail)) / 2.0)
            result.append(replace(bone, parent=parent, tail=middle))
            result.append(Bone(f"{bone.name}.001", bone.name, middle, bone.tail, bone.roll))
        else:
            result.append(replace(bone, parent=parent))
    return result


def renamed(bones: Iterable[Bone]) -> list[Bone]:
    """Return the table with names that say nothing: `b00`, `b01`, ..."""
    names = {bone.name: f"b{number:02d}" for number, bone in enumerate(bones)}
    return [replace(bone, name=names[bone.name], parent=names.get(bone.parent or "")) for bone in bones]


def build(bones: Iterable[Bone], name: str = "Character", matrix: Matrix | None = None) -> bpy.types.Object:
    """Return a new armature object that is active and selected, in object mode.

    `matrix` is its world matrix; the bones are placed so that the character stands in the world as in the
    table.
    """
    matrix = matrix or Matrix()
    obj = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    bpy.context.scene.collection.objects.link(obj)
    obj.matrix_world = matrix
    make_active(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    to_local = matrix.inverted()
    for bone in bones:
        made = obj.data.edit_bones.new(bone.name)
        made.head, made.tail, made.roll = (
            to_local @ Vector(bone.head),
            to_local @ Vector(bone.tail),
            bone.roll,
        )
        made.parent = obj.data.edit_bones[bone.parent] if bone.parent else None
    bpy.ops.object.mode_set(mode="OBJECT")
    return obj


def fbx_matrix(turn_deg: float = 0.0) -> Matrix:
    """Return what an FBX import leaves on the object: centimetres, y up, and perhaps another facing."""
    facing = Matrix.Rotation(np.radians(turn_deg), 4, "Z")
    return facing @ Matrix.Rotation(np.radians(-90.0), 4, "X") @ Matrix.Scale(0.01, 4)


def make_active(obj: bpy.types.Object) -> None:
    """Make an object the only selected one."""
    for other in bpy.context.view_layer.objects:
        other.select_set(False)
    obj.select_set(True)
    bpy.context.view_layer.objects.active = obj


def rigify_human(legs: str = LEGS) -> bpy.types.Object:
    """Return the rig that Rigify generates from its human metarig with a type of legs, without the
    metarig."""
    return _generated(legs, HUMAN)


def rigify_animal(kind: str) -> bpy.types.Object:
    """Return the rig that Rigify generates from a metarig of an animal, as `horse` or `basic_quadruped`."""
    return _generated(LEGS, kind)


def _generated(legs: str, kind: str) -> bpy.types.Object:
    with bpy.data.libraries.load(str(generated_file(legs, kind))) as (_, wanted):
        wanted.objects = ["rig"]
    rig = wanted.objects[0]
    bpy.context.scene.collection.objects.link(rig)
    make_active(rig)
    return rig


def metarig_with_leg_ik() -> bpy.types.Object:
    """Return the metarig with an IK constraint and a free target per foot, the plainest rig an animator
    makes."""
    metarig = rigify_metarig()
    bpy.ops.object.mode_set(mode="EDIT")
    for side in ("L", "R"):
        shin = metarig.data.edit_bones[f"shin.{side}"]
        target = metarig.data.edit_bones.new(f"leg_target.{side}")
        target.head, target.tail = shin.tail, shin.tail + Vector((0.0, 0.1, 0.0))
    bpy.ops.object.mode_set(mode="OBJECT")
    for side in ("L", "R"):
        ik = metarig.pose.bones[f"shin.{side}"].constraints.new("IK")
        ik.target, ik.subtarget, ik.chain_count = metarig, f"leg_target.{side}", 2
    return metarig


def biped_with_aimed_knees() -> bpy.types.Object:
    """Return the human with IK legs whose thighs are first aimed at a knee control: a pole that is no
    solver's pole."""
    obj = build(biped(), "Aimed")
    make_active(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    edit = obj.data.edit_bones
    for side, out in (("Left", 0.1), ("Right", -0.1)):
        foot, knee = edit.new(f"{side}FootControl"), edit.new(f"{side}KneeControl")
        foot.head, foot.tail, foot.roll = (
            edit[f"{side}Foot"].head,
            edit[f"{side}Foot"].tail,
            edit[f"{side}Foot"].roll,
        )
        thigh = edit[f"{side}UpLeg"]
        # what is straight cannot be pointed
        thigh.tail = edit[f"{side}Leg"].head = thigh.tail + Vector((out, -0.1, 0.0))
        knee.head = thigh.tail + Vector((0.0, -0.8, 0.0))
        knee.tail, knee.roll, knee.parent = knee.head + 0.2 * thigh.vector, thigh.roll, edit["Hips"]
    bpy.ops.object.mode_set(mode="OBJECT")
    for side in ("Left", "Right"):
        for name in ("FootControl", "KneeControl"):
            obj.data.bones[f"{side}{name}"].use_deform = False
        for bone, control, length in (("UpLeg", "KneeControl", 1), ("Leg", "FootControl", 2)):
            solver = obj.pose.bones[f"{side}{bone}"].constraints.new("IK")
            solver.target, solver.subtarget, solver.chain_count = obj, f"{side}{control}", length
        turned = obj.pose.bones[f"{side}Foot"].constraints.new("COPY_ROTATION")
        turned.target, turned.subtarget = obj, f"{side}FootControl"
    return obj
