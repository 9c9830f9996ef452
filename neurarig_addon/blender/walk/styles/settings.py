"""A character's styles: `Object.neurarig.walk.styles`."""

import bpy
from bpy.props import CollectionProperty, StringProperty

from ...character.changes import OVERRIDABLE, STATE
from ..changes import changed


class NeuraRigStyle(bpy.types.PropertyGroup):
    """A style in use; its index in the list says which slider is its weight.  It is stored whole, so that the file needs no library."""

    content: StringProperty(name="Content", description="The style's file; empty where this place is free", options=STATE, update=changed)


class Styles:
    """The styles of a walk."""

    styles: CollectionProperty(name="Styles", description="The styles of the walk", type=NeuraRigStyle, override=OVERRIDABLE)
