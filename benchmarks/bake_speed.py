"""Our bakes against Blender's own `nla.bake` of the same 250 frames, in the same run."""

from functools import partial
from time import process_time

import bpy

from benchmarks.handler_speed import new_scene
from benchmarks.table import Row, best_of
from neurarig_addon.blender import api
from tests import rigs
from tests.animals import dog

FIRST, LAST = 1, 250


def rows() -> list[Row]:
    """Measure controls on four rigs, and deform bones on Rigify."""
    return [
        controls_row("generated Rigify human", rigs.rigify_human, 70.0),
        controls_row("metarig with two IK constraints", rigs.metarig_with_leg_ik, 12.0),
        controls_row("generated Rigify quadruped", partial(rigs.rigify_animal, "basic_quadruped"), 40.0),
        controls_row("dog", dog, 7.0),  # as of a person as plain: Blender's bake has little to evaluate
        deform_row(),
    ]


def controls_row(name: str, make_rig, limit: float) -> Row:
    """Return how many times faster the dense bake of the controls is; `nla.bake` keys the same bones from the
    same motion."""
    new_scene()
    rig = make_rig()
    api.generate_walk(rig)
    ours_s = best_of(lambda: bake(rig, "CONTROLS"), repeats=5)
    select(rig, keyed_bones(rig.animation_data.action))
    theirs_s = nla_bake(visual=False)
    return Row(
        f"controls of 250 frames against nla.bake, {name}",
        theirs_s / ours_s,
        limit,
        "x",
        True,
        times(ours_s, theirs_s),
    )


def deform_row() -> Row:
    """Return how many times faster the bake of the deform bones is than `nla.bake` with visual keying of the
    same bones."""
    new_scene()
    rig = rigs.rigify_human()
    api.generate_walk(rig)
    ours_s = best_of(lambda: bake(rig, "DEFORM"), repeats=3)
    bones = keyed_bones(rig.animation_data.action)
    api.resume_walk(rig)
    bake(rig, "CONTROLS")
    select(rig, bones)
    theirs_s = nla_bake(visual=True)
    return Row(
        "deform bones of 250 frames against nla.bake, Rigify",
        theirs_s / ours_s,
        1.5,
        "x",
        True,
        times(ours_s, theirs_s),
    )


def bake(rig: bpy.types.Object, target: str) -> None:
    """Bake a walk that is live, or that was baked before."""
    api.bake_walk(rig, frame_start=FIRST, frame_end=LAST, target=target)


def keyed_bones(action: bpy.types.Action) -> set[str]:
    """Return the bones that an action moves."""
    if hasattr(action, "layers"):
        curves = [
            curve for strip in action.layers[0].strips for bag in strip.channelbags for curve in bag.fcurves
        ]
    else:
        curves = list(action.fcurves)
    return {curve.data_path.split('"')[1] for curve in curves if curve.data_path.startswith("pose.bones")}


def select(rig: bpy.types.Object, bones: set[str]) -> None:
    """Select some bones in pose mode, and no others."""
    rigs.make_active(rig)
    bpy.ops.object.mode_set(mode="POSE")
    for collection in rig.data.collections_all:
        collection.is_visible = True
    for bone in rig.pose.bones:
        owner = bone if hasattr(bone, "select") else bone.bone
        bone.bone.hide = False
        owner.select = bone.name in bones


def nla_bake(visual: bool) -> float:
    """Return the seconds that Blender's bake of the selected bones takes, the better of two."""
    options = {
        "frame_start": FIRST,
        "frame_end": LAST,
        "only_selected": True,
        "visual_keying": visual,
        "bake_types": {"POSE"},
    }
    seconds = []
    for _ in range(2):
        start = process_time()
        bpy.ops.nla.bake(use_current_action=False, **options)
        seconds.append(process_time() - start)
    return min(seconds)


def times(ours_s: float, theirs_s: float) -> str:
    """Return both times in words."""
    return f"{1e3 * ours_s:.1f} ms against {1e3 * theirs_s:.0f} ms"
