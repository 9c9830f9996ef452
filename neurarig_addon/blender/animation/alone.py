"""A passing scene in which objects are alone: whatever is done to them there costs the same however many others the file holds."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import bpy

from . import unfinished
from .gone import still_there

NAME = "NeuraRig"
_TIME = ("frame_start", "frame_end", "frame_step")
_RENDER_TIME = ("fps", "fps_base", "frame_map_old", "frame_map_new")
company: list[Callable[[bpy.types.Object], list[bpy.types.Object]]] = []  # what tells which others an object's pose needs to be there
_passing: set[int] = set()  # by session_uid


@contextmanager
def alone(scene: bpy.types.Scene, *objects: bpy.types.Object) -> Iterator[bpy.types.Scene]:
    """Yield a scene with the time and units of `scene` that holds objects, what they need and hang on; it goes, however the block ends.

    The objects are posed, afterwards, for the frame on which `scene` stands.
    Raises NeuraRigError where somebody's handler deletes one of them meanwhile.
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
    """Return whether a scene is one of these: it is gone before anybody looks again."""
    return scene.session_uid in _passing


def remove_unused(blocks: bpy.types.bpy_prop_collection, block: bpy.types.ID) -> None:
    """Remove a scene, object or its data that nothing points to: to have Blender look for who does costs by the size of the file."""
    block.user_clear()
    blocks.remove(block, do_unlink=False)


def _with_parents(obj: bpy.types.Object | None) -> Iterator[bpy.types.Object]:
    while obj is not None:
        yield obj
        obj = obj.parent
