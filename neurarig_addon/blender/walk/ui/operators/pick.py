"""Clicking footprints in the viewport: which one is under the mouse."""

import bpy
import numpy as np
from bpy.types import Context, Object

from .....core.errors import NeuraRigError
from ....animation.objects import object_of
from ....character.selection import armature_of
from ....interface.language import said
from ....interface.screen import on_screen
from ....interface.tool import Tool
from ...api import prints
from ...footprints.edits import NAMES
from ...source import source as walk_source
from .. import print_drawing
from .footprints import PrintsOperator, pick

NEAR = 30.0  # pixels


class NEURARIG_OT_pick_footprint(Tool, PrintsOperator):
    """Click footprints in the viewport to edit them. Shift: several. Right mouse or Esc: done"""

    bl_label = "Pick Footprint"

    @classmethod
    def poll(cls, context):
        if not super().poll(context):
            return False
        if context.area is None or context.area.type != "VIEW_3D":
            cls.poll_message_set(said("Footprints are clicked in a 3D view"))
            return False
        return True

    def invoke(self, context, event):
        obj = armature_of(context)
        obj.neurarig.walk.show_footprints = True
        return self.begin(context, obj)

    def modal(self, context, event):
        if event.type in ("RIGHTMOUSE", "ESC"):
            return self.end(context, {"CANCELLED"})
        if event.type != "LEFTMOUSE" or event.value != "PRESS":
            return {"PASS_THROUGH"}
        try:
            obj = self._character()
            picked = print_under(context, obj, (event.mouse_x, event.mouse_y))
            if picked is None:
                return self.end(context, {"PASS_THROUGH", "CANCELLED"})
            pick(*prints.take_prints(obj, [picked]), extend=event.shift)
        except NeuraRigError as error:
            return self.end(context, self.refuse(error))
        bpy.ops.ed.undo_push(message=self.bl_label)
        return {"RUNNING_MODAL"} if event.shift else self.end(context, {"FINISHED"})

    def _character(self) -> Object:
        """Return the character; between clicks it may be deleted, and undo makes it another object."""
        obj = object_of(self.uid)
        if obj is None:
            raise NeuraRigError(f"'{self.called}' was deleted, so no footprint of it can be picked.")
        return obj

    def act(self, context, obj):
        raise NeuraRigError("Pick Footprint needs the viewport. Use Edit Footprints instead.")


def print_under(context: Context, obj: Object, mouse: tuple[int, int]) -> tuple[str, int] | None:
    """Return foot and number of a character's print nearest to a place in the window, None if none is
    near."""
    region, view = context.region, context.region_data
    source = walk_source.source_of(obj, context.scene)
    if region is None or view is None:
        return None
    prints = print_drawing.shown(obj, context.scene, source)
    where, rows = on_screen(prints.places, region, view)
    if not len(rows):
        return None
    away = np.linalg.norm(where[rows] - np.array(mouse) + (region.x, region.y), axis=1)
    nearest = int(np.argmin(away))
    if away[nearest] > NEAR * context.preferences.system.ui_scale:
        return None
    side, number = prints.keys[rows[nearest]]
    return NAMES[side], number
