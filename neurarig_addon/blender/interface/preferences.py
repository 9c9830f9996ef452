"""The add-on's preferences."""

import bpy

from ..animation.properties import KEPT, OURS
from . import keymap

_PARTS = (__package__ or "").split(".")
IS_EXTENSION = _PARTS[0] == "bl_ext"
ADDON_ID = ".".join(_PARTS[:3]) if IS_EXTENSION else _PARTS[0]


class NeuraRigPreferences(bpy.types.AddonPreferences):
    """What holds in every file."""

    bl_idname = ADDON_ID
    bl_translation_context = OURS

    show_shortcuts: KEPT.switch("Shortcuts", "Keys for the most frequent buttons; none has one at first")

    def draw(self, context):
        layout = self.layout
        opened = self.show_shortcuts
        layout.prop(self, "show_shortcuts", icon="DOWNARROW_HLT" if opened else "RIGHTARROW", emboss=False)
        if opened:
            keymap.draw(layout.column(), context)


_register, _unregister = bpy.utils.register_classes_factory((NeuraRigPreferences,))


def register() -> None:
    """Add the preferences and the rows of shortcuts."""
    _register()
    keymap.register()


def unregister() -> None:
    """Remove them."""
    keymap.unregister()
    _unregister()
