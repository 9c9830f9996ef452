"""The characters of the record, each a small rig made by code: bones alone, a Rigify human, plain IK, drawn control rigs."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import bpy
from mathutils import Matrix

from neurarig_addon.blender import api
from tests import rigs
from tests.blender.retargeting import other_build
from tests.drawn_rigs import draw_rig

MODES = ("QUATERNION", "XYZ", "ZXY", "AXIS_ANGLE", "YZX")
APART = Matrix.Translation((2.0, 1.0, 0.0)) @ Matrix.Rotation(0.7, 4, "Z")


def hero() -> bpy.types.Object:
    """Return bones alone."""
    obj = rigs.build(rigs.biped(), "Hero")
    rigs.make_active(obj)
    return obj


def named(make: Callable[[], bpy.types.Object]) -> Callable[[], bpy.types.Object]:
    """Return what makes a rig and calls it Hero."""

    def made() -> bpy.types.Object:
        obj = make()
        obj.name = "Hero"
        rigs.make_active(obj)
        return obj

    return made


def animated() -> bpy.types.Object:
    """Return bones alone with an action, a track and a pose of their own, and a skin."""
    obj = hero()
    data = bpy.data.meshes.new("Skin")
    data.from_pydata(
        [(0.1, -0.15, 0.0), (0.1, 0.05, 0.0), (-0.1, -0.15, 0.0), (-0.1, 0.05, 0.0), (0.0, 0.0, 1.0)], [], [(0, 1, 4), (2, 3, 4)]
    )
    skin = bpy.data.objects.new("Skin", data)
    bpy.context.scene.collection.objects.link(skin)
    for name, rows in {"LeftFoot": [0, 1], "RightFoot": [2, 3], "Hips": [4]}.items():
        skin.vertex_groups.new(name=name).add(rows, 1.0, "REPLACE")
    skin.modifiers.new("Armature", "ARMATURE").object = obj
    skin.parent = obj
    obj.pose.bones["LeftArm"].rotation_quaternion = (0.9, 0.1, 0.3, 0.2)
    for frame in (1, 20):
        obj.pose.bones["Head"].rotation_quaternion = (1.0, 0.0, 0.0, 0.02 * frame)
        obj.pose.bones["Head"].keyframe_insert("rotation_quaternion", frame=frame)
        obj.pose.bones["Head"].keyframe_insert("location", frame=frame)
    obj.animation_data.action.name = "Own"
    obj.location = (0.3, -0.2, 0.0)
    return obj


def rooted() -> bpy.types.Object:
    """Return bones below a root, with two necks, twist bones in the forearms, rolls, and each rotation mode in its turn."""
    above = {"Hips": "Root", "Head": "Neck1"}
    body = [replace(bone, parent=above.get(bone.name, bone.parent)) for bone in rigs.biped(arm_drop_deg=30.0)]
    neck = next(number for number, bone in enumerate(body) if bone.name == "Head")
    body.insert(neck, rigs.Bone("Neck1", "Neck", (0.0, 0.007, 1.5), (0.0, 0.0, 1.54)))
    rows = [
        rigs.Bone("Root", None, (0.0, 0.0, 0.0), (0.0, -0.3, 0.0)),
        *(replace(bone, roll=0.3 * (number % 5 - 2)) for number, bone in enumerate(body)),
        rigs.Bone("Prop", "LeftHand", (0.8, 0.0, 1.2), (0.9, -0.1, 1.2)),
        *(rigs.Bone(f"{side}Twist", f"{side}ForeArm", *_along(body, f"{side}ForeArm")) for side in ("Left", "Right")),
    ]
    obj = rigs.build(rows, "Hero", APART)
    for number, bone in enumerate(obj.pose.bones):
        bone.rotation_mode = MODES[number % len(MODES)]
    obj.data.bones["Root"].use_deform = False
    rigs.make_active(obj)
    return obj


def _along(bones: list[rigs.Bone], name: str) -> tuple[rigs.Point, rigs.Point]:
    """Return a head and tail in the second half of a bone."""
    bone = next(bone for bone in bones if bone.name == name)
    places = [tuple(a + share * (b - a) for a, b in zip(bone.head, bone.tail, strict=True)) for share in (0.5, 0.9)]
    return places[0], places[1]


RIGS: dict[str, Callable[[], bpy.types.Object]] = {
    "bones": hero,
    "animated": animated,
    "rigify": named(rigs.rigify_human),
    "metarig": named(rigs.rigify_metarig),
    "leg ik": named(rigs.metarig_with_leg_ik),
    "drawn 3": named(lambda: draw_rig(3).obj),
    "drawn 8": named(lambda: draw_rig(8).obj),
    "fbx": lambda: rigs.build(rigs.biped(arm_drop_deg=45.0), "Hero", rigs.fbx_matrix(40.0)),
    "other": lambda: rigs.build(other_build(), "Hero", APART),
    "halves": lambda: rigs.build(rigs.split_limb_biped(), "Hero"),
    "rooted": rooted,
    "no toes": lambda: rigs.build(rigs.biped(toes=False), "Hero"),
    "no names": lambda: rigs.build(rigs.renamed(rigs.biped()), "Hero"),
}


def walker(make: str = "bones", **settings: Any) -> bpy.types.Object:
    """Return one that walks plainly through the scene."""
    obj = RIGS[make]()
    api.generate_walk(obj, **{"use_network": False, "mode": "TRAVEL", "speed": 1.2, **settings})
    return obj
