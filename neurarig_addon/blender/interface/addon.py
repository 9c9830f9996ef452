"""The add-on as Blender knows it, and what its user prefers."""

import sys
from collections.abc import Callable
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


_KINDS = {"OT": "Operator", "PT": "Panel"}  # by what Blender has in the names of such classes


def registration_of(*modules: str) -> tuple[Callable[[], None], Callable[[], None]]:
    """Return what registers and what unregisters the classes of modules, in their order.

    One with the name of an operator or a panel becomes one: its bases are ours, which may declare properties.
    """
    classes = []
    for number, module in enumerate(modules):
        if number:
            dir(sys.modules[module])  # reads what is left for later; the first is being read
        for name, kind in vars(sys.modules[module]).items():
            if name.lower().startswith("neurarig") and getattr(kind, "__module__", "") == module:
                base = getattr(bpy.types, _KINDS.get(name[9:11], ""), kind)
                classes.append(kind if issubclass(kind, base) else type(name, (kind, base), {}))
    return bpy.utils.register_classes_factory(classes)
