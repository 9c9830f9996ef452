"""The bases of operators that read or write a file, which the file browser asks for."""

from pathlib import Path
from typing import Any, ClassVar

import bpy

from ..animation.properties import KEPT, Marked
from ..character.selection import armature_of
from .operator import CharacterOperator


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

    bl_options: ClassVar[set[str]] = {"REGISTER"}
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
