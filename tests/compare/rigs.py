"""The characters of the scenarios, each called Hero in a file of its own: made once, by the working tree, and
opened by both checkouts."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import bpy
from mathutils import Matrix

from tests import rigs
from tests.rigs import Bone, biped, build

MODES = ("QUATERNION", "XYZ", "ZXY", "AXIS_ANGLE", "YZX")
APART = Matrix.Translation((2.0, 1.0, 0.0)) @ Matrix.Rotation(0.7, 4, "Z")


def animated() -> bpy.types.Object:
    """Return bones with an action and a pose of their own, and a skin."""
    obj = build(biped(), "Hero")
    data = bpy.data.meshes.new("Skin")
    corners = [(0.1, -0.15, 0.0), (0.1, 0.05, 0.0), (-0.1, -0.15, 0.0), (-0.1, 0.05, 0.0), (0.0, 0.0, 1.0)]
    data.from_pydata(corners, [], [(0, 1, 4), (2, 3, 4)])
    skin = bpy.data.objects.new("Skin", data)
    bpy.context.scene.collection.objects.link(skin)
    for name, rows in {"LeftFoot": [0, 1], "RightFoot": [2, 3], "Hips": [4]}.items():
        skin.vertex_groups.new(name=name).add(rows, 1.0, "REPLACE")
    skin.modifiers.new("Armature", "ARMATURE").object = obj
    skin.parent = obj
    obj.pose.bones["LeftArm"].rotation_quaternion = (0.9, 0.1, 0.3, 0.2)
    head = obj.pose.bones["Head"]
    for frame in (1, 20):
        head.rotation_quaternion = (1.0, 0.0, 0.0, 0.02 * frame)
        head.keyframe_insert("rotation_quaternion", frame=frame)
    obj.animation_data.action.name = "Own"
    obj.location = (0.3, -0.2, 0.0)
    return obj


def rooted() -> bpy.types.Object:
    """Return bones below a root, with two necks, a prop, rolls, and each rotation mode in its turn."""
    above = {"Hips": "Root", "Head": "Neck1"}
    body = [replace(bone, parent=above.get(bone.name, bone.parent)) for bone in biped(arm_drop_deg=30.0)]
    body.insert(
        next(row for row, bone in enumerate(body) if bone.name == "Head"),
        Bone("Neck1", "Neck", (0.0, 0.007, 1.5), (0.0, 0.0, 1.54)),
    )
    rows = [
        Bone("Root", None, (0.0, 0.0, 0.0), (0.0, -0.3, 0.0)),
        *(replace(bone, roll=0.3 * (number % 5 - 2)) for number, bone in enumerate(body)),
        Bone("Prop", "LeftHand", (0.8, 0.0, 1.2), (0.9, -0.1, 1.2)),
    ]
    obj = build(rows, "Hero", APART)
    for number, bone in enumerate(obj.pose.bones):
        bone.rotation_mode = MODES[number % len(MODES)]
    obj.data.bones["Root"].use_deform = False
    return obj


def other() -> bpy.types.Object:
    """Return a character of half the size with longer legs and another roll in every bone, which stands
    apart."""
    from tests.blender.retargeting import other_build

    return build(other_build(), "Hero", APART)


def drawn() -> bpy.types.Object:
    """Return a control rig of no known family, drawn at random."""
    from tests.drawn_rigs import draw_rig

    return draw_rig(3).obj


RIGS: dict[str, Callable[[], bpy.types.Object]] = {
    "bones": lambda: build(biped(), "Hero"),
    "animated": animated,
    "rigify": rigs.rigify_human,
    "metarig": rigs.rigify_metarig,
    "leg ik": rigs.metarig_with_leg_ik,
    "drawn": drawn,
    "fbx": lambda: build(biped(arm_drop_deg=45.0), "Hero", rigs.fbx_matrix(40.0)),
    "other": other,
    "rooted": rooted,
    "no toes": lambda: build(biped(toes=False), "Hero"),
    "no names": lambda: build(rigs.renamed(biped()), "Hero"),
    "quadruped": lambda: build(rigs.quadruped(), "Hero"),
}


def write(folder: Path) -> None:
    """Write every rig into a file."""
    folder.mkdir(parents=True)
    for name, make in RIGS.items():
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        obj = make()
        obj.name = "Hero"
        rigs.make_active(obj)
        bpy.ops.wm.save_as_mainfile(filepath=str(folder / f"{name}.blend"))
