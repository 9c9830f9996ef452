"""The add-on as Blender knows it, and what its user prefers."""

from typing import Any

import bpy

_PARTS = (__package__ or "").split(".")
IS_EXTENSION = _PARTS[0] == "bl_ext"
ADDON_ID = ".".join(_PARTS[:3]) if IS_EXTENSION else _PARTS[0]


def preferred(name: str, otherwise: Any) -> Any:
    """Return a setting of the preferences; `otherwise` where the add-on has none, as when it is not
    installed."""
    addon = bpy.context.preferences.addons.get(ADDON_ID)
    return getattr(addon.preferences, name, otherwise) if addon else otherwise
