"""Disable and enable the installed extension: nothing stays behind, and it works again."""

import addon_utils
import bpy

MODULE = "bl_ext.user_default.neurarig"


def traces() -> dict[str, object]:
    """Return what an add-on could leave in Blender."""
    lists = {name: getattr(bpy.app.handlers, name) for name in dir(bpy.app.handlers)}
    owners = (bpy.types.Object, bpy.types.Scene)
    return {
        "handlers": {name: len(listed) for name, listed in lists.items() if isinstance(listed, list)},
        "types": {name for name in dir(bpy.types) if "neurarig" in name.lower()},
        "pointers": {(owner.__name__, name) for owner in owners for name in dir(owner) if "neurarig" in name},
        "operators": set(dir(bpy.ops.neurarig)),
    }


enabled = traces()
assert enabled["types"] and enabled["pointers"], enabled
addon_utils.disable(MODULE)
disabled = traces()
assert not disabled["types"] and not disabled["pointers"] and not disabled["operators"], disabled
for _ in range(2):
    addon_utils.enable(MODULE)
    assert traces() == enabled, (traces(), enabled)
    addon_utils.disable(MODULE)
    assert traces() == disabled, (traces(), disabled)
