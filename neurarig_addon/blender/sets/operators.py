"""Exporting a locomotion set: at once without a window, with progress and Esc in one."""

from collections.abc import Generator
from typing import Any

import bpy
from bpy.props import BoolProperty, StringProperty

from ..character.record import WALK
from ..interface.operator import StepsOperator
from ..interface.options import properties_of
from . import api
from .options import OPTIONS


class NEURARIG_OT_export_set(properties_of(OPTIONS), StepsOperator, bpy.types.Operator):
    """Write the clips that a game needs of this character, in its manner, to a folder: idle, walk, run, starts, stops, turns"""

    bl_idname = "neurarig.export_set"
    bl_label = "Export Set"
    bl_options = {"REGISTER"}
    holder = WALK
    doing = "Export Set"

    directory: StringProperty(name="Folder", description="Folder for the files", subtype="DIR_PATH")
    filter_folder: BoolProperty(default=True, options={"HIDDEN", "SKIP_SAVE"})
    name_pattern: StringProperty(
        name="Name Pattern", description="How clips are called, such as {character}_{name}; empty: as the engine does"
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        self.in_window = True
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        for option in OPTIONS:
            layout.prop(self, option.name)
        layout.prop(self, "name_pattern")

    def steps(self, context: bpy.types.Context, obj: bpy.types.Object) -> Generator[float, None, dict[str, Any]]:
        chosen = {option.name: getattr(self, option.name) for option in OPTIONS}
        return api.export_set_steps(obj, self.directory, name_pattern=self.name_pattern, **chosen)

    def done(self, context: bpy.types.Context, obj: bpy.types.Object, result: dict[str, Any]) -> str:
        return f"Wrote {len(result['clips'])} clips of '{obj.name}' and manifest.json to '{self.directory}'."


register, unregister = bpy.utils.register_classes_factory((NEURARIG_OT_export_set,))
