"""Poses after targets: sets, chosen objects and bones, locks, weights, keys, ranges, recordings; what is refused, and the way back."""

from functools import partial
from typing import Any

import bpy
import numpy as np

from neurarig_addon.blender import api
from neurarig_addon.blender.neural_pose import api as pose_api
from tests.blender.leading import linked
from tests.blender.posing import STRIDE, turn_bones
from tests.blender.record.characters import RIGS
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.blender.recording import points_of, write_csv
from tests.blender.retargeting import actor
from tests.rigs import make_active

MOVES = {"wrist.L": (0.1, -0.2, 0.2), "ankle.R": (0.0, -0.2, 0.1), "pelvis": (0.0, 0.0, -0.08), "head": (0.1, 0.0, 0.0)}


SETS = (("animated", "MAIN"), ("rigify", "MAIN"), ("metarig", "LIMBS"), ("drawn 3", "MAIN"), ("fbx", "MAIN"), ("rooted", "FULL"))


def move(obj: bpy.types.Object, share: float = 1.0) -> None:
    """Drag targets."""
    for item in obj.neurarig.neural_pose.targets:
        if item.point in MOVES and item.object is not None:
            item.object.location = [a + share * b for a, b in zip(item.object.location, MOVES[item.point], strict=True)]
    bpy.context.view_layer.update()


def posed(make: str, points: str, seen: Seen, **given: Any) -> None:
    """Give a character targets, drag them, key, and take them off."""
    obj = RIGS[make]()
    make_active(obj)
    seen.ask(api.pose_targets, obj, points, **given)
    seen.look(1)
    move(obj)
    seen.look(1)
    seen.note("missed", pose_api.missed_targets(obj))
    seen.ask(api.key_pose, obj)
    seen.ask(api.snap_targets, obj)
    seen.look(1)
    seen.ask(api.remove_targets, obj, [obj.neurarig.neural_pose.targets[0].point])
    seen.look(1)
    seen.ask(api.remove_targets, obj)
    seen.look(1)


def chosen(seen: Seen) -> None:
    """Choose objects and bones as targets, with weights and locks, and choose wrongly."""
    obj = RIGS["animated"]()
    cup = linked("Cup", None)
    cup.location = (0.5, -0.4, 1.2)
    other = RIGS["other"]()
    make_active(obj)
    seen.ask(api.choose_target, obj, "wrist.R", cup, weight=0.5, lock=False)
    seen.look(1)
    seen.ask(api.choose_target, obj, "wrist.L", other, "LeftHand", lock=True)
    seen.look(1)
    for point, thing, bone in (
        ("nose", cup, ""),
        ("head", obj, ""),
        ("head", other, "Nobody"),
        ("head", obj, "Head"),
        ("head", cup, "Bone"),
    ):
        seen.ask(api.choose_target, obj, point, thing, bone)
    cup.location.z = 1.4
    bpy.context.view_layer.update()
    seen.look(1)
    own = obj.neurarig.neural_pose
    for item in own.targets:
        for name, value in (("weight", 0.2), ("lock", True), ("weight", 1.0)):
            setattr(item, name, value)
            seen.bones(f"{item.point} {name} {value}", (1,))
            seen.panels(f"{item.point} {name} {value}")
    seen.ask(api.remove_targets, obj, ["wrist.L"], keep_pose=True)
    bpy.data.objects.remove(cup)
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(2)
    seen.look(2)
    seen.ask(api.remove_targets, obj, keep_pose=True)
    seen.look(2)


