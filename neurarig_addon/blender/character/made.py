"""Objects of ours that belong to a character, such as the empty where an act is: it lists them, so a user's
copy of one is the user's."""

from collections.abc import Iterable

import bpy
from bpy.props import PointerProperty

from ..animation.deletion import remove_alone
from .changes import STATE


class NeuraRigMade(bpy.types.PropertyGroup):
    """An object of ours."""

    object: PointerProperty(type=bpy.types.Object, **STATE)


def of(obj: bpy.types.Object) -> list[bpy.types.Object]:
    """Return the objects that were made for a character and are still there."""
    return [item.object for item in obj.neurarig.made if item.object is not None]


def empty(obj: bpy.types.Object, name: str, collections: Iterable[bpy.types.Collection]) -> bpy.types.Object:
    """Return a new empty that belongs to a character, in the first of some collections that can be edited."""
    made = bpy.data.objects.new(name, None)
    for collection in [one for one in collections if one.is_editable][:1]:
        collection.objects.link(made)
    add(obj, made)
    return made


def add(obj: bpy.types.Object, made: bpy.types.Object) -> None:
    """List an object of ours."""
    item = obj.neurarig.made.add()
    # library overrides identify list items by name
    item.name, item.object = str(len(obj.neurarig.made)), made


def leave(obj: bpy.types.Object, made: bpy.types.Object) -> None:
    """List an object no more, and none that are gone."""
    items = obj.neurarig.made
    for number in reversed([number for number, item in enumerate(items) if item.object in (made, None)]):
        items.remove(number)


def remove(obj: bpy.types.Object, made: bpy.types.Object) -> None:
    """Remove an object of ours; what the user has hung on it stays where it is."""
    leave(obj, made)
    remove_alone(made)


def remove_all(obj: bpy.types.Object) -> None:
    """Remove all objects of ours that belong to a character."""
    for made in of(obj):
        remove(obj, made)
    obj.neurarig.made.clear()
