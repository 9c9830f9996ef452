"""Adding and removing markers on a path."""

import bpy

from ...interface.operator import CharacterOperator
from ..changes import changes


class NEURARIG_OT_add_marker(CharacterOperator, bpy.types.Operator):
    """Add a marker to the path: where to be when, and where to wait"""

    bl_idname = "neurarig.add_marker"
    bl_label = "Add Marker"

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        walk = obj.neurarig.walk
        with changes.as_one(obj):
            farthest = max((marker.distance for marker in walk.markers), default=0.0)
            marker = walk.markers.add()
            marker.distance, marker.frame = farthest + 2.0, context.scene.frame_current
            walk.active_marker = len(walk.markers) - 1
        return f"Added a marker {marker.distance:.3g} m along the path."


class NEURARIG_OT_remove_marker(CharacterOperator, bpy.types.Operator):
    """Remove the chosen marker from the path"""

    bl_idname = "neurarig.remove_marker"
    bl_label = "Remove Marker"

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        walk = obj.neurarig.walk
        if not 0 <= walk.active_marker < len(walk.markers):
            return "There is no marker to remove."
        with changes.as_one(obj):
            walk.markers.remove(walk.active_marker)
            walk.active_marker = max(0, min(walk.active_marker, len(walk.markers) - 1))
        return "Removed a marker."


register, unregister = bpy.utils.register_classes_factory((NEURARIG_OT_add_marker, NEURARIG_OT_remove_marker))
