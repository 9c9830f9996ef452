"""Adding a path."""

import bpy

from ...interface.operator import CharacterOperator
from ..way.new_path import add_path


class NEURARIG_OT_add_path(CharacterOperator, bpy.types.Operator):
    """Add a curve in front of the character and walk along it. Edit its points to lead the character"""

    bl_idname = "neurarig.add_path"
    bl_label = "Add Path"

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        path = add_path(obj)
        return f"'{obj.name}' follows '{path.name}'. Press Tab and move its points."


register, unregister = bpy.utils.register_classes_factory((NEURARIG_OT_add_path,))
