"""Exporting a locomotion set: at once without a window, with progress and Esc in one."""

from collections.abc import Sequence
from typing import Any

import bpy

from ...core.errors import NeuraRigError
from ..animation.properties import ASKED, KEPT
from ..animation.steps import Steps
from ..character.record import WALK
from ..character.selection import armature_of
from ..interface.operator import StepsOperator
from ..interface.options import properties_of
from . import api
from .options import OPTIONS

SHOWN = 8  # names of files in the dialog


class NEURARIG_OT_export_set(properties_of(OPTIONS), StepsOperator):
    """Write the clips that a game needs of this character, in its manner, to a folder: idle, walk, run,
    starts, stops, turns"""

    bl_label = "Export Set"
    bl_options = {"REGISTER"}
    holder = WALK
    doing = "Export Set"

    directory: KEPT.text("Folder", "Folder for the files", subtype="DIR_PATH")
    filter_folder: KEPT.switch(default=True, options={"HIDDEN", "SKIP_SAVE"})
    name_pattern: KEPT.text(
        "Name Pattern", "How clips are called, such as {character}_{name}; empty: as the engine does"
    )

    overwrite: ASKED.switch("Overwrite", "Replace files of a set that are there already")
    asked: Sequence[str] = ()  # files to overwrite, which the dialog names

    def invoke(self, context, event):
        try:
            folder = self.directory or "//"
            api.require_place(folder)
        except NeuraRigError as error:
            return self.refuse(error)
        self.directory = bpy.path.abspath(folder)
        return self.browse(context)

    def execute(self, context):
        self.overwrite = self.overwrite or bool(self.asked)
        try:
            if self.in_window:
                self.steps(context, armature_of(context))
        except api.FilesThereError as found:
            self.asked = found.names
            return context.window_manager.invoke_props_dialog(
                self, title="Overwrite Files?", confirm_text="Overwrite"
            )
        except NeuraRigError:
            pass  # said by what follows
        return super().execute(context)

    def draw(self, context):
        layout = self.layout
        if self.asked:
            layout.label(text=self.directory, icon="FILE_FOLDER")
            for name in (*self.asked[:SHOWN], *(["…"] if len(self.asked) > SHOWN else [])):
                layout.label(text=name)
            return
        layout.use_property_split = True
        for option in OPTIONS:
            layout.prop(self, option.name)
        layout.prop(self, "name_pattern")

    def steps(self, context, obj) -> Steps[dict[str, Any]]:
        chosen = {option.name: getattr(self, option.name) for option in OPTIONS}
        return api.export_set.steps(
            obj, self.directory, name_pattern=self.name_pattern, overwrite=self.overwrite, **chosen
        )

    def done(self, context, obj, result: dict[str, Any]):
        return f"Wrote {len(result['clips'])} clips of '{obj.name}' and manifest.json to '{self.directory}'."
