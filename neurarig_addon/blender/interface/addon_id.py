"""The name under which Blender knows this add-on.

An installed extension is `bl_ext.<repository>.<id>.neurarig_addon.blender`, and Blender's ID is the first
three parts; the repository part
differs from user to user.  Run from a checkout it is the top package.
"""

_parts = (__package__ or "").split(".")
IS_EXTENSION = _parts[0] == "bl_ext"
ADDON_ID = ".".join(_parts[:3]) if IS_EXTENSION else _parts[0]
