"""What moves a character while it walks: its object or root bone, its path, a deck."""

import bpy

from ...core.posing.channels import rotation_path
from .ground import deck
from .way import facing, path
from .way.path import travels_with


def key(obj: bpy.types.Object) -> tuple[str, bool, bool, bool]:
    """Return a key that changes whenever something else moves a character, or begins to turn it."""
    return travels_with(obj), facing.turns(obj), path.follows_itself(obj), deck.of(obj) is not None


def moved_properties(obj: bpy.types.Object) -> tuple[str, ...]:
    """Return the object's properties that its walk moves, or that have become its path."""
    travels, turns, follows_itself, rides = key(obj)
    if travels != "OBJECT" and not follows_itself and not rides:
        return ()
    return ("location", rotation_path(obj.rotation_mode)) if turns or rides else ("location",)
