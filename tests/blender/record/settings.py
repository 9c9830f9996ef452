"""Every setting changed by itself, under a live walk, clip and pose, and what it makes of bones, settings and panels."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import bpy

from neurarig_addon.blender import api
from tests.blender.leading import linked, sheet
from tests.blender.record.characters import hero, walker
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.blender.retargeting import actor
from tests.rigs import make_active

BY_CODE = {
    "report",
    "error",
    "preset",
    "profile",
    "base",
    "live",
    "file",
    "mapping",
    "name",
}  # texts, and what other scenarios turn on and off
SHARES = 6  # scenarios for the walk's settings
FRAMES = (8.5, 60)


def changed(settings: bpy.types.PropertyGroup) -> Iterator[tuple[str, Any]]:
    """Yield every setting with values that it could have instead, one after the other."""
    for prop in settings.bl_rna.properties:
        if prop.identifier in BY_CODE or prop.is_readonly or getattr(prop, "is_array", False):
            continue
        if prop.type == "BOOLEAN":
            yield prop.identifier, not getattr(settings, prop.identifier)
        elif prop.type == "FLOAT":
            yield prop.identifier, 0.7 * prop.soft_max + 0.3 * prop.soft_min if prop.soft_max < 1e5 else prop.default + 1.5
        elif prop.type == "INT":
            yield prop.identifier, prop.default + 3
        elif prop.type == "ENUM" and not prop.is_enum_flag:
            yield from ((prop.identifier, item.identifier) for item in prop.enum_items if item.identifier != prop.default)


def walk() -> bpy.types.PropertyGroup:
    return walker(speed=1.0, elbow_bend=5.0).neurarig.walk


def clip() -> bpy.types.PropertyGroup:
    source, _ = actor()
    obj = hero()
    api.link_retarget(obj, source=source)
    return obj.neurarig.retarget


def pose() -> bpy.types.PropertyGroup:
    obj = hero()
    api.pose_targets(obj, "LIMBS")
    obj.neurarig.neural_pose.targets[0].object.location.z += 0.1
    return obj.neurarig.neural_pose


def target() -> bpy.types.PropertyGroup:
    obj = walker()
    api.pose_targets(obj, ["wrist.L"])
    item = obj.neurarig.neural_pose.targets[0]
    item.object.location.z += 0.2
    return item


def each(make: Callable[[], bpy.types.PropertyGroup], share: int, shares: int, seen: Seen) -> None:
    """Change every so-manieth setting and back; what it refuses, and where the bones are meanwhile."""
    settings = make()
    for number, (name, value) in enumerate(list(changed(settings))):
        if number % shares == share:
            before = getattr(settings, name)
            seen.ask(partial(setattr, settings, name, value))
            here = f"{name} {value} "
            seen.bones(here, FRAMES)
            seen.settings(here)
            seen.panels(here)
            seen.ask(partial(setattr, settings, name, before))
    seen.bones("after ", FRAMES)


def keyed(seen: Seen) -> None:
    """Key and drive sliders of a walk, and bake it."""
    obj = walker()
    own = obj.neurarig.walk
    for name, values in {"speed": (0.5, 1.6), "energy": (-0.5, 0.8), "facing": (0.0, 90.0), "influence": (1.0, 0.4)}.items():
        for frame, value in zip((1, 30), values, strict=True):
            setattr(own, name, value)
            own.keyframe_insert(name, frame=frame)
    driver = own.driver_add("lean").driver
    driver.expression = "frame * 0.1"
    bpy.context.scene.frame_set(1)
    seen.look(1, 12, 25, 50)
    seen.ask(api.bake_walk, obj, frame_start=1, frame_end=20)
    own.live = True
    seen.ask(partial(setattr, own, "whole_frames", True))
    own.driver_remove("lean")
    own.keyframe_insert("layer_weight", frame=5)
    own.speed = 2.0
    own.keyframe_insert("speed", frame=90)
    bpy.context.scene.frame_set(3)
    seen.look(1, 12, 25, 50, 95)


def pointed(seen: Seen) -> None:
    """Choose and take away everything that a walk may point at."""
    obj = walker()
    own = obj.neurarig.walk
    thing = linked("Thing", None)
    thing.location = (1.0, -3.0, 1.0)
    ground = sheet("Hill", lambda x, _y: 0.05 * x, reach=4.0, cells=8)
    for frame in (1, 40):
        thing.location.x += 0.5
        thing.keyframe_insert("location", frame=frame)
    collection = bpy.data.collections.new("Grounds")
    bpy.context.scene.collection.children.link(collection)
    collection.objects.link(ground)
    for name, value in {
        "look_at": thing,
        "face": thing,
        "stand_on": thing,
        "ground": ground,
        "ground_collection": collection,
        "path": thing,
    }.items():
        for given in (value, None):
            setattr(own, name, given)
            seen.bones(f"{name} {given is None} ", FRAMES)
            seen.panels(f"{name} {given is None} ")
    own.look_at, own.ground = thing, ground
    bpy.data.objects.remove(thing)
    bpy.context.view_layer.update()
    seen.look()
    bpy.data.objects.remove(ground)
    bpy.context.view_layer.update()
    seen.look()
    own.mode = "PATH"
    seen.look()
    make_active(obj)
    seen.ask(api.remove_walk, obj)


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {
        **{f"walk {share}": partial(each, walk, share, SHARES) for share in range(SHARES)},
        **{f"clip {share}": partial(each, clip, share, 2) for share in range(2)},
        "pose": partial(each, pose, 0, 1),
        "target": partial(each, target, 0, 1),
        "keyed": keyed,
        "pointed": pointed,
    }
