"""Our retarget of 1000 frames against what Blender offers: constraints between the rigs, the timeline
stepped, `nla.bake`; same run."""

from time import perf_counter

import bpy
import numpy as np
from mathutils import Matrix

from benchmarks.bake_speed import select, times
from benchmarks.handler_speed import new_scene
from benchmarks.table import Row, best_of
from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.character.read_character import read_character
from neurarig_addon.core.skeleton.roles import SIDES, sided
from tests import rigs

FIRST, LAST = 1, 1000
LIMIT = 10.0
VERTICES = 25_000  # what a film or game character has
GOLDEN_ANGLE = 2.39996
ARMS = {"shoulder": "clavicle", "upper_arm_fk": "upper_arm", "forearm_fk": "forearm", "hand_fk": "hand"}


def rows() -> list[Row]:
    """Measure FK bones against Copy Rotation constraints, and IK controls against constraints that hold them
    to the source's limbs."""
    return [
        fk_row("FK of a generated Rigify human", rigs.rigify_human),
        ik_row(),
        fk_row(f"a skinned character of {VERTICES} vertices", skinned_character),
    ]


def skinned_character() -> bpy.types.Object:
    """Return a human whose bones deform a mesh: rings around every bone, each vertex on two bones."""
    rig = rigs.build(rigs.biped(), "Target")
    bones = rig.data.bones
    count = VERTICES // len(bones)
    along, around = np.arange(count) / count, np.arange(count) * GOLDEN_ANGLE
    ring = np.stack([np.cos(around), np.zeros(count), np.sin(around)], axis=1) * 0.05
    local = [np.array(bone.matrix_local) for bone in bones]
    points = [
        (ring + np.outer(along * bone.length, [0.0, 1.0, 0.0])) @ matrix[:3, :3].T + matrix[:3, 3]
        for bone, matrix in zip(bones, local, strict=True)
    ]
    data = bpy.data.meshes.new("Skin")
    data.from_pydata(np.concatenate(points).tolist(), [], [])
    skin = bpy.data.objects.new("Skin", data)
    bpy.context.scene.collection.objects.link(skin)
    for number, bone in enumerate(bones):
        rows_of_bone = list(range(number * count, (number + 1) * count))
        skin.vertex_groups.new(name=bone.name)
        skin.vertex_groups[bone.name].add(rows_of_bone, 0.8, "REPLACE")
        if bone.parent:
            skin.vertex_groups[bone.parent.name].add(rows_of_bone, 0.2, "REPLACE")
    skin.parent = rig
    skin.modifiers.new("Armature", "ARMATURE").object = rig
    rigs.make_active(rig)
    return rig


def source_rig() -> tuple[bpy.types.Object, bpy.types.Action]:
    """Return a character with 1000 keyed frames on its own bones."""
    source = rigs.build(rigs.biped(), "Source", Matrix.Translation((3.0, 0.0, 0.0)))
    api.generate_walk(source, mode="TRAVEL", travel_with="BONE")
    action = api.bake_walk(source, frame_start=FIRST, frame_end=LAST, target="DEFORM")
    api.remove_walk(source)
    data = source.animation_data or source.animation_data_create()
    compat.assign(data, action, compat.suitable_slot(action, source))
    return source, action


def fk_row(name: str, make_target) -> Row:
    """Return how many times faster our retarget, contacts and all, is than Copy Rotation on the bones that it
    keys and a bake."""
    new_scene()
    source, action = source_rig()
    target = make_target()
    ours_s = retarget(target, source, action, "FK")
    bones = pairs(source, target)
    for ours, theirs in bones.items():
        copy = target.pose.bones[ours].constraints.new("COPY_ROTATION")
        copy.target, copy.subtarget = source, theirs
    theirs_s = nla_bake(target, set(bones))
    return Row(
        f"retarget of 1000 frames against Copy Rotation and nla.bake, {name}",
        theirs_s / ours_s,
        LIMIT,
        "x",
        True,
        times(ours_s, theirs_s),
    )


def ik_row() -> Row:
    """Return how many times faster our retarget to a generated Rigify's IK controls is than constraints that
    hold those to the source."""
    new_scene()
    source, action = source_rig()
    target = rigs.rigify_human()
    ours_s = retarget(target, source, action, "IK")
    theirs = read_character(source, bpy.context.scene).roles
    held = {"torso": "pelvis", "chest": theirs.spine()[-1], "neck": "neck", "head": "head"}
    for side in SIDES:
        held |= {f"{control}.{side}": sided(role, side) for control, role in ARMS.items()} | {
            f"foot_ik.{side}": sided("foot", side)
        }
        target.pose.bones[f"upper_arm_parent.{side}"]["IK_FK"] = 1.0
    for control, role in held.items():
        follow = target.pose.bones[control].constraints.new(
            "COPY_TRANSFORMS" if control == "torso" or "ik" in control else "COPY_ROTATION"
        )
        follow.target, follow.subtarget = source, theirs.get(role) or role
    theirs_s = nla_bake(target, set(held))
    name = "retarget of 1000 frames against constraints and nla.bake, IK controls of a generated Rigify human"
    return Row(name, theirs_s / ours_s, LIMIT, "x", True, times(ours_s, theirs_s))


def retarget(
    target: bpy.types.Object, source: bpy.types.Object, action: bpy.types.Action, controls: str
) -> float:
    """Return the seconds that our retarget takes: reading, encoding, contacts, solving, keys; the rig is
    afterwards as before."""
    seconds = best_of(
        lambda: api.retarget(target, source=source, action=action, controls=controls, check=False), repeats=3
    )
    api.remove_retarget(target)
    return seconds


def pairs(source: bpy.types.Object, target: bpy.types.Object) -> dict[str, str]:
    """Return the bones of both rigs that play the same role: target's -> source's."""
    ours, theirs = (read_character(obj, bpy.context.scene).roles for obj in (target, source))
    return {bone: theirs.bones[role] for role, bone in ours.bones.items() if theirs.has(role)}


def nla_bake(target: bpy.types.Object, bones: set[str]) -> float:
    """Return the seconds that Blender's bake of these bones takes."""
    select(target, bones)
    start = perf_counter()
    bpy.ops.nla.bake(
        frame_start=FIRST,
        frame_end=LAST,
        only_selected=True,
        visual_keying=True,
        bake_types={"POSE"},
        use_current_action=False,
    )
    return perf_counter() - start
