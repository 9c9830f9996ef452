"""Reading a clip from any source into an encoding with its contacts."""

from collections.abc import Generator
from dataclasses import replace

import bpy
import numpy as np

from ...core.character.character import Character
from ...core.detection.clip_roles import detect_of
from ...core.errors import NeuraRigError, about
from ...core.ikrig import storage
from ...core.ikrig.encoding import Encoding
from ...core.ikrig.mirror import mirror
from ...core.ikrig.resample import resample
from ...core.retarget.source import encode_clip
from ...core.skeleton.bvh import read_bvh
from ...core.skeleton.clip import Clip
from ...core.skeleton.standing_pose import as_in, raised, stands, stood
from ..character.read_character import read_character
from ..character.read_clip import read_clip_steps
from . import importing
from .choices import Choices
from .mappings import recalled
from .source import ENCODINGS, IMPORTED, ClipSource, needs_steps

SHORTEST = 2  # frames; a single pose is not a motion


def read_steps(context: bpy.types.Context, source: ClipSource) -> Generator[float, None, list[Encoding]]:
    """Return the clips of a source, usually one, at their own frame rates; yields the share done; if closed early, nothing has changed.

    Raises NeuraRigError, naming file or bone, if it cannot be read or is not of a biped.
    """
    yield 0.0
    if source.file is None:
        _require_playable(context, source)
        known = recalled([bone.name for bone in source.armature.data.bones])
        character = read_character(source.armature, context.scene, roles=known)
        clip = yield from read_clip_steps(context, source.armature, source.action, character=character)
        return [_encoded(character, clip)]
    ending = source.file.suffix.lower()
    if ending in IMPORTED:
        return [_encoded(character, clip) for character, clip in importing.read_imported(context, source.file)]
    if ending in ENCODINGS:
        # A .csv has no frame rate: its rows are frames of the scene.
        return [replace(storage.load(source.file, _fps(context.scene)), name=source.file.stem)]
    clip = read_bvh(source.file)
    with about(source.file.name):
        return [_encoded(_character_of(clip), clip)]


def _character_of(clip: Clip) -> Character:
    """Return the character of a clip: it stands at rest, else as in the frame of the clip in which it stands best."""
    roles = recalled(clip.skeleton.names) or detect_of(clip)
    stands_at_rest = stands(clip.skeleton, roles) or raised(clip.skeleton, roles)
    return Character.of(clip.skeleton, roles, standing=None if stands_at_rest else as_in(clip, clip.skeleton, roles))


def placed(encoding: Encoding, scene: bpy.types.Scene, choices: Choices) -> Encoding:
    """Return an encoding as the choices place it: on consecutive whole frames of the scene, at its frame rate."""
    begins = first_frame(scene, choices)
    sampled = resample(mirror(encoding) if choices.mirror else encoding, _fps(scene))
    frames = (float(round(encoding.frames[0])) if begins is None else float(begins)) + np.arange(float(len(sampled)))
    return replace(_from_start(sampled) if choices.start_here else sampled, frames=frames)


def first_frame(scene: bpy.types.Scene, choices: Choices) -> int | None:
    """Return the scene frame at which a clip begins, None if it keeps its own: a file begins with the scene."""
    if choices.frame_start is None and choices.source.file is not None:
        return scene.frame_start
    return choices.frame_start


def _from_start(encoding: Encoding) -> Encoding:
    """Return an encoding whose path begins at the origin, heading forward."""
    first = encoding.heading[0]
    turn = np.array([[np.cos(first), -np.sin(first)], [np.sin(first), np.cos(first)]])
    return replace(encoding, ground=(encoding.ground - encoding.ground[0]) @ turn, heading=encoding.heading - first)


def _require_playable(context: bpy.types.Context, source: ClipSource) -> None:
    """Raise NeuraRigError if a source has to be played but is not in the view layer, so that Blender does not evaluate it."""
    if source.armature.name not in context.view_layer.objects and needs_steps(context.scene, source):
        raise NeuraRigError(f"'{source.armature.name}' is not in the current view layer. Enable its collection in the Outliner first.")


def _fps(scene: bpy.types.Scene) -> float:
    return scene.render.fps / scene.render.fps_base


def _encoded(character: Character, clip: Clip) -> Encoding:
    """Return a clip, whose skeleton may stand elsewhere than its character's, as an encoding with its contacts."""
    if len(clip) < SHORTEST:
        raise NeuraRigError(f"'{clip.name}' is a single pose, no motion; choose a clip of two frames or more.")
    skeleton = stood(clip.skeleton, character.roles, character.standing)
    return encode_clip(replace(character, skeleton=skeleton), clip)
