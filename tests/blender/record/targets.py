"""Targets above walks and clips: carried, held for a while, turned, removed, baked; on several rigs."""

from functools import partial

import bpy

from neurarig_addon.blender import api
from neurarig_addon.blender.neural_pose import api as pose_api
from tests.blender.reaching import SITUATIONS, target_of
from tests.blender.record.characters import RIGS, walker
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.blender.retargeting import actor
from tests.rigs import make_active

FRAMES = (1, 6, 12.5, 22)


def reaching(situation: str, make: str, seen: Seen) -> None:
    """Have hands held over a walk, look, bake and remove."""
    obj = walker(make, speed=1.0)
    SITUATIONS[situation](obj)
    seen.look(*FRAMES)
    seen.note("missed", pose_api.missed_targets(obj))
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=8)
    seen.look(*FRAMES[:2])
    obj.neurarig.walk.live = True
    seen.look(*FRAMES[:2])
    seen.ask(api.remove_walk, obj)
    seen.look(*FRAMES[:2])


def made(seen: Seen) -> None:
    """Create targets of hands, chest and head over a walk; turn, weigh, ease, snap and remove them."""
    obj = walker("animated")
    bpy.context.scene.frame_set(5)
    seen.press("pose_targets", point_set="LIMBS")
    seen.look(*FRAMES)
    seen.ask(api.pose_targets, obj, ["chest", "head"])
    for item in obj.neurarig.neural_pose.targets:
        item.object.location.z += 0.05
        item.object.rotation_euler.x += 0.4
    bpy.context.view_layer.update()
    seen.look(*FRAMES)
    for item in obj.neurarig.neural_pose.targets:
        item.turn, item.weight, item.use_range, item.frame_start, item.frame_end, item.ease = 0.7, 0.8, True, 4.0, 9.0, 4.0
    seen.look(*FRAMES)
    seen.ask(api.snap_targets, obj)
    seen.look(*FRAMES)
    seen.ask(api.choose_target, obj, "wrist.L", obj, "Head")
    seen.ask(api.choose_target, obj, "ankle.L", target_of(obj, "wrist.R"))
    seen.ask(api.remove_targets, obj, ["chest"])
    seen.look(*FRAMES)
    for call in (api.solve_pose, api.key_pose, api.solve_range):
        seen.ask(call, obj)
    bpy.data.objects.remove(target_of(obj, "wrist.L"))
    bpy.context.scene.frame_set(7)
    seen.look(*FRAMES)
    seen.press("remove_targets")
    seen.look(*FRAMES)


def over_clip(seen: Seen) -> None:
    """Hold a hand over a linked clip, and bake it."""
    source, _ = actor()
    obj = RIGS["other"]()
    make_active(obj)
    seen.ask(api.link_retarget, obj, source=source)
    bpy.context.scene.frame_set(20)
    seen.ask(api.pose_targets, obj, ["wrist.R", "head"])
    target_of(obj, "wrist.R").location.z += 0.1
    bpy.context.view_layer.update()
    seen.look(5, 20, 40)
    seen.ask(api.retarget, obj, source=source)
    seen.look(5, 20, 40)
    seen.ask(api.remove_retarget, obj)
    seen.look(5, 20)


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    ways = (*((name, "bones") for name in SITUATIONS), ("wave", "other"), ("point", "drawn 3"))
    return {**{f"{name} on {make}": partial(reaching, name, make) for name, make in ways}, "made": made, "over a clip": over_clip}
