"""Sampling a rig while stepping frames: every bone as Blender evaluates it."""

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
import numpy as np

from .steps import Steps


@contextmanager
def same_frame_after(scene: bpy.types.Scene) -> Iterator[None]:
    """Return to the scene's current frame, however the block ends."""
    before = scene.frame_current, scene.frame_subframe
    try:
        yield
    finally:
        scene.frame_set(before[0], subframe=before[1])


def show_again(scene: bpy.types.Scene) -> None:
    """Have what is keyed take its values on the current frame."""
    with same_frame_after(scene):
        pass


def show(scene: bpy.types.Scene, frame: float) -> None:
    """Set a scene to where it plays a frame of its keys: with Time Stretching, that is another frame of the
    timeline."""
    shown = frame * (scene.render.frame_map_new / scene.render.frame_map_old)
    scene.frame_set(int(np.floor(shown)), subframe=float(shown % 1.0))


def seen(scene: bpy.types.Scene, obj: bpy.types.Object, frame: float) -> bpy.types.Object:
    """Show a frame of keys and return one of the scene's objects as Blender evaluates it there."""
    show(scene, frame)
    here = bpy.context.scene == scene
    return obj.evaluated_get(
        bpy.context.evaluated_depsgraph_get() if here else scene.view_layers[0].depsgraph
    )


def seen_poses(
    scene: bpy.types.Scene, obj: bpy.types.Object, frames: np.ndarray
) -> Steps[tuple[np.ndarray, np.ndarray]]:
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


def pose_matrices(evaluated: bpy.types.Object) -> np.ndarray:
    """Return every pose bone's matrix `(bones, 4, 4)` in armature space."""
    bones = evaluated.pose.bones
    flat = np.empty(16 * len(bones), dtype=np.float32)
    bones.foreach_get("matrix", flat)
    return flat.reshape(-1, 4, 4).transpose(0, 2, 1)
