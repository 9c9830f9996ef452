"""Live characters and Blender's exporters: a note in the file browser of FBX, and hooks of glTF.

The FBX exporter can play actions, and glTF's exports nothing else; a live character has none.
"""

import bpy

from ..character import record
from ..live import stand_in
from . import report_text
from .language import said

EXPORTER = "EXPORT_SCENE_OT_fbx"
# with neither on, it plays the scene and exports what is seen
ACTIONS_ONLY = ("bake_anim_use_nla_strips", "bake_anim_use_all_actions")
WIDTH = 28  # characters per line beside the file list


class NEURARIG_PT_export_fbx(bpy.types.Panel):
    """A word about live characters, and the two settings that matter to them."""

    bl_label = "NeuraRig"
    bl_space_type = "FILE_BROWSER"
    bl_region_type = "TOOL_PROPS"
    bl_options = {"HIDE_HEADER"}

    @classmethod
    def poll(cls, context):
        operator = context.space_data.active_operator
        return (
            operator is not None
            and operator.bl_idname == EXPORTER
            and any(map(record.is_posed, context.scene.objects))
        )

    def draw(self, context):
        operator = context.space_data.active_operator
        box = self.layout.box()
        stands_still = operator.bake_anim and any(getattr(operator, name) for name in ACTIONS_ONLY)
        advice = (
            "Live characters would stand still in the file: turn these off, or bake first."
            if stands_still
            else "Live characters are exported as they are seen."
        )
        column = box.column(align=True)
        for row, line in enumerate(report_text.wrapped(said(advice), WIDTH)):
            column.label(text=line, icon="BLANK1" if row else "ERROR" if stands_still else "INFO")
        for name in ACTIONS_ONLY:
            box.prop(operator, name)


def before_export() -> None:
    """Assign a stand-in action to every live character."""
    stand_in.begin(bpy.context.scene)
    if not bpy.app.background:
        bpy.app.timers.register(stand_in.end)  # an export that fails does not call `after_export`


def after_export() -> None:
    """Restore the characters' actions from before."""
    stand_in.end()
