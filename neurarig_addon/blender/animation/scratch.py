"""Scratch data, removed when its work ends: data-blocks are marked, and a scene that holds only a few objects
makes work on them cheap.

Poses and places are looked at on such a scene. An undo step or a file saved meanwhile does not bring marked
data-blocks back.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import bpy
import numpy as np
from bpy.app.handlers import persistent
from bpy.types import ID, Object, Scene, bpy_prop_collection

from .objects import above, still_there
from .steps import Steps


@contextmanager
def same_frame_after(scene: Scene) -> Iterator[None]:
    """Return to the scene's current frame, however the block ends."""
    before = scene.frame_current, scene.frame_subframe
    try:
        yield
    finally:
        scene.frame_set(before[0], subframe=before[1])


def show_again(scene: Scene) -> None:
    """Have what is keyed take its values on the current frame."""
    with same_frame_after(scene):
        pass


def show(scene: Scene, frame: float) -> None:
    """Set a scene to where it plays a frame of its keys: with Time Stretching, that is another frame of the
    timeline."""
    shown = frame * (scene.render.frame_map_new / scene.render.frame_map_old)
    scene.frame_set(int(np.floor(shown)), subframe=float(shown % 1.0))


def seen(scene: Scene, obj: Object, frame: float) -> Object:
    """Show a frame of keys and return one of the scene's objects as Blender evaluates it there."""
    show(scene, frame)
    here = bpy.context.scene == scene
    return obj.evaluated_get(
        bpy.context.evaluated_depsgraph_get() if here else scene.view_layers[0].depsgraph
    )


def seen_poses(scene: Scene, obj: Object, frames: np.ndarray) -> Steps[tuple[np.ndarray, np.ndarray]]:
    """Return every pose bone's matrix `(f, bones, 4, 4)` in armature space and the object's in the world `(f,
    4, 4)`, as evaluated.

    Bones in the order of `obj.pose.bones`. Yields the share done; the scene's frame is restored, however this
    ends.
    """
    poses = np.empty((len(frames), len(obj.pose.bones), 4, 4), dtype=np.float32)
    worlds = np.empty((len(frames), 4, 4))
    with same_frame_after(scene):
        for row, frame in enumerate(frames):
            evaluated = seen(scene, obj, frame)
            poses[row], worlds[row] = pose_matrices(evaluated), evaluated.matrix_world
            yield (row + 1) / len(frames)
    return poses, worlds


def pose_matrices(evaluated: Object) -> np.ndarray:
    """Return every pose bone's matrix `(bones, 4, 4)` in armature space."""
    bones = evaluated.pose.bones
    flat = np.empty(16 * len(bones), dtype=np.float32)
    bones.foreach_get("matrix", flat)
    return flat.reshape(-1, 4, 4).transpose(0, 2, 1)


MARK = "neurarig_unfinished"  # custom property
_is_marked = False  # whether anything was marked in this file
NAME = "NeuraRig"
_TIME = ("frame_start", "frame_end", "frame_step")
_RENDER_TIME = ("fps", "fps_base", "frame_map_old", "frame_map_new")
# functions that return the other objects an object's pose needs
company: list[Callable[[Object], list[Object]]] = []
_passing: set[int] = set()  # by session_uid


def begin(block: ID) -> None:
    """Mark a data-block that is removed when its work ends, or finished then."""
    global _is_marked
    _is_marked = True
    block[MARK] = True


def finish(block: ID) -> None:
    """Keep a data-block from now on."""
    block.pop(MARK, None)


def sweep() -> None:
    """Remove marked data of abandoned work; marked objects exist only along with a marked scene."""
    scenes = list(_marked(bpy.data.scenes))
    for window in bpy.context.window_manager.windows if bpy.context.window_manager else ():
        if window.scene in scenes:
            window.scene = next(other for other in bpy.data.scenes if other not in scenes)
    copies = (
        [
            block
            for blocks in (bpy.data.objects, bpy.data.armatures, bpy.data.meshes)
            for block in _marked(blocks)
        ]
        if scenes
        else []
    )
    bpy.data.batch_remove([*scenes, *copies, *_marked(bpy.data.actions)])


def _marked(blocks: Iterable[ID]) -> Iterator[ID]:
    return (block for block in blocks if MARK in block and block.library is None)


@persistent
def _on_load(_path=None, _=None) -> None:
    global _is_marked
    _is_marked = False
    sweep()


@persistent
def _on_undo(*_) -> None:
    if _is_marked:
        sweep()


HANDLERS = (
    (bpy.app.handlers.load_post, _on_load),
    (bpy.app.handlers.undo_post, _on_undo),
    (bpy.app.handlers.redo_post, _on_undo),
)


@contextmanager
def alone(scene: Scene, *objects: Object) -> Iterator[Scene]:
    """Yield a scene with the time and units of `scene` that holds objects, what they need and their parents;
    it is removed in any case.

    Afterwards the objects are posed for the current frame of `scene`.
    Raises NeuraRigError if a handler deletes one of them meanwhile.
    """
    passing = bpy.data.scenes.new(NAME)
    try:
        _passing.add(passing.session_uid)
        begin(passing)
        for name in _TIME:
            setattr(passing, name, getattr(scene, name))
        for name in _RENDER_TIME:
            setattr(passing.render, name, getattr(scene.render, name))
        passing.unit_settings.scale_length = scene.unit_settings.scale_length
        there = [*objects, *(other for obj in objects for needed in company for other in needed(obj))]
        for each in dict.fromkeys(each for obj in there for each in (obj, *above(obj))):
            passing.collection.objects.link(each)
        passing.frame_set(scene.frame_current, subframe=scene.frame_subframe)
        with still_there(*objects):
            yield passing
    finally:
        passing.frame_set(scene.frame_current, subframe=scene.frame_subframe)
        _passing.discard(passing.session_uid)
        remove_unused(bpy.data.scenes, passing)


def seen_places(scene: Scene, thing: Object, frames: np.ndarray) -> np.ndarray:
    """Return where an object is in the world on frames of keys `(n,)`, as evaluated `(n, 3)`."""
    with alone(scene, thing) as passing:
        return np.array(
            [seen(passing, thing, frame).matrix_world.translation[:] for frame in frames.tolist()]
        )


def is_passing(scene: Scene) -> bool:
    """Return whether a scene is such a temporary one."""
    return scene.session_uid in _passing


def remove_unused(blocks: bpy_prop_collection, block: ID) -> None:
    """Remove a scene, object or its data without users, skipping Blender's search for users, which takes
    longer in larger files."""
    block.user_clear()
    blocks.remove(block, do_unlink=False)
