"""Export of a character's motion as SMPL-like pose parameters."""

from collections.abc import Generator
from pathlib import Path

import bpy
import numpy as np

from ...core.errors import NeuraRigError
from ...core.neural import pose_parameters
from ...core.neural.point_body import PointBody
from ...core.neural.pose_parameters import PoseParameters
from ..character.read_character import read_character
from ..character.read_clip import read_clip_steps

ENDING = ".npz"


def export_steps(
    context: bpy.types.Context, obj: bpy.types.Object, path: Path, frames: np.ndarray | None
) -> Generator[float, None, PoseParameters]:
    """Write a character's motion over scene frames `(f,)` (None: all of its action, else of the scene); yields the share done.

    The pelvis' position is relative to the character's ground at the first frame.
    """
    if path.suffix.lower() != ENDING:
        raise NeuraRigError(f"'{path.name}' must end in {ENDING}.")
    character = read_character(obj, context.scene)
    clip = yield from read_clip_steps(context, obj, frames=frames, character=character)
    motions = character.motions(clip)
    body = PointBody.of(character)
    parameters = PoseParameters.of(body.rotations(motions), motions["pelvis"].position, clip.fps, character.body.leg_length)
    pose_parameters.save(parameters, path)
    return parameters
