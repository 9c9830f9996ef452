"""Adding, removing and deleting styles."""

import bpy
from bpy.props import IntProperty, StringProperty

from ...interface.operator import CharacterOperator
from ..sliders import presets, sliders
from . import library, slots


class NEURARIG_OT_use_style(CharacterOperator, bpy.types.Operator):
    """Add this style to the walk"""

    bl_idname = "neurarig.use_style"
    bl_label = "Use Style"

    style: StringProperty(name="Style", description="Name of a style", options={"SKIP_SAVE"})

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        return library.description(properties.style) or cls.__doc__ or ""

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        style = library.load(self.style)
        slots.put(obj, style)
        sliders.take_own_speed(obj)
        return f"'{obj.name}' walks in the style '{style.name}'."


class NEURARIG_OT_take_style_out(CharacterOperator, bpy.types.Operator):
    """Remove this style from the walk"""

    bl_idname = "neurarig.take_style_out"
    bl_label = "Remove Style from Walk"

    place: IntProperty(name="Place", description="Which of the styles, from 0", min=0, options={"SKIP_SAVE"})

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        return f"Removed '{slots.take_out(obj, self.place)}' from the walk of '{obj.name}'."


class NEURARIG_OT_own_speed(CharacterOperator, bpy.types.Operator):
    """Walk at the speed at which the styles were learned"""

    bl_idname = "neurarig.style_speed"
    bl_label = "Use Style Speed"

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        sliders.take_own_speed(obj)
        return f"'{obj.name}' walks at {obj.neurarig.walk.speed:.2f} m/s."


class NEURARIG_OT_delete_style(CharacterOperator, bpy.types.Operator):
    """Delete this style of your own; characters that walk in it keep it"""

    bl_idname = "neurarig.delete_style"
    bl_label = "Delete Style"

    style: StringProperty(name="Style", description="Name of one of your own styles", options={"SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        return context.window_manager.invoke_confirm(self, event)

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        presets.remove(presets.STYLE, self.style)
        return f"Removed the style '{self.style}'."


register, unregister = bpy.utils.register_classes_factory(
    (NEURARIG_OT_use_style, NEURARIG_OT_take_style_out, NEURARIG_OT_own_speed, NEURARIG_OT_delete_style)
)
