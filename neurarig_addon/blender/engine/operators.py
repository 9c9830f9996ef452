"""Starting and stopping the link to a game engine."""

import bpy
from bpy.props import EnumProperty, IntProperty

from ..character.record import WALK
from ..interface.language import said
from ..interface.operator import CharacterOperator
from . import link as engine_link


class NEURARIG_OT_start_link(CharacterOperator, bpy.types.Operator):
    """Listen for a game engine on a UDP port of this computer"""

    bl_idname = "neurarig.start_link"
    bl_label = "Start Link"
    confirm = "Start"
    bl_options = {"REGISTER"}
    holder = WALK

    mode: EnumProperty(
        name="Direction",
        description="Which side drives the other",
        items=(
            (
                "DRIVE",
                "Engine Drives",
                "The engine's inputs pose the character, and each frame is answered",
            ),
            ("STREAM", "Stream Out", "Send the walk that Blender shows to the engine"),
        ),
    )
    port: IntProperty(
        name="Port",
        description="UDP port for frames and answers; 0 picks a free one",
        default=6003,
        min=0,
        max=65535,
    )
    debug_port: IntProperty(
        name="Debug Port",
        description="UDP port for ideal targets; 0 picks a free one",
        default=6004,
        min=0,
        max=65535,
    )

    def act(self, context, obj):
        return engine_link.start(obj, self.mode, self.port, self.debug_port)


class NEURARIG_OT_stop_link(bpy.types.Operator):
    """Stop the engine link. The character goes back to its own walk"""

    bl_idname = "neurarig.stop_link"
    bl_label = "Stop Link"

    @classmethod
    def poll(cls, context):
        if not engine_link.is_running():
            cls.poll_message_set(said("No engine link is running"))
            return False
        return True

    def execute(self, context):
        engine_link.stop()
        self.report({"INFO"}, said("Stopped the engine link."))
        return {"FINISHED"}


register, unregister = bpy.utils.register_classes_factory((NEURARIG_OT_start_link, NEURARIG_OT_stop_link))
