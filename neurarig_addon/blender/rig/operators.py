"""Detecting the roles of an armature's bones, and what its controls do."""

from bpy.types import Context, Object

from ...core.controls.control_map import ControlMap
from ..animation.properties import ASKED
from ..animation.steps import Steps
from ..interface.operator import CharacterOperator, StepsOperator, named
from . import api


class NEURARIG_OT_list_roles(CharacterOperator):
    """List all roles, with bones as far as their names tell, to choose the bones yourself: for a character
    that Detect Rig does not find"""

    bl_label = "Assign by Hand"
    takes = ""

    def act(self, context, obj):
        found = sum(bool(bone) for bone in api.list_roles(obj).bones.values())
        return (
            f"{found} bones of '{obj.name}' were assigned by their names. Check the list, then click Generate"
            " Walk."
        )


class _ArmatureOperator(CharacterOperator):
    """An operator on the character, or on the source of its clip."""

    armature: ASKED.text("Armature", "Name of an armature other than the selected character")

    def whose(self, context: Context, obj: Object) -> Object:
        return named(context.scene.objects, self.armature, "object") if self.armature else obj


class NEURARIG_OT_detect_rig(_ArmatureOperator):
    """Find the hips, legs, spine, head and arms by name or, failing that, by shape"""

    bl_label = "Detect Rig"

    def act(self, context, obj):
        obj = self.whose(context, obj)
        return f"Found {len(api.detect_rig(obj).bones)} bones of '{obj.name}'."


class NEURARIG_OT_use_current_pose(_ArmatureOperator):
    """Measure motion from the pose seen now instead of the rest pose: for a rest pose that does not stand, or
    an A-pose against a T-pose"""

    bl_label = "Use Current Pose"

    def act(self, context, obj):
        obj = self.whose(context, obj)
        api.use_current_pose(obj)
        return f"'{obj.name}' stands in this pose from now on."


class NEURARIG_OT_use_rest_pose(_ArmatureOperator):
    """Measure motion from the rest pose again"""

    bl_label = "Use Rest Pose"
    needs = "Needs a pose that Use Current Pose has chosen"

    def act(self, context, obj):
        obj = self.whose(context, obj)
        api.use_rest_pose(obj)
        return f"'{obj.name}' stands in its rest pose again."


class NEURARIG_OT_apply_scale(CharacterOperator):
    """Apply the object's uneven or mirrored scale to its bones. The rest pose looks the same"""

    bl_label = "Apply Scale"
    needs = "Needs an armature object of uneven or mirrored scale"
    takes = ""

    def act(self, context, obj):
        self.tell(api.apply_scale(obj))
        return f"'{obj.name}' is scaled evenly now."


class NEURARIG_OT_find_controls(StepsOperator):
    """Find what each control and IK/FK switch of the rig does, by moving it on a copy"""

    bl_label = "Find Controls"
    takes = ""
    doing = "Control search"

    def steps(self, context, obj) -> Steps[ControlMap]:
        return api.find_controls.steps(obj)

    def done(self, context, obj, result: ControlMap):
        if not result.controls:
            return f"'{obj.name}' has no controls. Its bones can be driven directly."
        return f"Found {len(result.controls)} controls of '{obj.name}'."
