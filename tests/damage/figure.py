"""The character that damaged files are tried on in Blender."""

from collections.abc import Callable
from functools import cache

import bpy

import neurarig_addon
from neurarig_addon.blender import api
from tests.blender.retargeting import actor
from tests.rigs import biped, build, make_active

BEGIN: dict[str, Callable[[bpy.types.Object], object]] = {
    "walk": lambda obj: api.generate_walk(obj, use_network=False),
    "styled": lambda obj: api.generate_walk(obj, styles={"Sad": 1.0}),
    "profile": lambda obj: (api.generate_walk(obj), api.use_profile(obj, "Plain Biped")),
    "clip": lambda obj: api.retarget(obj, source=bpy.data.objects["Actor"]),
    "link": lambda obj: api.link_retarget(obj, source=bpy.data.objects["Actor"]),
    "pose": lambda obj: api.pose_targets(obj, ["wrist.L"]),
}


@cache
def addon() -> None:
    """Register the add-on, once."""
    neurarig_addon.register()


def character(begin: str) -> bpy.types.Object:
    """Return a character with an action of its own in a new file, attached in some way."""
    addon()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    if begin in ("clip", "link"):
        actor()
    obj = build(biped(), "Hero")
    obj.pose.bones["LeftArm"].keyframe_insert("rotation_quaternion", frame=3)
    BEGIN[begin](obj)
    make_active(obj)
    return obj


def walking() -> bpy.types.Object:
    """Return a character that walks, made anew where the last preset has stopped it."""
    obj = bpy.data.objects.get("Hero") if addon() is None else None
    return (
        obj
        if obj is not None and obj.neurarig.walk.live and not obj.neurarig.walk.error
        else character("walk")
    )
