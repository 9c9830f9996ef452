"""What a game engine gets: clips, or the live link."""

from ..interface.panel import ClosedPanel, draw_sentence
from . import link


class NEURARIG_PT_link(ClosedPanel):
    bl_label = "Game Engine"

    def draw_character(self, layout, obj):
        layout.operator("neurarig.export_set", text="Export Set…", icon="EXPORT")
        if not link.is_running():
            row = layout.row(align=True)
            for text, icon, mode in (
                ("Engine Drives…", "IMPORT", "DRIVE"),
                ("Stream Out…", "PLAY", "STREAM"),
            ):
                row.operator("neurarig.start_link", text=text, icon=icon).mode = mode
        else:
            layout.operator("neurarig.stop_link", icon="CANCEL")
        for part in link.status().split(" | "):
            draw_sentence(layout, part)
