"""Removing a holder: what becomes of actions that move NeuraRig's controls is asked in a window, and
otherwise they are moved."""

from typing import Any, ClassVar

from ..animation.properties import ASKED
from ..character import lasting
from ..character.selection import armature_of
from .operator import CharacterOperator
from .panel import draw_sentence


class RemoveOperator(CharacterOperator):
    """An operator that removes a holder, unless what it made is to stay."""

    layout: Any
    properties: Any
    bl_label: str
    keep: ClassVar[str]  # the property by which it stays
    keeping: ClassVar[str]  # what the button says then
    bakes: ASKED.choice(
        "Actions",
        "What becomes of actions that move NeuraRig's controls",
        items=(
            (lasting.MOVE, "Move to Bones", "They move the character's own bones, with a key on every frame"),
            (lasting.KEEP, "Keep Controls", "NeuraRig's controls stay in the rig and are yours"),
            (lasting.LEAVE, "Remove Anyway", "They stay in the file and move nothing"),
        ),
    )

    @classmethod
    def description(cls, context, properties):
        return cls.keeping if getattr(properties, cls.keep) else cls.__doc__ or ""

    def invoke(self, context, event):
        if self.properties.is_property_set("bakes") or not lasting.on_layer(armature_of(context)):
            return self.execute(context)
        return context.window_manager.invoke_props_dialog(self, title=self.bl_label, confirm_text="Remove")

    def draw(self, context):
        draw_sentence(self.layout, "These actions move NeuraRig's controls, which go:")
        for action, _ in lasting.on_layer(armature_of(context)):
            self.layout.label(text=action.name, icon="ACTION")
        self.layout.column().prop(self, "bakes", expand=True)
