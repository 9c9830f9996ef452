"""One click from a character to another, and the pin that keeps one at hand."""

import bpy

from ...core.errors import NeuraRigError
from ..animation.objects import leave_modes, select
from ..animation.properties import ASKED
from ..character import selection
from .operator import Button, CharacterOperator
from .panel import draw_names


class NEURARIG_OT_choose_character(Button):
    """Show the panels of this character: select it, or pin it in place of the pinned one"""

    bl_label = "Choose Character"
    lacks = (
        "There is no character yet. Generate Walk makes one",
        lambda context, _: selection.characters(context),
    )

    name: ASKED.text("Character", "Name of its armature")

    def act(self, context, obj):
        objects = context.view_layer.objects
        if self.name not in objects:
            raise NeuraRigError(f"There is no character named '{self.name}'. Choose another.")
        if selection.pinned_in(objects):
            selection.pin(objects[self.name])
        else:
            leave_modes()
            select(objects[self.name])
        return ""


class NEURARIG_OT_pin_character(CharacterOperator):
    """Keep this character's panels whatever is selected, or let the selection decide again"""

    bl_label = "Pin Character"
    bl_options = {"REGISTER"}

    def act(self, context, obj):
        is_pinned = selection.pinned_in(context.view_layer.objects) is not None
        selection.pin(None if is_pinned else obj)
        return f"'{obj.name}' is unpinned." if is_pinned else f"The panels stay with '{obj.name}'."


class NEURARIG_MT_characters(bpy.types.Menu):
    bl_label = "Characters"

    def draw(self, context):
        shown = selection.armature_of(context)
        draw_names(self.layout, selection.characters(context), shown)


def unregister() -> None:
    """Pin nobody any more."""
    selection.pin(None)
