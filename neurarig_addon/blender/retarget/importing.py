"""Files that only Blender's importers can read (.fbx, .glb, .gltf): imported, read, and removed without a trace."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import addon_utils
import bpy
import numpy as np

from ...core.character.character import Character
from ...core.errors import NeuraRigError, about
from ...core.files import fbx_file, gltf_file
from ...core.files.given_file import LARGEST_SCENE, size_of, worth
from ...core.skeleton.clip import Clip
from ..character.read_character import read_character
from ..character.read_clip import read_clip
from .mappings import recalled
from .source import moves_bones

# Ending -> the importing add-on, the name of its operator, and the check that refuses unsound files.
_GLTF = ("io_scene_gltf2", "gltf", gltf_file.require_sound)
_BONE_BYTES = 12 * 8  # numbers of a bone on a frame
IMPORTERS = {".fbx": ("io_scene_fbx", "fbx", fbx_file.require_sound), ".glb": _GLTF, ".gltf": _GLTF}


def read_imported(context: bpy.types.Context, file: Path) -> list[tuple[Character, Clip]]:
    """Return every clip of a file that moves its character, named after the file, each with that character.

    Raises NeuraRigError if the file cannot be read or has no clip of a biped.
    """
    with imported(context, file) as (objects, actions):
        obj = max((obj for obj in objects if obj.type == "ARMATURE"), key=lambda obj: len(obj.data.bones), default=None)
        if obj is None:
            raise NeuraRigError(f"'{file.name}' holds no armature. Export it again with its skeleton.")
        with about(file.name):
            known = recalled([bone.name for bone in obj.data.bones])
            character = read_character(obj, bpy.context.scene, roles=known)
        moving = [action for action in actions if moves_bones(obj, action)]
        _require_worth(file, len(obj.data.bones), moving)
        clips = [read_clip(bpy.context, obj, action, character=character) for action in moving]
    if not clips:
        raise NeuraRigError(f"'{file.name}' holds no animation of its armature. Export it again with its animation.")
    names = [file.stem] if len(clips) == 1 else [f"{file.stem} {clip.name}" for clip in clips]
    return [(character, replace(clip, name=name)) for clip, name in zip(clips, names, strict=True)]


def _require_worth(file: Path, bones: int, actions: Iterable[bpy.types.Action]) -> None:
    """Raise NeuraRigError for actions that last longer than a file of that size may: one key far away makes a million frames."""
    frames = sum(float(np.ptp(action.frame_range)) + 1.0 for action in actions)
    if frames * bones * _BONE_BYTES > worth(size_of(file, LARGEST_SCENE)):
        raise NeuraRigError(
            f"'{file.name}' lasts {frames:.0f} frames, far more than it holds; remove keys that are far away, and export it again."
        )


@contextmanager
def imported(context: bpy.types.Context, file: Path) -> Iterator[tuple[list[bpy.types.Object], list[bpy.types.Action]]]:
    """Import a file into a scene of its own for the duration of the block; yields the imported objects and actions.

    Data, selection and scenes are restored afterwards.
    """
    before = {block.session_uid for block in _blocks()}
    try:
        with _own_scene(context):
            _import(file)
            yield _new(bpy.data.objects, before), _new(bpy.data.actions, before)
    finally:
        bpy.data.batch_remove(_new(_blocks(), before))


def _new(blocks: Iterable[Any], before: set[int]) -> list[Any]:
    return [block for block in blocks if block.session_uid not in before]


@contextmanager
def _own_scene(context: bpy.types.Context) -> Iterator[None]:
    """Show an empty scene at the same frame rate during the block: importers add to the shown scene, and change its range."""
    window = context.window or context.window_manager.windows[0]
    shown = window.scene
    own = bpy.data.scenes.new("NeuraRig Import")
    own.render.fps, own.render.fps_base = shown.render.fps, shown.render.fps_base
    window.scene = own
    try:
        with bpy.context.temp_override(window=window, scene=own, view_layer=own.view_layers[0]):
            yield
    finally:
        window.scene = shown


def _import(file: Path) -> None:
    module, operator, require_sound = IMPORTERS[file.suffix.lower()]
    if not addon_utils.check(module)[1] and addon_utils.enable(module, default_set=False) is None:
        raise NeuraRigError(f"Blender's importer '{module}' is not installed; convert '{file.name}' to .bvh.")
    require_sound(file)
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):  # importers report each mesh, and print tracebacks
            getattr(bpy.ops.import_scene, operator)(filepath=str(file.resolve()))
    except RuntimeError as problem:
        raise NeuraRigError(f"'{file.name}' cannot be imported ({_reason(problem)}); export it again.") from problem


def _reason(problem: RuntimeError) -> str:
    """Return the last line of an importer's message, which may hold a traceback and where Blender called it."""
    lines = [line for line in str(problem).strip().splitlines() if not line.startswith("Location: ")]
    return lines[-1].removeprefix("Error: ").rstrip(".") if lines else "its importer failed"


def _blocks() -> Iterator[bpy.types.ID]:
    """Yield every data-block of the file."""
    for collection in (getattr(bpy.data, name) for name in dir(bpy.data)):
        if isinstance(collection, bpy.types.bpy_prop_collection):
            yield from collection
