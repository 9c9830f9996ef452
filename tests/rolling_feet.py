"""A control rig whose feet stand on pivots of heel, tip, ball and toes, and roll by a property of the foot's
control."""

from dataclasses import replace

import bpy
import numpy as np

from tests.rigs import Bone, biped, build

FOOT, ROLL, TOE_PIVOT = "{} Foot Control", "roll", "{} Toe Pivot"
SIDES = {"Left": 0.09, "Right": -0.09}
PIVOTS = ("Heel Pivot", "Tip Pivot", "Ball Pivot", "Toe Pivot", "Ankle Target")


def rolling_rig(hidden: bool) -> bpy.types.Object:
    """Make the rig; its pivots have no shapes, and with `hidden` nobody sees them: then nothing but the
    property bends the toes."""
    body = [replace(bone, parent="Torso") if bone.name == "Hips" else bone for bone in biped()]
    obj = build([*_controls(), *body], "Tess")
    shape = bpy.data.objects.new("Shape", bpy.data.meshes.new("Shape"))
    for bone in obj.pose.bones:
        is_pivot = bone.name.endswith(PIVOTS)
        bone.bone.use_deform = (
            not is_pivot and "Control" not in bone.name and bone.name not in ("Master", "Torso")
        )
        bone.bone.hide = is_pivot and hidden
        bone.custom_shape = None if is_pivot else shape
    for side in SIDES:
        _solve(obj, side)
    bpy.context.view_layer.update()
    return obj


def _controls() -> list[Bone]:
    rest = {bone.name: bone for bone in biped()}
    found = [
        Bone("Master", None, (0.0, 0.0, 0.0), (0.0, -0.4, 0.0)),
        Bone("Torso", "Master", (0.0, 0.0, 0.96), (0.0, -0.2, 0.96)),
    ]
    for side, x in SIDES.items():
        foot, toe = rest[f"{side}Foot"], rest[f"{side}ToeBase"]
        found += [
            replace(foot, name=FOOT.format(side), parent="Master"),
            Bone(f"{side} Knee Control", "Master", (x, -0.6, 0.5), (x, -0.7, 0.5)),
            Bone(f"{side} Heel Pivot", FOOT.format(side), (x, 0.06, 0.0), (x, -0.02, 0.0)),
            Bone(f"{side} Tip Pivot", f"{side} Heel Pivot", toe.tail, (x, -0.11, 0.02)),
            Bone(f"{side} Ball Pivot", f"{side} Tip Pivot", toe.head, foot.head),
            replace(toe, name=TOE_PIVOT.format(side), parent=f"{side} Tip Pivot"),
            replace(foot, name=f"{side} Ankle Target", parent=f"{side} Ball Pivot"),
        ]
    return found


def _solve(obj: bpy.types.Object, side: str) -> None:
    bones = obj.pose.bones
    solver = bones[f"{side}Leg"].constraints.new("IK")
    solver.target, solver.subtarget, solver.chain_count = obj, f"{side} Ankle Target", 2
    solver.pole_target, solver.pole_subtarget, solver.pole_angle = obj, f"{side} Knee Control", -0.5 * np.pi
    for bone, carrier in (
        (f"{side}Foot", f"{side} Ankle Target"),
        (f"{side}ToeBase", TOE_PIVOT.format(side)),
    ):
        copied = bones[bone].constraints.new("COPY_ROTATION")
        copied.target, copied.subtarget = obj, carrier
    control, ball = bones[FOOT.format(side)], bones[f"{side} Ball Pivot"]
    control[ROLL] = 0.0
    ball.rotation_mode = "XYZ"
    driver = ball.driver_add("rotation_euler", 0).driver
    driver.type, driver.expression = "SCRIPTED", "v"
    read = driver.variables.new()
    read.name = "v"
    read.targets[0].id, read.targets[0].data_path = obj, f'pose.bones["{control.name}"]["{ROLL}"]'
