"""What a walking character faces, and whether that turns it."""

import bpy

from ..sliders import slider_curves
from . import path


def thing(obj: bpy.types.Object) -> bpy.types.Object | None:
    """Return the object that a character faces while walking; None in place, or for the character itself."""
    settings = obj.neurarig.walk
    return None if settings.mode == "IN_PLACE" or settings.face == obj else settings.face


def turns(obj: bpy.types.Object) -> bool:
    """Return whether a character turns: with its path, with what it faces, or by a keyed Facing."""
    if path.follows_one(obj):
        return True
    if obj.neurarig.walk.mode != "TRAVEL":
        return False
    return thing(obj) is not None or "facing" in slider_curves.find(obj)
