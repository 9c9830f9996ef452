"""Footprints into a file and out of one."""

from pathlib import Path

import bpy
from bpy.props import StringProperty

from .. import files
from .prints_operator import PrintsOperator


class NEURARIG_OT_save_footprints(PrintsOperator, bpy.types.Operator):
    """Save the edited footprints as a JSON file"""

    bl_idname = "neurarig.save_footprints"
    bl_label = "Save Footprints"
    bl_options = {"REGISTER"}

    filepath: StringProperty(name="File Path", description="JSON file to write", subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        self.filepath = self.filepath or "footprints.json"
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        path = Path(bpy.path.abspath(self.filepath))
        return f"Saved {files.save_prints(obj, path)} footprints to '{path}'."


class NEURARIG_OT_load_footprints(PrintsOperator, bpy.types.Operator):
    """Load edited footprints from a JSON file. They replace the character's own"""

    bl_idname = "neurarig.load_footprints"
    bl_label = "Load Footprints"

    filepath: StringProperty(name="File Path", description="JSON file to read", subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        path = Path(bpy.path.abspath(self.filepath))
        return f"Loaded {files.load_prints(obj, path)} footprints from '{path.name}'."


register, unregister = bpy.utils.register_classes_factory((NEURARIG_OT_save_footprints, NEURARIG_OT_load_footprints))
