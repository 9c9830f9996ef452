"""Say what a file holds that was saved while a bake was under way."""

import bpy

walk = bpy.data.objects["Character"].neurarig.walk
assert walk.live and not walk.error
assert [obj.name for obj in bpy.data.objects if obj.type == "ARMATURE"] == ["Character"]
assert not bpy.data.actions.keys() and len(bpy.data.scenes) == 1, (
    bpy.data.actions.keys(),
    bpy.data.scenes.keys(),
)