def ranged(seen: Seen) -> None:
    """Key targets, solve a range, single poses and by the buttons; noise, steady, base pose."""
    obj = RIGS["animated"]()
    turn_bones(obj, STRIDE)
    make_active(obj)
    scene = bpy.context.scene
    seen.ask(api.solve_range, obj)
    seen.press("pose_targets", point_set="LIMBS")
    seen.ask(api.solve_range, obj, 1, 5)
    for frame, share in ((1, 0.0), (6, 1.0), (11, -1.5)):
        scene.frame_set(frame)
        move(obj, share)
        for item in obj.neurarig.neural_pose.targets:
            item.object.keyframe_insert("location", frame=frame)
    seen.look(1, 4.5, 9)
    seen.ask(api.solve_range, obj, 1, 8)
    seen.look(1, 4.5, 9)
    own = obj.neurarig.neural_pose
    own.live = True
    for name, value in (("noise", 20.0), ("steady", True), ("keep_base", False)):
        setattr(own, name, value)
        seen.look(2, 7)
    seen.press("solve_range", frame_start=2, frame_end=6)
    own.live = True
    scene.frame_set(4)
    seen.press("solve_pose", key=True)
    seen.press("snap_targets")
    seen.press("export_pose", filepath=str(seen.folder / "pose.npz"), frame_start=1, frame_end=4)
    seen.note("exported", dict(np.load(seen.folder / "pose.npz")))
    seen.look(1, 4, 8)
    for first, last in ((8, 1), (1, 10**8), (1.5, 3)):
        seen.ask(api.solve_range, obj, first, last)
    for name in ("pose.txt", "none/pose.npz"):
        seen.ask(api.export_pose, obj, seen.folder / name, 1, 3)
    seen.press("remove_targets")
    seen.look(1, 4)


def recorded(seen: Seen) -> None:
    """Solve recorded points of files, of a collection and of an armature, and what is none."""
    source, _ = actor()
    points = points_of(source, range(5, 30))
    two = write_csv(seen.folder / "two.csv", points, two_rows=True)
    one = write_csv(seen.folder / "one.csv", points)
    collection = bpy.data.collections.new("Markers")
    bpy.context.scene.collection.children.link(collection)
    obj = RIGS["other"]()
    make_active(obj)
    seen.ask(api.solve_clip, obj, file=one)
    seen.look(1, 8, 20)
    seen.ask(api.solve_clip, obj, file=two, contacts=False, resize=False, mend=False, frame_start=4, controls="IK")
    seen.look(5, 20)
    seen.ask(api.remove_targets, obj)
    seen.ask(api.solve_clip, obj, source=source, frame_start=5, frame_end=14, noise=10.0)
    seen.look(5, 10)
    for given in (
        {},
        {"file": seen.folder / "none.csv"},
        {"file": one, "source": source},
        {"source": obj},
        {"collection": collection},
        {"file": one, "mapping": "wrist"},
        {"file": one, "mapping": {"wrist.L": "Nobody"}},
        {"file": one, "noise": -1.0},
        {"wings": 1},
        {"source": source, "frame_start": 9, "frame_end": 2},
    ):
        seen.ask(api.solve_clip, obj, **given)
    seen.press("solve_clip", file=str(one), mapping="head=Actor:head", noise=2.0)
    seen.press("solve_clip", source="Nobody")
    seen.press("solve_clip", source="Actor", frame_start=5, frame_end=9)
    seen.look(5, 10)


def refused(seen: Seen) -> None:
    """Ask for poses that cannot be."""
    obj = RIGS["bones"]()
    for points in ("ALL", [], ["nose"], ["wrist.L", "tail"]):
        seen.ask(api.pose_targets, obj, points)
    seen.ask(api.pose_targets, obj, controls="HANDS")
    for call in (api.solve_pose, api.key_pose, api.snap_targets, api.remove_targets, pose_api.missed_targets, api.solve_range):
        seen.ask(call, obj)
    seen.look(1)
    seen.ask(api.pose_targets, obj, "FULL")
    item = obj.neurarig.neural_pose.targets[0]
    bpy.data.objects.remove(item.object)
    bpy.context.scene.frame_set(3)
    seen.look(1)
    seen.ask(api.pose_targets, obj, "FULL", keep=False)
    seen.look(1)
    obj.neurarig.neural_pose.live = False
    move(obj)
    seen.look(1)
    seen.ask(api.solve_pose, obj)
    seen.look(1)
    seen.ask(api.generate_walk, obj)
    path = str(seen.folder / "a.blend")
    obj.neurarig.neural_pose.live = True
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    seen.look(1)


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {
        **{f"{points} of {make}": partial(posed, make, points) for make, points in SETS},
        **{f"ik of {make}": partial(posed, make, "MAIN", controls="IK") for make in ("bones", "rooted")},
        "chosen": chosen,
        "ranged": ranged,
        "recorded": recorded,
        "refused": refused,
    }
