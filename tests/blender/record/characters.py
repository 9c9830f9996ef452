"""The characters of the record, each a small rig made by code: bones alone, a Rigify human, plain IK, drawn control rigs."""

from collections.abc import Callable
from typing import Any

import bpy
from mathutils import Matrix

from neurarig_addon.blender import api
from tests import rigs
from tests.blender.retargeting import other_build
from tests.drawn_rigs import draw_rig

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
    "no toes": lambda: rigs.build(rigs.biped(toes=False), "Hero"),
    "no names": lambda: rigs.build(rigs.renamed(rigs.biped()), "Hero"),
}


def walker(make: str = "bones", **settings: Any) -> bpy.types.Object:
    """Return one that walks plainly through the scene."""
    obj = RIGS[make]()
    api.generate_walk(obj, **{"use_network": False, "mode": "TRAVEL", "speed": 1.2, **settings})
    return obj
