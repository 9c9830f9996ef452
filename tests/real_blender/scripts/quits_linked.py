"""Leave Blender with a link to an engine open: it ends, and no thread waits for anybody."""

import threading

import bpy
from bl_ext.user_default.neurarig.neurarig_addon.blender import api
from bl_ext.user_default.neurarig.neurarig_addon.blender.engine import link

obj = bpy.data.objects["Character"]
api.generate_walk(obj)
link.start(obj, link.DRIVE, port=0, debug_port=0)
assert link.is_running()
assert threading.enumerate() == [threading.main_thread()], threading.enumerate()
print("linked")
