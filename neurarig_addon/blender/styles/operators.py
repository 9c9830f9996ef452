"""Learn Style: from the character's own animation, one of its actions, or a file."""

from collections.abc import Generator

import bpy
from bpy.props import StringProperty

from ...core.errors import NeuraRigError
from ...core.styles.learned_style import LearnedStyle
from ..interface.operator import StepsOperator
from . import api


class _LearnStyle(StepsOperator):
    """The base of both operators: reporting the learned style."""

    doing = "Learn Style"

    def done(self, context: bpy.types.Context, obj: bpy.types.Object, result: LearnedStyle) -> str:
        return f"'{result.name}' was added to the styles. {result.description}"


class NEURARIG_OT_learn_style(_LearnStyle, bpy.types.Operator):
    """Learn a style that any character can use, from an action of this armature or from its present motion"""

    bl_idname = "neurarig.learn_style"
    bl_label = "Learn Style"

    style: StringProperty(name="Name", description="Name of the new style", options={"SKIP_SAVE"})
    action: StringProperty(name="Action", description="Action of this armature; empty: whatever moves it now", options={"SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        self.in_window = True
        return context.window_manager.invoke_props_dialog(self, confirm_text="Learn")

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.activate_init = True
        self.layout.prop(self, "style")
        self.layout.prop_search(self, "action", bpy.data, "actions")

    def steps(self, context: bpy.types.Context, obj: bpy.types.Object) -> Generator[float, None, LearnedStyle]:
        action = bpy.data.actions.get(self.action)
        if self.action and action is None:
            raise NeuraRigError(f"There is no action named '{self.action}'; choose one from the list.")
        return api.learn_style_steps(action or obj, self.style, armature=obj)


class NEURARIG_OT_learn_style_file(_LearnStyle, bpy.types.Operator):
    """Learn a style that any character can use, from a motion capture file (.bvh, .fbx, .glb)"""

    bl_idname = "neurarig.learn_style_file"
    bl_label = "Learn Style from File"

    filepath: StringProperty(name="File Path", description="Clip to learn from", subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.bvh;*.fbx;*.glb;*.gltf", options={"HIDDEN"})
    style: StringProperty(name="Name", description="Name of the new style; empty: that of the file", options={"SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        self.in_window = True
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def steps(self, context: bpy.types.Context, obj: bpy.types.Object) -> Generator[float, None, LearnedStyle]:
        name = self.style or bpy.path.display_name_from_filepath(self.filepath)
        return api.learn_style_steps(self.filepath, name)


register, unregister = bpy.utils.register_classes_factory((NEURARIG_OT_learn_style, NEURARIG_OT_learn_style_file))
