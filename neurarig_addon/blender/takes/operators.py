"""Make Parametric: from the character's own animation, another armature's, or a file; and Remove Recorded Walk."""

from collections.abc import Generator

import bpy
from bpy.props import StringProperty

from ...core.errors import NeuraRigError
from ..character.record import WALK
from ..interface import report_text
from ..interface.operator import CharacterOperator, StepsOperator
from . import api


class _MakeParametric(StepsOperator):
    """The base of both operators: reporting the result."""

    takes = WALK
    doing = "Make Parametric"

    def done(self, context: bpy.types.Context, obj: bpy.types.Object, result: api.ParametricResult) -> str:
        self.warn(report_text.warning(obj.name, result.report))
        first, last = result.seconds
        return (
            f"'{obj.name}' walks as the clip from {first:.1f} to {last:.1f} s along '{result.path.name}'; its joints are "
            f"{result.off_mm:.0f} mm off, the worst {result.worst_mm:.0f} mm, on a person of 1.75 m."
        )


class NEURARIG_OT_make_parametric(_MakeParametric, bpy.types.Operator):
    """Turn a clip into a walk whose speed, path, ground, footprints and style can be changed"""

    bl_idname = "neurarig.make_parametric"
    bl_label = "Make Parametric"

    source: StringProperty(name="Armature", description="Armature to take the clip from; empty: this one", options={"SKIP_SAVE"})
    action: StringProperty(name="Action", description="Action of that armature; empty: whatever moves it now", options={"SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        self.in_window = True
        return context.window_manager.invoke_props_dialog(self, confirm_text="Make Parametric")

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.prop_search(self, "source", bpy.data, "objects")
        self.layout.prop_search(self, "action", bpy.data, "actions")

    def steps(self, context: bpy.types.Context, obj: bpy.types.Object) -> Generator[float, None, api.ParametricResult]:
        armature, action = bpy.data.objects.get(self.source), bpy.data.actions.get(self.action)
        if self.source and armature is None:
            raise NeuraRigError(f"There is no object named '{self.source}'; choose one from the list.")
        if self.action and action is None:
            raise NeuraRigError(f"There is no action named '{self.action}'; choose one from the list.")
        return api.make_parametric_steps(obj, action, armature=armature)


class NEURARIG_OT_make_parametric_file(_MakeParametric, bpy.types.Operator):
    """Turn a motion capture file (.bvh, .fbx, .glb) into a walk whose speed, path, ground, footprints and style can be changed"""

    bl_idname = "neurarig.make_parametric_file"
    bl_label = "Make Parametric from File"

    filepath: StringProperty(name="File Path", description="Clip to walk as", subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.bvh;*.fbx;*.glb;*.gltf;*.npz", options={"HIDDEN"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        self.in_window = True
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def steps(self, context: bpy.types.Context, obj: bpy.types.Object) -> Generator[float, None, api.ParametricResult]:
        return api.make_parametric_steps(obj, self.filepath)


class NEURARIG_OT_remove_take(CharacterOperator, bpy.types.Operator):
    """Walk by speed, path and style again instead of as in the clip"""

    bl_idname = "neurarig.remove_take"
    bl_label = "Remove Recorded Walk"

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        api.remove_take(obj)
        return f"'{obj.name}' keeps no recorded walk."


register, unregister = bpy.utils.register_classes_factory(
    (NEURARIG_OT_make_parametric, NEURARIG_OT_make_parametric_file, NEURARIG_OT_remove_take)
)
