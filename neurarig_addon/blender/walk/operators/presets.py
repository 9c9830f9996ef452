"""Applying, saving and removing presets of walks, role maps and control maps."""

import bpy
from bpy.props import EnumProperty, StringProperty

from ...interface.operator import CharacterOperator
from ..sliders import preset_api, presets
from ..styles import slots

_KIND = EnumProperty(
    name="Kind",
    items=(
        (presets.WALK, "Walk", "The sliders of a walk"),
        (presets.ROLES, "Roles", "Which bone plays which role"),
        (presets.CONTROLS, "Controls", "Which control does what"),
    ),
    options={"HIDDEN", "SKIP_SAVE"},
)


class NEURARIG_OT_apply_preset(CharacterOperator, bpy.types.Operator):
    """Apply this preset to the character"""

    bl_idname = "neurarig.apply_preset"
    bl_label = "Apply Preset"

    kind: _KIND
    preset: StringProperty(name="Name", options={"SKIP_SAVE"})

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        return presets.description(properties.kind, properties.preset) or cls.__doc__ or ""

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        before = slots.names(obj.neurarig.walk)
        preset_api.apply_preset(obj, self.preset, self.kind)
        missing = [f"'{name}'" for name in before if name not in slots.names(obj.neurarig.walk)]
        without = f" Styles taken off: {', '.join(missing)}." if missing else ""
        return f"Applied '{self.preset}' to '{obj.name}'.{without}"


class NEURARIG_OT_add_preset(CharacterOperator, bpy.types.Operator):
    """Save the current settings as a preset"""

    bl_idname = "neurarig.add_preset"
    bl_label = "Add Preset"

    kind: _KIND
    preset: StringProperty(name="Name", description="Name of the new preset", default="", options={"SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        return context.window_manager.invoke_props_dialog(self)

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.activate_init = True
        self.layout.prop(self, "preset")

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        path = preset_api.save_preset(obj, self.preset, self.kind)
        return f"Saved '{path}'."


class NEURARIG_OT_remove_preset(CharacterOperator, bpy.types.Operator):
    """Delete this preset"""

    bl_idname = "neurarig.remove_preset"
    bl_label = "Remove Preset"

    kind: _KIND
    preset: StringProperty(name="Name", options={"SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        return context.window_manager.invoke_confirm(self, event)

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        presets.remove(self.kind, self.preset)
        return f"Removed the preset '{self.preset}'."


register, unregister = bpy.utils.register_classes_factory((NEURARIG_OT_apply_preset, NEURARIG_OT_add_preset, NEURARIG_OT_remove_preset))
