"""The four rigs that things happen to, each with something of the user's on it: an action, constraints,
drivers, a skin, a prop."""

from collections.abc import Iterable
from dataclasses import dataclass

import bpy
from mathutils import Vector

from tests import rigs

FINGER = rigs.Bone("LeftFinger", "LeftHand", (0.88, 0.015, 1.42), (0.95, 0.015, 1.42))
POUCH = rigs.Bone("Pouch", "Hips", (0.12, 0.1, 0.95), (0.12, 0.2, 0.95))


@dataclass(frozen=True)
class Character:
    """One rig: `free` are bones of the user's that no walk, clip or pose moves."""

    obj: bpy.types.Object
    free: tuple[str, ...]


def plain() -> Character:
    """Return a skeleton with a skin and an action of the user's, keyed at the hips and a finger."""
    obj = rigs.build([*rigs.biped(), FINGER, POUCH], "Hero")
    _skin(obj, ("LeftFoot", "Hips", "LeftFinger"))
    _action(obj, "hours of work", ("Hips", "LeftFinger"))
    return Character(obj, (FINGER.name, POUCH.name))


def rigify() -> Character:
    """Return a generated Rigify human with an action of the user's on a finger and the jaw."""
    obj = rigs.rigify_human()
    free = ("jaw_master", "f_index.01.L", "ear.L")
    _action(obj, "hours of work", free[:2])
    return Character(obj, free)


def controlled() -> Character:
    """Return a skeleton whose spine and arms copy FK controls of the rigger's, in a bone collection of their
    own; keys lie on these."""
    held = ("Spine1", "Spine2", "LeftArm", "LeftForeArm", "RightArm", "RightForeArm")
    bones = [*rigs.biped(arm_drop_deg=40.0), FINGER, POUCH]
    obj = rigs.build(
        [*bones, *(rigs.replace(bone, name=f"{bone.name}_ctl") for bone in bones if bone.name in held)],
        "Hero",
    )
    controls = obj.data.collections.new("Controls")
    for name in held:
        obj.data.bones[f"{name}_ctl"].use_deform = False
        controls.assign(obj.data.bones[f"{name}_ctl"])
        copy = obj.pose.bones[name].constraints.new("COPY_ROTATION")
        copy.name, copy.target, copy.subtarget = "FK", obj, f"{name}_ctl"
    obj.pose.bones["Spine1_ctl"].rotation_mode = "XYZ"
    _action(obj, "hours of work", ("Spine1_ctl", "LeftFinger"))
    return Character(obj, (FINGER.name, POUCH.name))


def constrained() -> Character:
    """Return Rigify's metarig, not generated, with leg IK of the user's and drivers on its influence, a
    finger and a custom property."""
    obj = rigs.metarig_with_leg_ik()
    obj.name = "Hero"
    obj["curl"] = 0.5
    for side in ("L", "R"):
        _drive(obj.pose.bones[f"shin.{side}"].constraints[-1].driver_add("influence"), obj, "1.0")
    _drive(obj.pose.bones["hand.L"].driver_add("location", 0), obj, "0.1 * curl")
    _skin(obj, ("foot.L", "spine"))
    limit = obj.pose.bones["spine.006"].constraints.new("LIMIT_ROTATION")
    limit.name = "NeuraRig keeps the head"
    return Character(obj, ("breast.L", "breast.R"))


CHARACTERS = {made.__name__: made for made in (plain, rigify, controlled, constrained)}


def fresh(kind: str) -> Character:
    """Return one of the rigs in a new file, with a prop and an actor whose clip can be taken beside it."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.preferences.edit.use_duplicate_action = False
    scene = bpy.context.scene
    scene.frame_end = 30
    own = bpy.data.collections.new("Characters")
    scene.collection.children.link(own)
    actor = rigs.build(rigs.biped(arm_drop_deg=30.0), "Actor")
    actor.location.x = 3.0
    _clip(actor)
    prop = bpy.data.objects.new("Prop", None)
    prop.location = (0.1, -2.5, 0.5)  # where an act can be done with it
    scene.collection.objects.link(prop)
    character = CHARACTERS[kind]()
    own.objects.link(character.obj)
    scene.collection.objects.unlink(character.obj)
    rigs.make_active(character.obj)
    bpy.ops.object.mode_set(mode="EDIT")  # Blender rounds rest matrices the first time
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    return character


def _action(obj: bpy.types.Object, name: str, bones: Iterable[str]) -> None:
    for bone in bones:
        for frame, value in ((1, 0.0), (20, 0.02)):
            obj.pose.bones[bone].location.y = value
            obj.pose.bones[bone].keyframe_insert("location", frame=frame)
    obj.animation_data.action.name = name
    bpy.context.scene.frame_set(1)


def _clip(actor: bpy.types.Object) -> None:
    """Key two steps on the spot."""
    for bone in ("LeftUpLeg", "RightUpLeg"):
        for frame, turn in ((1, 0.2), (10, -0.2), (20, 0.2)):
            actor.pose.bones[bone].rotation_quaternion = (
                1.0,
                turn if bone.startswith("Left") else -turn,
                0.0,
                0.0,
            )
            actor.pose.bones[bone].keyframe_insert("rotation_quaternion", frame=frame)
    actor.animation_data.action.name = "clip"
    actor.animation_data.action.use_fake_user = True


def _skin(obj: bpy.types.Object, bones: Iterable[str]) -> None:
    """Give a character a mesh of a triangle per bone, deformed by it."""
    mesh = bpy.data.meshes.new("Skin")
    heads = [obj.data.bones[bone].head_local for bone in bones]
    corners = [
        head + Vector(move)
        for head in heads
        for move in ((0.0, 0.0, 0.0), (0.05, 0.0, 0.0), (0.0, 0.05, 0.0))
    ]
    mesh.from_pydata(corners, [], [(3 * n, 3 * n + 1, 3 * n + 2) for n in range(len(heads))])
    skin = bpy.data.objects.new("Skin", mesh)
    bpy.context.scene.collection.objects.link(skin)
    skin.parent = obj
    skin.modifiers.new("Armature", "ARMATURE").object = obj
    for number, bone in enumerate(bones):
        skin.vertex_groups.new(name=bone).add(range(3 * number, 3 * number + 3), 1.0, "REPLACE")


def _drive(curve: bpy.types.FCurve, obj: bpy.types.Object, expression: str) -> None:
    """Drive a property by a simple expression in which `curl` is the object's custom property."""
    variable = curve.driver.variables.new()
    variable.name = "curl"
    variable.targets[0].id, variable.targets[0].data_path = obj, '["curl"]'
    curve.driver.expression = expression
