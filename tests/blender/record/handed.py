"""Poses flipped, mirrored, handed to others, kept as assets and put between keys; poses in which characters stand instead of at rest."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import patch

import bpy

from neurarig_addon.blender import api
from neurarig_addon.blender.neural_pose import pose_api
from neurarig_addon.core.errors import NeuraRigError
from tests.blender.leading import linked
from tests.blender.record.characters import RIGS, hero
from tests.blender.record.clips import short
from tests.blender.record.poses import move
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.rigs import make_active

UPRIGHT = {"LeftArm": 0.6, "RightArm": -0.6}
LYING = {"Hips": 1.5}


def _with_targets(make: str, name: str) -> bpy.types.Object:
    obj = RIGS[make]()
    obj.name = name
    make_active(obj)
    api.pose_targets(obj, "MAIN")
    return obj


def _only(*chosen: bpy.types.Object) -> None:
    """Select some objects, the last of them active."""
    make_active(chosen[-1])
    for obj in chosen:
        obj.select_set(True)


def poses(make: str, seen: Seen) -> None:
    """Flip, mirror and copy a pose by buttons, with targets of the character's own and with one that follows something else."""
    obj, other = _with_targets(make, "Hero"), _with_targets("other", "Other")
    cup = linked("Cup", None)
    move(obj)
    for name, given in (
        ("flip_pose", {}),
        ("mirror_pose", {"side": "L"}),
        ("flip_pose", {}),
        ("mirror_pose", {"side": "R"}),
        ("copy_pose", {}),
    ):
        _only(cup, other, obj)
        seen.press(name, **given)
        seen.look(1)
    cup.location = obj.neurarig.neural_pose.targets[0].object.matrix_world.translation
    point = next(item.point for item in obj.neurarig.neural_pose.targets if item.point == "wrist.L")
    seen.ask(api.choose_target, obj, point, cup)
    for call, given in (
        (api.flip_pose, ()),
        (api.mirror_pose, ("R",)),
        (api.mirror_pose, ("LEFT",)),
        (api.copy_pose, ([other],)),
        (api.copy_pose, ([obj],)),
        (api.copy_pose, ([],)),
        (api.copy_pose, ([other, hero()],)),
    ):
        seen.ask(call, obj, *given)
        seen.look(1)
    _only(other, obj)
    seen.press("flip_pose")
    seen.press("copy_pose")
    seen.look(1)


def between(make: str, seen: Seen) -> None:
    """Key poses between others, before and after all keys, at shares within and beyond; make assets; fail on the way."""
    obj = _with_targets(make, "Hero")
    scene = bpy.context.scene
    for frame, share in ((1, 0.0), (10, 1.0), (21, -1.0)):
        scene.frame_set(frame)
        move(obj, share)
        seen.ask(api.key_pose, obj)
    for frame, share in ((5, 0.5), (14, 0.25), (18, 1.2), (1, 0.5), (21, 0.5), (40, 0.5)):
        scene.frame_set(frame)
        make_active(obj)
        seen.press("in_between", share=share)
        seen.look(frame, 3, 16)
        seen.note("frame", scene.frame_current)

    def refuse(*_: Any) -> None:
        raise NeuraRigError("It cannot be.")

    scene.frame_set(12, subframe=0.5)
    for name in ("require_one_piece", "require_keyable"):
        with patch.object(pose_api, name, refuse):
            seen.ask(api.in_between, obj, 0.7)
        seen.look(12.5)
        seen.note("live", obj.neurarig.neural_pose.live)
    seen.press("pose_asset", name="Reach")
    seen.ask(api.pose_asset, obj, "Reach")
    seen.look(12.5)
    obj.neurarig.neural_pose.live = False
    seen.ask(api.in_between, obj, 0.5)
    for call in (api.flip_pose, partial(api.pose_asset, name="Paused")):
        seen.ask(getattr(call, "func", call), obj, **getattr(call, "keywords", {}))
    seen.look(12.5)
    seen.ask(api.remove_targets, obj)
    for call in (api.flip_pose, api.mirror_pose, api.in_between):
        seen.ask(call, obj)
    seen.ask(api.pose_asset, obj, "Free")
    seen.ask(api.copy_pose, obj, [_with_targets("other", "Other")])
    seen.look(1)


def stands(make: str, seen: Seen) -> None:
    """Choose poses to stand in, upright and not, use them for walk, clip and targets, damage what is kept of them, and let them go."""
    source, action = short()
    obj = RIGS[make]()

    def turn(wanted: dict[str, float]) -> None:
        for bone, angle in wanted.items():
            obj.pose.bones[bone].rotation_mode = "XYZ"
            obj.pose.bones[bone].rotation_euler = (angle, 0.0, 0.3 * angle)
        bpy.context.view_layer.update()

    make_active(obj)
    for wanted in (LYING, {"Hips": 0.0}, UPRIGHT):
        turn(wanted)
        seen.press("use_current_pose")
        seen.note("stands", obj.neurarig.reference)
        seen.panels(str(wanted))
    turn(dict.fromkeys(UPRIGHT, 0.0))
    uses: tuple[tuple[Callable[..., Any], dict[str, Any], Callable[..., Any]], ...] = (
        (api.generate_walk, {"use_network": False, "mode": "TRAVEL"}, api.remove_walk),
        (api.retarget, {"source": source, "action": action, "frame_start": 5}, api.remove_retarget),
        (api.pose_targets, {}, api.remove_targets),
    )
    for call, given, off in uses:
        seen.ask(call, obj, **given)
        make_active(obj)
        for name in ("use_current_pose", "use_rest_pose"):
            seen.press(name)
        seen.look(1, 9)
        seen.ask(off, obj)
    kept = obj.neurarig.reference
    stored = json.loads(kept)
    first = next(iter(stored))
    for name, wrong in {
        "no JSON": kept[:-1],
        "a bone less": json.dumps({bone: row for bone, row in stored.items() if bone != first}),
        "short": json.dumps(stored | {first: stored[first][1:]}),
        "flat": json.dumps(stored | {first: [0.0] * 12}),
        "not a number": kept.replace("[", "[NaN, ", 1).replace(", ", " ", 1),
        "upside down": json.dumps({bone: [-value for value in row] for bone, row in stored.items()}),
    }.items():
        obj.neurarig.reference = wrong
        seen.ask(api.generate_walk, obj, use_network=False)
        seen.note(name, obj.neurarig.walk.live)
        seen.panels(name)
    obj.neurarig.reference = kept
    make_active(obj)
    for _ in range(2):
        seen.press("use_rest_pose")
        seen.look(1)
    obj.pose.bones["Head"].location.x = float("nan")
    bpy.context.view_layer.update()
    seen.ask(api.use_current_pose, obj)
    obj.pose.bones["Head"].location.x = 0.0
    bpy.ops.object.mode_set(mode="EDIT")
    for call in (api.use_current_pose, api.use_rest_pose):
        seen.ask(call, obj)
    bpy.ops.object.mode_set(mode="OBJECT")
    seen.ask(api.use_current_pose, source)
    seen.look(1)


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {
        **{f"poses of {make}": partial(poses, make) for make in ("animated", "drawn 3")},
        **{f"between keys of {make}": partial(between, make) for make in ("animated", "leg ik")},
        **{f"{make} in a pose": partial(stands, make) for make in ("animated", "no toes")},
    }
