"""Locomotion sets for scripts; `blender.api` hands these on."""

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import bpy

from ...core.errors import NeuraRigError
from ...core.files.given_file import exists
from ...core.sets import naming
from ...core.sets.clip_plan import ClipPlan, clip_plans
from ..animation.steps import finish_in_sight
from ..walk.settings import requirements
from . import options as set_options
from .export_set import SetOptions, file_names, set_steps


def export_set(
    obj: bpy.types.Object,
    folder: str | Path,
    *,
    names: Sequence[str] = (),
    name_pattern: str = "",
    overwrite: bool = False,
    **options: Any,
) -> dict[str, Any]:
    """Write the clips that a game needs of a walking character to a folder, and return the manifest, as in its `manifest.json`.

    Args:
        names: of the clips, such as 'walk_forward'; by default all of `clips`.
        name_pattern: how clips are called, such as '{character}_{name}', instead of the convention's names.
        overwrite: replace files that are there already.
        options: `clips` ('CORE' or 'FULL'), `convention` ('GODOT', 'UNITY', 'UNREAL', 'GAME_ANIMATION_SAMPLE', 'MIXAMO' or 'PLAIN'),
            `file_format` ('GLB' or 'FBX'), `travel` ('ROOT_BONE' or 'IN_PLACE'), `keep` (True leaves the game character in the
            file too, its clips as assets with pictures).

    Raises NeuraRigError without a walk, for an unknown option or name, for files that are there, or if the folder cannot be written.
    """
    return finish_in_sight(export_set_steps(obj, folder, names=names, name_pattern=name_pattern, overwrite=overwrite, **options))


def export_set_steps(
    obj: bpy.types.Object,
    folder: str | Path,
    *,
    names: Sequence[str] = (),
    name_pattern: str = "",
    overwrite: bool = False,
    **options: Any,
) -> Generator[float, None, dict[str, Any]]:
    """As `export_set`, step by step: yields the share done; if closed early, the character is as it was."""
    where, plans, how = _task(obj, folder, names, name_pattern, options)
    if not overwrite and (there := _there(obj, where, plans, how)):
        more = f" and {len(there) - 1} more files of the set" if len(there) > 1 else ""
        raise NeuraRigError(f"'{where}' already has '{there[0]}'{more}. Turn on Overwrite, or choose another folder.")
    try:
        where.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise NeuraRigError(f"The folder '{where}' cannot be made: {problem.strerror}. Choose another.") from problem
    return set_steps(obj, where, plans, how)


def files_there(obj: bpy.types.Object, folder: str | Path, *, name_pattern: str = "", **options: Any) -> list[str]:
    """Return the names of the files that `export_set` would overwrite; raises NeuraRigError as it does."""
    return _there(obj, *_task(obj, folder, (), name_pattern, options))


def _there(obj: bpy.types.Object, where: Path, plans: Sequence[ClipPlan], how: SetOptions) -> list[str]:
    return [name for name in file_names(obj, plans, how) if exists(where / name)]


def _task(
    obj: bpy.types.Object, folder: str | Path, names: Sequence[str], name_pattern: str, options: dict[str, Any]
) -> tuple[Path, list[ClipPlan], SetOptions]:
    """Return what to write and where; raises NeuraRigError if that is impossible."""
    set_options.require(**options)
    chosen = {option.name: option.default for option in set_options.OPTIONS} | options
    naming.require_pattern(name_pattern)
    plans = clip_plans(str(chosen["clips"]), tuple(names))
    requirements.require_walk(obj)
    require_place(str(folder))
    how = {name: str(chosen[name]) for name in ("convention", "file_format", "travel")}
    return Path(bpy.path.abspath(str(folder))), plans, SetOptions(**how, keep=bool(chosen["keep"]), pattern=name_pattern)


def require_place(folder: str) -> None:
    """Raise NeuraRigError for no folder, or for one beside a file that is not saved yet."""
    if not folder.strip() or (folder.startswith("//") and not bpy.data.filepath):
        raise NeuraRigError("The set has no folder, for this file is not saved. Save it first, or give a whole path.")
