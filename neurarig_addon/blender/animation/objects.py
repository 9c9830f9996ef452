"""Objects of a scene: put into collections, copied, selected, removed; where what hangs on a bone hangs; what
follows what."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import bpy
from bpy.types import Collection, Object, PoseBone, Scene
from mathutils import Matrix

from ...core.errors import NeuraRigError


def link_beside(obj: Object, new: Object) -> None:
    """Put a new object into the scene beside another one."""
    next(iter(obj.users_collection), bpy.context.scene.collection).objects.link(new)


def copied(obj: Object) -> Object:
    """Return a copy of an object, where the object is."""
    copy = obj.copy()
    for collection in obj.users_collection:
        collection.objects.link(copy)
    return copy


def own_collection(name: str, scene: Scene) -> Collection:
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


def select(*objects: Object, extend: bool = False) -> None:
    """Select objects of the view layer, alone unless `extend`; the last one becomes active."""
    layer = bpy.context.view_layer
    for other in () if extend else layer.objects.selected:
        other.select_set(False)
    for obj in objects:
        if obj.name in layer.objects:
            obj.select_set(True)
            layer.objects.active = obj


def tail_of(bone: PoseBone) -> Matrix:
    """Return the matrix at the tail of a posed bone, on which its children hang, in armature space."""
    return bone.matrix @ Matrix.Translation((0.0, bone.length, 0.0))


def above(obj: Object) -> list[Object]:
    """Return an object's parents, nearest first."""
    found = []
    while obj.parent is not None:
        obj = obj.parent
        found.append(obj)
    return found


def leads_to(
    things: Iterable[Object],
    obj: Object,
    following: Callable[[Object], Iterable[Object]],
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


def is_deleted(obj: Object) -> bool:
    """Return whether an object has been deleted; references to its properties then dangle, and using them
    crashes Blender."""
    try:
        return not obj.name
    except ReferenceError:
        return True


def object_of(uid: int) -> Object | None:
    """Return the object with a session_uid, None if it was deleted; undo makes objects anew, but leaves them
    that."""
    return next((obj for obj in bpy.data.objects if obj.session_uid == uid), None)


def remove_alone(obj: Object) -> None:
    """Remove an object; its children stay where they are."""
    for child in obj.children:
        stood = child.matrix_world.copy()
        child.parent = None
        child.matrix_world = stood
    bpy.data.objects.remove(obj)


@contextmanager
def still_there(*objects: Object) -> Iterator[None]:
    """Raise NeuraRigError if the block fails because one of the objects was deleted in it."""
    called = [(obj.name, obj) for obj in objects]
    try:
        yield
    except ReferenceError as error:
        for name, obj in called:
            if is_deleted(obj):
                raise NeuraRigError(f"'{name}' was deleted by a script or another add-on.") from error
        raise
