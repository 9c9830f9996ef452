"""Our retarget of 1000 frames against what Blender offers: constraints between the rigs, the timeline stepped, `nla.bake`; same run."""

from time import perf_counter

import bpy
from mathutils import Matrix

from benchmarks.bake_speed import select, times
from benchmarks.handler_speed import new_scene
from benchmarks.table import Row, best_of
from neurarig_addon.blender import api, compat
from neurarig_addon.blender.read_character import read_character
from neurarig_addon.core.roles import SIDES, sided
from tests import rigs

FIRST, LAST = 1, 1000
LIMIT = 10.0


def rows() -> list[Row]:
    """Measure FK bones against Copy Rotation constraints, and IK controls against constraints on hands' and feet's targets."""
    return [fk_row("a bare rig", lambda: rigs.build(rigs.biped(), "Target")), fk_row("generated Rigify", rigs.rigify_human), ik_row()]


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
    """Return how many times faster our retarget to FK bones is, contacts and all, than Copy Rotation on the same bones and a bake."""
    new_scene()
    source, action = source_rig()
    target = make_target()
    ours_s = retarget(target, source, action, "FK")
    bones = pairs(source, target)
    for ours, theirs in bones.items():
        copy = target.pose.bones[ours].constraints.new("COPY_ROTATION")
        copy.target, copy.subtarget = source, theirs
    copy_location(target, bones)
    theirs_s = nla_bake(target, set(bones))
    return Row(
        f"retarget of 1000 frames against Copy Rotation and nla.bake, {name}", theirs_s / ours_s, LIMIT, "x", True, times(ours_s, theirs_s)
    )


def ik_row() -> Row:
    """Return how many times faster our retarget to IK controls is than targets that copy the source's feet, on a rig with leg IK."""
    new_scene()
    source, action = source_rig()
    target = rigs.metarig_with_leg_ik()
    ours_s = retarget(target, source, action, "IK")
    bones = {ours: theirs for ours, theirs in pairs(source, target).items() if not ours.startswith(("thigh", "shin", "foot", "toe"))}
    character = read_character(source, bpy.context.scene)
    for ours, theirs in bones.items():
        copy = target.pose.bones[ours].constraints.new("COPY_ROTATION")
        copy.target, copy.subtarget = source, theirs
    copy_location(target, bones)
    for side in SIDES:
        follow = target.pose.bones[f"leg_target.{side}"].constraints.new("COPY_LOCATION")
        follow.target, follow.subtarget = source, character.roles.get(sided("foot", side)) or ""
        bones[f"leg_target.{side}"] = follow.subtarget
    theirs_s = nla_bake(target, set(bones))
    return Row(
        "retarget of 1000 frames against IK constraints and nla.bake, metarig", theirs_s / ours_s, LIMIT, "x", True, times(ours_s, theirs_s)
    )


def retarget(target: bpy.types.Object, source: bpy.types.Object, action: bpy.types.Action, controls: str) -> float:
    """Return the seconds that our retarget takes: reading, encoding, contacts, solving, keys; the rig is afterwards as before."""
    seconds = best_of(lambda: api.retarget(target, source=source, action=action, controls=controls, check=False), repeats=3)
    api.remove_retarget(target)
    return seconds


def pairs(source: bpy.types.Object, target: bpy.types.Object) -> dict[str, str]:
    """Return the bones of both rigs that play the same role: target's -> source's."""
    ours, theirs = (read_character(obj, bpy.context.scene).roles for obj in (target, source))
    return {bone: theirs.bones[role] for role, bone in ours.bones.items() if theirs.has(role)}


def copy_location(target: bpy.types.Object, bones: dict[str, str]) -> None:
    """Have the pelvis go where the source's does."""
    pelvis = read_character(target, bpy.context.scene).roles.get("pelvis") or ""
    copy = target.pose.bones[pelvis].constraints.new("COPY_LOCATION")
    constraint = target.pose.bones[pelvis].constraints[0]
    copy.target, copy.subtarget = constraint.target, bones[pelvis]


def nla_bake(target: bpy.types.Object, bones: set[str]) -> float:
    """Return the seconds that Blender's bake of these bones takes."""
    select(target, bones)
    start = perf_counter()
    bpy.ops.nla.bake(
        frame_start=FIRST, frame_end=LAST, only_selected=True, visual_keying=True, bake_types={"POSE"}, use_current_action=False
    )
    return perf_counter() - start
