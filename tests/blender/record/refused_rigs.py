"""Armatures that are refused."""

import bpy

from neurarig_addon.blender import api
from tests.blender.leading import curve, linked
from tests.blender.record.characters import RIGS, hero
from tests.blender.record.seen import Seen
from tests.rigs import make_active


def armatures(seen: Seen) -> None:
    """Walk with a mesh that two armatures deform, after an armature with a skin, and from what is no armature."""
    obj, other = RIGS["animated"](), hero()
    other.name = "Other"
    skin = bpy.data.objects["Skin"]
    second = skin.modifiers.new("Second", "ARMATURE")
    second.object = other
    for state in ({}, {"show_viewport": False}, {"show_render": False}):
        for name, value in state.items():
            setattr(second, name, value)
        seen.ask(api.generate_walk, obj, use_network=False)
        seen.ask(api.remove_walk, obj)
    second.show_viewport = True
    for follows in ("parent", "grandparent", "constraint"):
        between = linked(f"Between {follows}", None)
        between.parent = obj
        if follows == "constraint":
            other.parent = None
            other.pose.bones["Hips"].constraints.new("COPY_TRANSFORMS").target = obj
        else:
            other.parent = obj if follows == "parent" else between
        bpy.context.view_layer.update()
        seen.ask(api.generate_walk, obj, use_network=False)
        seen.ask(api.remove_walk, obj)
    other.parent = None
    for bone in ("LeftUpLeg", "RightUpLeg", "LeftFoot", "RightFoot"):
        made = other.pose.bones[bone].constraints.new("COPY_TRANSFORMS")
        made.target, made.subtarget = obj, bone
    bpy.context.view_layer.update()
    for call in (api.generate_walk, api.pose_targets):
        seen.ask(call, other)
    make_active(skin)
    seen.press("generate_walk")
    seen.press("remove_walk")
    seen.look(1)
    line = curve([(0.0, 0.0), (0.0, -3.0)])
    seen.ask(api.generate_walk, line)
    seen.ask(api.generate_walk, skin)
