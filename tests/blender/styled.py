"""Styles that are learned from a walk with a manner."""

from unittest.mock import patch

import bpy

from neurarig_addon.blender import api
from neurarig_addon.core.styles import learn
from tests.blender.walking import walker


def actor(**manner: float) -> bpy.types.Object:
    """Return an armature that an action moves, which walks in a manner of its own."""
    obj = walker("Actor", use_network=True, mode="TRAVEL", speed=1.0, **manner)
    api.bake_walk(obj, frame_start=1, frame_end=120)
    return obj


def gone(obj: bpy.types.Object) -> None:
    """Remove an actor; the view layer hears of it with the next update only."""
    bpy.data.objects.remove(obj)
    bpy.context.view_layer.update()


LOW = {"crouch": 0.15, "elbow_bend": 60.0, "lean": 15.0}


def roughly():
    """Learn within a block without refining, which takes nearly all of the time: for tests that do not ask
    how alike a style is."""
    return patch.object(learn, "_ROUNDS", 0)


def learned(name: str = "Low", **manner: float):
    """Return a style, kept under its name and learned roughly, of an actor who is gone."""
    obj = actor(**(manner or LOW))
    with roughly():
        style = api.learn_style(obj, name)
    gone(obj)
    return style
