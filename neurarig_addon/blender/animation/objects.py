"""Objects of a scene: put into collections, copied, selected; where what hangs on a bone hangs; what follows
what."""

from collections.abc import Callable, Iterable

import bpy
from mathutils import Matrix


def link_beside(obj: bpy.types.Object, new: bpy.types.Object) -> None:
    """Put a new object into the scene beside another one."""
    next(iter(obj.users_collection), bpy.context.scene.collection).objects.link(new)


def copied(obj: bpy.types.Object) -> bpy.types.Object:
    """Return a copy of an object, where the object is."""
    copy = obj.copy()
    for collection in obj.users_collection:
        collection.objects.link(copy)
    return copy


def own_collection(name: str, scene: bpy.types.Scene) -> bpy.types.Collection:
    """Return the collection of ours with a name, in a scene."""
    found = bpy.data.collections.get(name) or bpy.data.collections.new(name)
    if found not in scene.collection.children_recursive:
        scene.collection.children.link(found)
    return found


def drop_collection(name: str) -> None:
    """Remove the collection of ours with a name if there is nothing in it."""
    found = bpy.data.collections.get(name)
    if found is not None and not found.objects and not found.children and not found.library:
        bpy.data.collections.remove(found)


def leave_modes() -> None:
    """Go to Object Mode."""
    active = bpy.context.view_layer.objects.active
    if active is not None and active.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")


def select(*objects: bpy.types.Object, extend: bool = False) -> None:
    """Select objects of the view layer, alone unless `extend`; the last one becomes active."""
    layer = bpy.context.view_layer
    for other in () if extend else layer.objects.selected:
        other.select_set(False)
    for obj in objects:
        if obj.name in layer.objects:
            obj.select_set(True)
            layer.objects.active = obj


def tail_of(bone: bpy.types.PoseBone) -> Matrix:
    """Return the matrix at the tail of a posed bone, on which its children hang, in armature space."""
    return bone.matrix @ Matrix.Translation((0.0, bone.length, 0.0))


def above(obj: bpy.types.Object) -> list[bpy.types.Object]:
    """Return an object's parents, nearest first."""
    found = []
    while obj.parent is not None:
        obj = obj.parent
        found.append(obj)
    return found


def leads_to(
    things: Iterable[bpy.types.Object],
    obj: bpy.types.Object,
    following: Callable[[bpy.types.Object], Iterable[bpy.types.Object]],
) -> bool:
    """Return whether an object is among things, or what these follow, and so on; `following`: what one thing
    follows."""
    waiting, asked = list(things), set()
    while waiting:
        each = waiting.pop()
        if each == obj:
            return True
        if each not in asked:
            asked.add(each)
            waiting += following(each)
    return False
