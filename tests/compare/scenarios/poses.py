"""Poses after targets, alone and above walks and clips; hand poses; recorded points; poses copied and
mirrored."""

from functools import partial
from typing import Any

import bpy

from neurarig_addon.blender import api
from tests.blender.leading import linked
from tests.blender.reaching import SITUATIONS
from tests.compare.scenarios import Scenario
from tests.compare.scenarios.clips import actor
from tests.compare.scenarios.walks import each_changed, walker
from tests.compare.seen import Seen

MOVES = {
    "wrist.L": (0.1, -0.2, 0.2),
    "ankle.R": (0.0, -0.2, 0.1),
    "pelvis": (0.0, 0.0, -0.08),
    "head": (0.1, 0.0, 0.0),
}
SETS = {
    "main of animated": ("animated", "MAIN", {}),
    "main of rigify": ("rigify", "MAIN", {}),
    "limbs of metarig": ("metarig", "LIMBS", {}),
    "main of drawn": ("drawn", "MAIN", {}),
    "full of rooted": ("rooted", "FULL", {}),
    "main of fbx in ik": ("fbx", "MAIN", {"controls": "IK"}),
}


def move(obj: bpy.types.Object, share: float = 1.0) -> None:
    """Drag targets."""
    for item in obj.neurarig.neural_pose.targets:
        if item.point in MOVES and item.object is not None:
            item.object.location = [
                a + share * b for a, b in zip(item.object.location, MOVES[item.point], strict=True)
            ]
    bpy.context.view_layer.update()


def posed(rig: str, points: str, given: dict[str, Any], seen: Seen) -> None:
    """Give a character targets, drag them, key, and take them off."""
    obj = seen.open(rig)
    seen.ask(api.pose_targets, obj, points, **given)
    seen.look(1)
    move(obj)
    seen.look(1)
    seen.ask(api.key_pose, obj)
    seen.ask(api.snap_targets, obj)
    seen.ask(api.remove_targets, obj, [obj.neurarig.neural_pose.targets[0].point])
    seen.look(1)
    seen.ask(api.remove_targets, obj)
    seen.look(1)


def settings(seen: Seen) -> None:
    """Change every setting of a pose."""
    obj = seen.open("bones")
    seen.ask(api.pose_targets, obj, "LIMBS")
    move(obj)
    each_changed(obj.neurarig.neural_pose, seen)


def ranged(seen: Seen) -> None:
    """Key targets, solve a range, choose things as targets, with weights and locks, and write a pose."""
    obj = seen.open("animated")
    seen.ask(api.pose_targets, obj, "LIMBS")
    for frame, share in ((1, 0.0), (6, 1.0), (11, -1.5)):
        bpy.context.scene.frame_set(frame)
        move(obj, share)
        for item in obj.neurarig.neural_pose.targets:
            item.object.keyframe_insert("location", frame=frame)
    seen.look(1, 4.5, 9)
    cup = linked("Cup", None)
    cup.location = (0.5, -0.4, 1.2)
    for point, thing, bone, more in (
        ("wrist.R", cup, "", {"weight": 0.5, "lock": True}),
        ("nose", cup, "", {}),
        ("head", obj, "Head", {}),
        ("head", cup, "Bone", {}),
    ):
        seen.ask(api.choose_target, obj, point, thing, bone, **more)
        seen.look(1, 4.5)
    seen.ask(api.solve_range, obj, 1, 8)
    seen.ask(api.export_pose, obj, seen.folder / "pose.npz", 1, 3)
    for first, last in ((8, 1), (1, 10**8), (1.5, 3)):
        seen.ask(api.solve_range, obj, first, last)
    seen.look(1, 4.5, 9)


def reaching(situation: str, rig: str, seen: Seen) -> None:
    """Have hands held over a walk, look, bake and remove."""
    obj = walker(seen, rig, speed=1.0)
    SITUATIONS[situation](obj)
    seen.look(1, 6, 12.5, 22)
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=8)
    seen.look(1, 6)
    seen.ask(api.remove_walk, obj)
    seen.look(6)


def over_clip(seen: Seen) -> None:
    """Hold a hand over a linked clip, and bake it."""
    obj = seen.open("other")
    source, _ = actor(obj)
    seen.ask(api.link_retarget, obj, source=source)
    bpy.context.scene.frame_set(20)
    seen.ask(api.pose_targets, obj, ["wrist.R", "head"])
    move(obj, 0.3)
    seen.look(5, 20)
    seen.ask(api.retarget, obj, source=source)
    seen.look(5, 20)


def recorded(seen: Seen) -> None:
    """Solve the points of a moving character and of things that move."""
    obj = seen.open("other")
    source, action = actor(obj)
    seen.ask(api.encode_action, source, seen.folder / "clip.npz", action)
    for given in (
        {"file": seen.folder / "clip.npz", "noise": 5.0},
        {"source": source, "frame_start": 5, "frame_end": 14},
        {"source": obj},
        {"file": seen.folder / "none.csv"},
        {"source": source, "wings": 1},
    ):
        seen.ask(api.solve_clip, obj, **given)
        seen.look(5, 10)


def handed(seen: Seen) -> None:
    """Mirror, flip, copy and average poses, as they are and for the rest pose; shape hands."""
    obj = seen.open("rigify")
    arm, leg = obj.pose.bones["upper_arm_fk.L"], obj.pose.bones["thigh_fk.R"]
    arm.rotation_quaternion = (0.9, 0.1, 0.3, 0.2)
    leg.rotation_quaternion = (0.95, 0.2, 0.0, 0.1)
    bpy.context.view_layer.update()
    seen.ask(api.detect_rig, obj)
    for call in (api.mirror_pose, api.flip_pose):
        seen.ask(call, obj)
        seen.look(1)
    seen.ask(api.pose_hands, obj)
    seen.look(1)
    seen.ask(api.use_current_pose, obj)
    seen.ask(api.generate_walk, obj, use_network=False)
    seen.look(1, 9)
    seen.ask(api.use_rest_pose, obj)
    seen.look(1, 9)


def cases() -> dict[str, Scenario]:
    """Return the scenarios by name."""
    return {
        **{name: partial(posed, *of) for name, of in SETS.items()},
        "settings": settings,
        "ranged": ranged,
        **{f"{name} over a walk": partial(reaching, name, "bones") for name in SITUATIONS},
        "point over a walk of drawn": partial(reaching, "point", "drawn"),
        "over a clip": over_clip,
        "recorded": recorded,
        "handed": handed,
    }
