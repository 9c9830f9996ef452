"""Quit a Blender with a window while a link to an engine is open and served by its timer."""

import sys
from pathlib import Path

import bpy
from bl_ext.user_default.neurarig.neurarig_addon.blender import api
from bl_ext.user_default.neurarig.neurarig_addon.blender.engine import link

sys.path.insert(0, str(Path(__file__).resolve().parent))

from telling import Story, tell


def story() -> Story:
    obj = bpy.data.objects["Character"]
    bpy.context.view_layer.objects.active = obj
    api.generate_walk(obj)
    link.start(obj, link.DRIVE, port=0, debug_port=0)
    yield 1.0
    assert link.is_running() and bpy.app.timers.is_registered(link._tick)


tell(story())
