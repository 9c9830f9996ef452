"""The bases of operators that ask in a window: for a file to read or write, and what becomes of actions that
move NeuraRig's controls when these go."""

from pathlib import Path
from typing import Any, ClassVar

import bpy

from ..animation.properties import ASKED, KEPT, Marked
from ..character import lasting
from ..character.selection import armature_of
from .operator import CharacterOperator
from .panel import draw_sentence


class _FileReader(CharacterOperator):
    """An operator that reads a file."""

    filepath: Any

    def file(self) -> Path:
        """Return the file that was chosen."""
        return Path(bpy.path.abspath(self.filepath))

    def invoke(self, context, event):
        return self.browse(context)


class _FileWriter(_FileReader):
    """An operator that writes a file, which leaves nothing to undo; Blender warns where there is one
    already."""

    bl_options = {"REGISTER"}
    check_existing: KEPT.switch(default=True, options={"HIDDEN"})

    def file_name(self, obj: bpy.types.Object) -> str:
        """Return the name that is proposed for the file."""
        raise NotImplementedError

    def invoke(self, context, event):
        self.filepath = self.filepath or self.file_name(armature_of(context))
        return self.browse(context)


def reads(description: str, *endings: str) -> type:
    """Return a base of operators that read a file with one of these endings."""
    return _of_file(_FileReader, description, endings, KEPT)


def writes(description: str, *endings: str, marked: Marked = KEPT) -> type:
    """Return a base of operators that write a file with one of these endings; `marked`: of its property."""
    return _of_file(_FileWriter, description, endings, marked)


def _of_file(base: type, description: str, endings: tuple[str, ...], marked: Marked) -> type:
    path = marked.text("File Path", description, subtype="FILE_PATH")
    shown = KEPT.text(default=";".join(f"*{ending}" for ending in endings), options={"HIDDEN"})
    return type(base.__name__, (base,), {"__annotations__": {"filepath": path, "filter_glob": shown}})


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
    def told(cls, properties):
        return cls.keeping if getattr(properties, cls.keep) else ""

    def invoke(self, context, event):
        if self.properties.is_property_set("bakes") or not lasting.on_layer(armature_of(context)):
            return self.execute(context)
        return context.window_manager.invoke_props_dialog(self, title=self.bl_label, confirm_text="Remove")

    def draw(self, context):
        draw_sentence(self.layout, "These actions move NeuraRig's controls, which go:")
        for action, _ in lasting.on_layer(armature_of(context)):
            self.layout.label(text=action.name, icon="ACTION")
        self.layout.column().prop(self, "bakes", expand=True)
