"""Finding out who is who on an armature."""

import bpy
from bpy.props import StringProperty

from ..interface.operator import CharacterOperator
from . import api


class NEURARIG_OT_detect_rig(CharacterOperator, bpy.types.Operator):
    """Find the hips, legs, spine, head and arms of the character, by their names or, failing that, by their shape"""

    bl_idname = "neurarig.detect_rig"
    bl_label = "Detect Rig"

    armature: StringProperty(name="Armature", description="Name of another armature than the character at hand", options={"SKIP_SAVE"})

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        if self.armature:
            obj = context.scene.objects.get(self.armature)
        roles = api.detect_rig(obj)
        return f"Found {len(roles.bones)} bones of the character '{obj.name}'."


register, unregister = bpy.utils.register_classes_factory((NEURARIG_OT_detect_rig,))
