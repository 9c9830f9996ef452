"""Finding out who is who on an armature, and what its controls do."""

from collections.abc import Generator

import bpy
from bpy.props import StringProperty

from ...core.controls.control_map import ControlMap
from ..interface.operator import CharacterOperator
from ..interface.steps_operator import StepsOperator
from . import api


class NEURARIG_OT_detect_rig(CharacterOperator, bpy.types.Operator):
    """Find the hips, legs, spine, head and arms by name or, failing that, by shape"""

    bl_idname = "neurarig.detect_rig"
    bl_label = "Detect Rig"

    armature: StringProperty(name="Armature", description="Name of an armature other than the selected character", options={"SKIP_SAVE"})

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        if self.armature:
            obj = context.scene.objects.get(self.armature)
        roles = api.detect_rig(obj)
        return f"Found {len(roles.bones)} bones of '{obj.name}'."


class NEURARIG_OT_apply_scale(CharacterOperator, bpy.types.Operator):
    """Apply the object's uneven or mirrored scale to its bones. The rest pose looks the same"""

    bl_idname = "neurarig.apply_scale"
    bl_label = "Apply Scale"
    takes = ""

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        self.tell(api.apply_scale(obj))
        return f"'{obj.name}' is scaled evenly now."


class NEURARIG_OT_find_controls(StepsOperator, bpy.types.Operator):
    """Find what each control and IK/FK switch of the rig does, by moving it on a copy"""

    bl_idname = "neurarig.find_controls"
    bl_label = "Find Controls"
    takes = ""
    doing = "Control search"

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        self.in_window = True
        return self.execute(context)

    def steps(self, context: bpy.types.Context, obj: bpy.types.Object) -> Generator[float, None, ControlMap]:
        return api.find_controls_steps(obj)

    def done(self, context: bpy.types.Context, obj: bpy.types.Object, result: ControlMap) -> str:
        if not result.controls:
            return f"'{obj.name}' has no controls. Its bones can be driven directly."
        return f"Found {len(result.controls)} controls of '{obj.name}'."


register, unregister = bpy.utils.register_classes_factory((NEURARIG_OT_detect_rig, NEURARIG_OT_apply_scale, NEURARIG_OT_find_controls))
