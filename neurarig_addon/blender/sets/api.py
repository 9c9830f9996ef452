"""Locomotion sets for scripts; `blender.api` hands these on."""

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import bpy

from ...core.errors import NeuraRigError
from ...core.sets import naming
from ...core.sets.clip_plan import clip_plans
from ..animation.steps import finish_in_sight
from ..walk.settings import requirements
from . import options as set_options
from .export_set import SetOptions, set_steps


def export_set(
    obj: bpy.types.Object, folder: str | Path, *, names: Sequence[str] = (), name_pattern: str = "", **options: Any
) -> dict[str, Any]:
    """Write the clips that a game needs of a walking character to a folder, and return the manifest, as in its `manifest.json`.

    Args:
        names: of the clips, such as 'walk_forward'; by default all of `clips`.
        name_pattern: how clips are called, such as '{character}_{name}', instead of the convention's names.
        options: `clips` ('CORE' or 'FULL'), `convention` ('GODOT', 'UNITY', 'UNREAL', 'GAME_ANIMATION_SAMPLE', 'MIXAMO' or 'PLAIN'),
            `file_format` ('GLB' or 'FBX'), `travel` ('ROOT_BONE' or 'IN_PLACE'), `keep` (True leaves the game character in the
            file too, its clips as assets with pictures).

    Raises NeuraRigError without a walk, for an unknown option or name, or if the folder cannot be written.
    """
    return finish_in_sight(export_set_steps(obj, folder, names=names, name_pattern=name_pattern, **options))


def export_set_steps(
    obj: bpy.types.Object, folder: str | Path, *, names: Sequence[str] = (), name_pattern: str = "", **options: Any
) -> Generator[float, None, dict[str, Any]]:
    """As `export_set`, step by step: yields the share done; if closed early, the character is as it was."""
    set_options.require(**options)
    chosen = {option.name: option.default for option in set_options.OPTIONS} | options
    naming.require_pattern(name_pattern)
    plans = clip_plans(str(chosen["clips"]), tuple(names))
    requirements.require_walk(obj)
    where = Path(bpy.path.abspath(str(folder)))
    try:
        where.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise NeuraRigError(f"The folder '{where}' cannot be made: {problem.strerror}. Choose another.") from problem
    how = {name: str(chosen[name]) for name in ("convention", "file_format", "travel")}
    return set_steps(obj, where, plans, SetOptions(**how, keep=bool(chosen["keep"]), pattern=name_pattern))
