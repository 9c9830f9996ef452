"""Objects that are deleted while frames are stepped: by a handler of a script or another add-on."""

from collections.abc import Iterator
from contextlib import contextmanager

import bpy

from ...core.errors import NeuraRigError


def is_deleted(obj: bpy.types.Object) -> bool:
    """Return whether an object has been deleted; references to its properties then dangle, and using them
    crashes Blender."""
    try:
        return not obj.name
    except ReferenceError:
        return True


def object_of(uid: int) -> bpy.types.Object | None:
    """Return the object with a session_uid, None if it was deleted; undo makes objects anew, but leaves them
    that."""
    return next((obj for obj in bpy.data.objects if obj.session_uid == uid), None)


def remove_alone(obj: bpy.types.Object) -> None:
    """Remove an object; its children stay where they are."""
    for child in obj.children:
        stood = child.matrix_world.copy()
        child.parent = None
        child.matrix_world = stood
    bpy.data.objects.remove(obj)


@contextmanager
def still_there(*objects: bpy.types.Object) -> Iterator[None]:
    """Raise NeuraRigError if the block fails because one of the objects was deleted in it."""
    called = [(obj.name, obj) for obj in objects]
    try:
        yield
    except ReferenceError as error:
        for name, obj in called:
            if is_deleted(obj):
                raise NeuraRigError(f"'{name}' was deleted by a script or another add-on.") from error
        raise
