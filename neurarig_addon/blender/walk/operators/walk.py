"""Making, resuming, measuring and removing a walk."""

from collections.abc import Generator
from pathlib import Path

import bpy
from bpy.props import IntProperty, StringProperty

from ...character.record import WALK
from ...character.selection import armature_of
from ...interface import report_text
from ...interface.operator import CharacterOperator, StepsOperator
from .. import api, report_api


class NEURARIG_OT_generate_walk(StepsOperator, bpy.types.Operator):
    """Make the character walk: find its bones and controls, and pose them live"""

    bl_idname = "neurarig.generate_walk"
    bl_label = "Generate Walk"
    takes = WALK
    doing = "Generate Walk"

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        self.in_window = True
        return self.execute(context)

    def steps(self, context: bpy.types.Context, obj: bpy.types.Object) -> Generator[float, None, dict]:
        return api.generate_walk_steps(obj)

    def done(self, context: bpy.types.Context, obj: bpy.types.Object, result: dict) -> str:
        self.warn(api.odd_size(obj))
        self.warn(report_text.warning(obj.name, result))
        return report_text.greeting(obj.name, result)


class NEURARIG_OT_resume_walk(CharacterOperator, bpy.types.Operator):
    """Turn the walk on again after an error turned it off"""

    bl_idname = "neurarig.resume_walk"
    bl_label = "Resume Walk"
    holder = WALK

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        api.resume_walk(obj)
        return f"'{obj.name}' is walking again."


class NEURARIG_OT_remove_walk(CharacterOperator, bpy.types.Operator):
    """Remove the walk and restore the rig, pose and animation from before"""

    bl_idname = "neurarig.remove_walk"
    bl_label = "Remove Walk"
    holder = WALK

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        self.tell(api.remove_walk(obj))
        return f"'{obj.name}' is back as it was before the walk."


class NEURARIG_OT_check_contacts(CharacterOperator, bpy.types.Operator):
    """Measure how well the feet are planted and fill in the contact report"""

    bl_idname = "neurarig.check_contacts"
    bl_label = "Check Contacts"
    holder = WALK

    frame_start: IntProperty(name="Start Frame", description="First frame to measure (default: the walk's first cycles)")
    frame_end: IntProperty(name="End Frame", description="Last frame to measure")

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        given = self.properties.is_property_set("frame_start") and self.properties.is_property_set("frame_end")
        frames = (self.frame_start, self.frame_end) if given else None
        report = report_api.contact_report(obj, frames)
        self.warn(report_text.warning(obj.name, report))
        return report_api.summary(obj, report)


class NEURARIG_OT_save_report(CharacterOperator, bpy.types.Operator):
    """Save the last contact report as a JSON file"""

    bl_idname = "neurarig.save_report"
    bl_label = "Save Contact Report"
    bl_options = {"REGISTER"}

    filepath: StringProperty(name="File Path", description="JSON file to write", subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not super().poll(context):
            return False
        if not armature_of(context).neurarig.walk.report:
            cls.poll_message_set("No report yet. Click Check Contacts first")
            return False
        return True

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        self.filepath = self.filepath or "contact_report.json"
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        path = Path(bpy.path.abspath(self.filepath))
        report_api.save_report(obj, path)
        return f"Saved '{path}'."


register, unregister = bpy.utils.register_classes_factory(
    (
        NEURARIG_OT_generate_walk,
        NEURARIG_OT_resume_walk,
        NEURARIG_OT_remove_walk,
        NEURARIG_OT_check_contacts,
        NEURARIG_OT_save_report,
    )
)
