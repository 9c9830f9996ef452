"""The base of operators that go on while the mouse is used."""

from bpy.types import Context, Object

from .operator import CharacterOperator


class Tool(CharacterOperator):
    """An operator that goes on with the mouse, on the character with which it has begun."""

    cursor = "CROSSHAIR"

    def begin(self, context: Context, obj: Object) -> set[str]:
        """Go on from now."""
        self.called, self.uid = obj.name, obj.session_uid
        context.window_manager.modal_handler_add(self)
        context.window.cursor_modal_set(self.cursor)
        context.area.tag_redraw()
        return {"RUNNING_MODAL"}

    def end(self, context: Context, outcome: set[str]) -> set[str]:
        """Leave no trace, and return the outcome."""
        context.window.cursor_modal_restore()
        if context.area is not None:  # which may be closed meanwhile
            context.area.header_text_set(None)
            context.area.tag_redraw()
        return outcome

    def cancel(self, context: Context) -> None:
        """End where Blender ends it."""
        if hasattr(self, "uid"):
            self.end(context, {"CANCELLED"})
