"""Clicking footprints in the viewport."""

import bpy

from .....core.errors import NeuraRigError
from ....animation.deleted import object_of
from ....character.selection import armature_of
from .. import api, picking
from .prints_operator import PrintsOperator, select


class NEURARIG_OT_pick_footprint(PrintsOperator, bpy.types.Operator):
    """Click footprints in the viewport to edit them. Shift: several. Right mouse or Esc: done"""

    bl_idname = "neurarig.pick_footprint"
    bl_label = "Pick Footprint"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return super().poll(context) and context.area is not None and context.area.type == "VIEW_3D"

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        obj = armature_of(context)
        obj.neurarig.walk.show_footprints = True
        self.called, self.uid = obj.name, obj.session_uid
        context.window_manager.modal_handler_add(self)
        context.window.cursor_modal_set("CROSSHAIR")
        context.area.tag_redraw()
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if event.type in ("RIGHTMOUSE", "ESC"):
            return self._done(context, {"CANCELLED"})
        if event.type != "LEFTMOUSE" or event.value != "PRESS":
            return {"PASS_THROUGH"}
        try:
            obj = self._character()
            picked = picking.print_under(context, obj, (event.mouse_x, event.mouse_y))
            if picked is None:
                return self._done(context, {"PASS_THROUGH", "CANCELLED"})
            select(context, api.take_prints(obj, [picked]), event.shift)
        except NeuraRigError as error:
            self.report({"ERROR"}, str(error))
            return self._done(context, {"CANCELLED"})
        bpy.ops.ed.undo_push(message=self.bl_label)
        return {"RUNNING_MODAL"} if event.shift else self._done(context, {"FINISHED"})

    def _character(self) -> bpy.types.Object:
        """Return the character; between clicks it may be deleted, and undo makes it another object."""
        obj = object_of(self.uid)
        if obj is None:
            raise NeuraRigError(f"'{self.called}' was deleted, so no footprint of it can be picked.")
        return obj

    def _done(self, context: bpy.types.Context, outcome: set[str]) -> set[str]:
        context.window.cursor_modal_restore()
        return outcome

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        raise NeuraRigError("Pick Footprint needs the viewport. Use Edit Footprints instead.")


register, unregister = bpy.utils.register_classes_factory((NEURARIG_OT_pick_footprint,))
