"""A temporary scene that holds only a few objects: work on them costs the same however many others the file has."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import bpy

from . import unfinished
from .deleted import still_there

NAME = "NeuraRig"
_TIME = ("frame_start", "frame_end", "frame_step")
_RENDER_TIME = ("fps", "fps_base", "frame_map_old", "frame_map_new")
company: list[Callable[[bpy.types.Object], list[bpy.types.Object]]] = []  # functions that return the other objects an object's pose needs
_passing: set[int] = set()  # by session_uid


@contextmanager
def alone(scene: bpy.types.Scene, *objects: bpy.types.Object) -> Iterator[bpy.types.Scene]:
    """Yield a scene with the time and units of `scene` that holds objects, what they need and their parents; it is removed in any case.

    Afterwards the objects are posed for the current frame of `scene`.
    Raises NeuraRigError if a handler deletes one of them meanwhile.
    """
    passing = bpy.data.scenes.new(NAME)
    try:
        _passing.add(passing.session_uid)
        unfinished.begin(passing)
        for name in _TIME:
            setattr(passing, name, getattr(scene, name))
        for name in _RENDER_TIME:
            setattr(passing.render, name, getattr(scene.render, name))
        passing.unit_settings.scale_length = scene.unit_settings.scale_length
        there = [*objects, *(other for obj in objects for needed in company for other in needed(obj))]
        for each in dict.fromkeys(each for obj in there for each in _with_parents(obj)):
            passing.collection.objects.link(each)
        passing.frame_set(scene.frame_current, subframe=scene.frame_subframe)
        with still_there(*objects):
            yield passing
    finally:
        passing.frame_set(scene.frame_current, subframe=scene.frame_subframe)
        _passing.discard(passing.session_uid)
        remove_unused(bpy.data.scenes, passing)


def is_passing(scene: bpy.types.Scene) -> bool:
    """Return whether a scene is such a temporary one."""
    return scene.session_uid in _passing


def remove_unused(blocks: bpy.types.bpy_prop_collection, block: bpy.types.ID) -> None:
    """Remove a scene, object or its data without users, skipping Blender's search for users, which takes longer in larger files."""
    block.user_clear()
    blocks.remove(block, do_unlink=False)


def _with_parents(obj: bpy.types.Object | None) -> Iterator[bpy.types.Object]:
    while obj is not None:
        yield obj
        obj = obj.parent
