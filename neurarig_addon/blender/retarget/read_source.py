"""Reading a clip, wherever it comes from, into an encoding with its contacts."""

from collections.abc import Generator
from dataclasses import replace

import bpy
import numpy as np

from ...core.bvh import read_bvh
from ...core.character import Character
from ...core.clip import Clip
from ...core.errors import NeuraRigError
from ...core.ikrig import storage
from ...core.ikrig.encoding import Encoding
from ...core.ikrig.resample import resample
from ...core.retarget.source import encode_clip
from ..read_character import read_character
from ..read_clip import read_clip_steps
from . import importing
from .clip_source import ENCODINGS, IMPORTED, ClipSource

SHORTEST = 2  # frames; one pose is no motion


def read_steps(context: bpy.types.Context, source: ClipSource) -> Generator[float, None, list[Encoding]]:
    """Return the clips of a source at their own frame rates, most often one; yields the share done, closed early leaves all as it was.

    Raises NeuraRigError, naming file or bone, where it cannot be read or is none of a biped.
    """
    yield 0.0
    if source.file is None:
        character = read_character(source.armature, context.scene)
        clip = yield from read_clip_steps(context, source.armature, source.action, character=character)
        return [_encoded(character, clip)]
    ending = source.file.suffix.lower()
    if ending in IMPORTED:
        return [_encoded(character, clip) for character, clip in importing.read_imported(context, source.file)]
    if ending in ENCODINGS:
        # The rows of a .csv, which tells no rate, are frames of the scene.
        return [replace(storage.load(source.file, _fps(context.scene)), name=source.file.stem)]
    clip = read_bvh(source.file)
    return [_encoded(Character.of(clip.skeleton), clip)]


def on_scene_frames(encoding: Encoding, scene: bpy.types.Scene, first: int | None) -> Encoding:
    """Return an encoding on consecutive whole frames of the scene, at its frame rate, from frame `first`, else from its own first one."""
    begins = float(round(encoding.frames[0])) if first is None else float(first)
    sampled = resample(encoding, _fps(scene))
    return replace(sampled, frames=begins + np.arange(float(len(sampled))))


def _fps(scene: bpy.types.Scene) -> float:
    return scene.render.fps / scene.render.fps_base


def _encoded(character: Character, clip: Clip) -> Encoding:
    """Return a clip, whose skeleton may stand elsewhere than its character's, as an encoding with its contacts."""
    if len(clip) < SHORTEST:
        raise NeuraRigError(f"'{clip.name}' is a single pose, no motion; choose a clip of two frames or more.")
    return encode_clip(replace(character, skeleton=clip.skeleton), clip)
