"""Preferences for all files: the Python used for training; and the name under which Blender knows this add-on."""

import shutil

import bpy
from bpy.props import StringProperty

# An installed extension is `bl_ext.<repository>.<id>.neurarig_addon.blender`, and Blender's ID is the first three parts; the repository
# part differs from user to user.  Run from a checkout it is the top package.
_parts = (__package__ or "").split(".")
IS_EXTENSION = _parts[0] == "bl_ext"
ADDON_ID = ".".join(_parts[:3]) if IS_EXTENSION else _parts[0]


class NeuraRigPreferences(bpy.types.AddonPreferences):
    """NeuraRig in Blender's preferences."""

    bl_idname = ADDON_ID

    python: StringProperty(
        name="Training Python",
        description="Python with PyTorch for training networks, outside Blender. Empty: python3 from the system path",
        subtype="FILE_PATH",
    )

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.prop(self, "python")
        self.layout.label(text=f"Empty: {python_on_path() or 'no Python found on the system path'}")


def python_on_path() -> str:
    """Return the Python that a terminal would start, '' if there is none."""
    return shutil.which("python3") or shutil.which("python") or ""


def training_python() -> str:
    """Return the Python to train with: the one set, else the one on the search path, else ''."""
    addon = bpy.context.preferences.addons.get(ADDON_ID)
    chosen = addon.preferences.python.strip() if addon and addon.preferences else ""
    return bpy.path.abspath(chosen) if chosen else python_on_path()


register, unregister = bpy.utils.register_classes_factory((NeuraRigPreferences,))
