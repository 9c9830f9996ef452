"""Disable and enable the installed extension: nothing stays behind, and it works again."""

import addon_utils
import bpy

MODULE = "bl_ext.user_default.neurarig"


def traces() -> dict[str, object]:
    """Return what an add-on could leave in Blender."""
    handlers = {
        name: len(listed) for name in dir(bpy.app.handlers) if isinstance(listed := getattr(bpy.app.handlers, name), list) and name != "persistent"
    }
    types = {name for name in dir(bpy.types) if "neurarig" in name.lower()}
    pointers = {
        (owner.__name__, name) for owner in (bpy.types.Object, bpy.types.Scene) for name in owner.bl_rna.properties.keys() if "neurarig" in name
    }
    return {"handlers": handlers, "types": types, "pointers": pointers, "operators": set(dir(bpy.ops.neurarig))}


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
