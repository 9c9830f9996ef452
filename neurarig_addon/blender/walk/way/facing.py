"""What a walking character faces, and whether that turns it off where it goes."""

import bpy

from ..sliders import slider_curves
from . import path


def thing(obj: bpy.types.Object) -> bpy.types.Object | None:
    """Return the object that a character faces wherever it goes; none for who stays in place, and nobody faces himself."""
    settings = obj.neurarig.walk
    return None if settings.mode == "IN_PLACE" or settings.face == obj else settings.face


def turns(obj: bpy.types.Object) -> bool:
    """Say whether a character turns while it goes: with its path, with what it faces, or as Facing is keyed."""
    if path.follows_one(obj):
        return True
    if obj.neurarig.walk.mode != "TRAVEL":
        return False
    return thing(obj) is not None or "facing" in slider_curves.find(obj)
