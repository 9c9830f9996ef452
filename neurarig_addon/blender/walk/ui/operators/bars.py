"""Bars on the timeline dragged to move what they stand for, or to hold it longer, and chosen by a double
click."""

from typing import ClassVar

import bpy

from ....animation.objects import leave_modes, select
from ....animation.properties import ASKED
from ....character.record import WALK
from ....interface.addon import registration_of
from ....interface.language import said
from ....interface.operator import NEEDS, CharacterOperator, named
from ...api import bars
from ...way.markers import ACT, ARRIVAL, WAYPOINT
from .. import bars_drawing
from ..bars_drawing import Dragged

NEAR_END = 6.0  # pixels


class NEURARIG_OT_retime(CharacterOperator):
    """Have an act, a waypoint or the arrival begin at another time, or last longer: drag its bar, or its end,
    in the timeline or the dope sheet; a double click shows its settings"""

    bl_label = "Retime Act or Waypoint"
    bl_options: ClassVar[set[str]] = {"UNDO"}  # the panel of the last operator would cover the bars
    confirm = "Retime"
    needs = NEEDS[WALK]

    character: ASKED.text("Character", "Name of its armature; else the active one")
    what: ASKED.choice(
        "What",
        "What begins at another time",
        items=(
            (ACT, "Act", "The act of this number"),
            (WAYPOINT, "Waypoint", "The waypoint of this number"),
            (ARRIVAL, "Arrival", "The arrival at the end of the path"),
        ),
    )
    number: ASKED.whole("Number", "Its number in the list, from 0", min=0)
    frames: ASKED.number("Frames", "How many frames later it begins, or ends", precision=0)
    holds: ASKED.switch("Hold Longer", "It begins as before, and lasts longer")

    def invoke(self, context, event):
        if context.area is None or context.area.type != "DOPESHEET_EDITOR":
            return super().invoke(context, event)
        found = bars_drawing.bar_at(context.region, event.mouse_region_x, event.mouse_region_y)
        if found is None:
            return {"PASS_THROUGH"}
        if event.value == "DOUBLE_CLICK":
            chosen = "active_act" if found.bar.what == ACT else "active_marker"
            setattr(found.obj.neurarig.walk, chosen, found.bar.number)
            leave_modes()
            select(found.obj)
            return {"FINISHED"}
        self.character, self.what, self.number = found.obj.name, found.bar.what, found.bar.number
        near = NEAR_END * context.preferences.system.ui_scale
        self.holds = found.bar.holds and event.mouse_region_x > found.place[1] - near
        self._at = self._frame(context, event)
        bars_drawing.held.hold = Dragged(found.obj.session_uid, found.bar, self.holds)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        hold = bars_drawing.held.hold
        if hold is None or event.type in ("RIGHTMOUSE", "ESC"):
            return self._done(context, {"CANCELLED"})
        if event.type == "MOUSEMOVE":
            self.frames = float(round(self._frame(context, event) - self._at))
            bars_drawing.held.hold = hold._replace(frames=self.frames)
            begin = hold.bar.begin + (0.0 if hold.at_end else self.frames)
            told = f"{hold.bar.name}: frames {begin:.0f} to {hold.bar.end + self.frames:.0f}"
            context.area.header_text_set(said(told))
            context.area.tag_redraw()
        elif event.type == "LEFTMOUSE" and event.value == "RELEASE":
            return self._done(context, self.execute(context) if self.frames else {"CANCELLED"})
        return {"RUNNING_MODAL"}

    def cancel(self, context):
        """Let go where Blender ends it."""
        self._done(context, {"CANCELLED"})

    def act(self, context, obj):
        obj = named(context.scene.objects, self.character, "object") if self.character else obj
        bars.retime(obj, self.what, self.number, self.frames, self.holds)
        return f"'{obj.name}' does this at another time now."

    def _done(self, context: bpy.types.Context, outcome: set[str]) -> set[str]:
        bars_drawing.held.hold = None
        if context.area is not None:
            context.area.header_text_set(None)
            context.area.tag_redraw()
        return outcome

    def _frame(self, context: bpy.types.Context, event: bpy.types.Event) -> float:
        return context.region.view2d.region_to_view(event.mouse_region_x, 0.0)[0]


register, unregister = registration_of(__name__)
