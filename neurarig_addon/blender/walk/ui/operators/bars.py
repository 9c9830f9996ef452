"""Bars on the timeline dragged to move what they stand for, or to hold it longer, and chosen by a double
click."""

import bpy

from ....animation.objects import leave_modes, select
from ....animation.properties import ASKED
from ....character.record import WALK
from ....interface.language import said
from ....interface.operator import NEEDS, named
from ....interface.tool import Tool
from ...api import bars
from ...way.markers import ACT, ARRIVAL, WAYPOINT
from .. import bars_drawing
from ..bars_drawing import held

NEAR_END = 6.0  # pixels


class NEURARIG_OT_retime(Tool):
    """Have an act, a waypoint or the arrival begin at another time, or last longer: drag its bar, or one of
    its ends, in the timeline or the dope sheet; a double click shows its settings"""

    bl_label = "Retime Act or Waypoint"
    bl_options = {"UNDO"}  # the panel of the last operator would cover the bars
    confirm = "Retime"
    cursor = "MOVE_X"
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
    frames: ASKED.number("Frames", "How many frames later it begins", precision=0)
    longer: ASKED.number("Hold Longer", "How many frames longer it lasts", precision=0)

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
        left, right, *_ = found.place
        near, at = (
            min(NEAR_END * context.preferences.system.ui_scale, (right - left) / 3),
            event.mouse_region_x,
        )
        self._end = found.bar.holds and (at > right - near) - (at < left + near)
        self._at = self._frame(context, event)
        held.bar, held.frames = found.bar, (0.0, 0.0)
        return self.begin(context, found.obj)

    def modal(self, context, event):
        if event.type in ("RIGHTMOUSE", "ESC"):
            return self.end(context, {"CANCELLED"})
        if event.type == "MOUSEMOVE":
            moved = float(round(self._frame(context, event) - self._at))
            self.frames, self.longer = moved * (self._end < 1), moved * self._end
            held.frames = self.frames, self.frames + self.longer
            begin, end = held.bar.begin + held.frames[0], held.bar.end + held.frames[1]
            context.area.header_text_set(said(f"{held.bar.name}: frames {begin:.0f} to {end:.0f}"))
            context.area.tag_redraw()
        elif event.type == "LEFTMOUSE" and event.value == "RELEASE":
            return self.end(context, self.execute(context) if any(held.frames) else {"CANCELLED"})
        return {"RUNNING_MODAL"}

    def act(self, context, obj):
        obj = named(context.scene.objects, self.character, "object") if self.character else obj
        bars.retime(obj, self.what, self.number, self.frames, self.longer)
        return f"'{obj.name}' does this at another time now."

    def end(self, context, outcome):
        held.bar = None
        return super().end(context, outcome)

    def _frame(self, context: bpy.types.Context, event: bpy.types.Event) -> float:
        return context.region.view2d.region_to_view(event.mouse_region_x, 0.0)[0]
