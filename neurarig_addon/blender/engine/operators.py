"""Starting and stopping the link to a game engine."""

from ..animation.properties import KEPT
from ..character.record import WALK
from ..interface.operator import Button, CharacterOperator
from . import link as engine_link


class NEURARIG_OT_start_link(CharacterOperator):
    """Listen for a game engine on a UDP port of this computer"""

    bl_label = "Start Link"
    confirm = "Start"
    bl_options = {"REGISTER"}
    holder = WALK

    mode: KEPT.choice(
        "Direction",
        "Which side drives the other",
        items=(
            (
                "DRIVE",
                "Engine Drives",
                "The engine's inputs pose the character, and each frame is answered",
            ),
            ("STREAM", "Stream Out", "Send the walk that Blender shows to the engine"),
        ),
    )
    port: KEPT.whole(
        "Port",
        "UDP port for frames and answers; 0 picks a free one",
        default=6003,
        min=0,
        max=65535,
    )
    debug_port: KEPT.whole(
        "Debug Port",
        "UDP port for ideal targets; 0 picks a free one",
        default=6004,
        min=0,
        max=65535,
    )

    def act(self, context, obj):
        return engine_link.start(obj, self.mode, self.port, self.debug_port)


class NEURARIG_OT_stop_link(Button):
    """Stop the engine link. The character goes back to its own walk"""

    bl_label = "Stop Link"
    bl_options = {"REGISTER"}
    lacks = "No engine link is running", lambda *_: engine_link.is_running()

    def act(self, context, obj):
        engine_link.stop()
        return "Stopped the engine link."
