"""A walk takes hands over, and gives them back."""

import bpy

from ....core.errors import NeuraRigError
from ...character import fingers, record
from ...character.read_character import read_character


def follow(obj: bpy.types.Object) -> None:
    """Take and restore hands of a walking character as its settings ask; nothing changes if it cannot be read now."""
    try:
        character = read_character(obj, bpy.context.scene)
        fingers.follow(obj, character, record.settings_of(obj, record.WALK))
    except NeuraRigError:  # reported by the walk, which needs the same
        return
