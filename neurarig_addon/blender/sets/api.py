"""Locomotion sets for scripts; `blender.api` hands these on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy

from ...core.errors import NeuraRigError
from ...core.files.given_file import exists
from ...core.sets import naming
from ...core.sets.clip import clip_plans
from ..animation.steps import Steps, at_once
from ..character.roles import kind_of
from ..walk.settings import requirements
from . import options as set_options
from .export_set import SetOptions, file_names, set_steps


class FilesThereError(NeuraRigError):
    """A folder has files of a set already: `names`."""

    def __init__(self, folder: Path, names: list[str]) -> None:
        more = f" and {len(names) - 1} more files of the set" if len(names) > 1 else ""
        super().__init__(
            f"'{folder}' already has '{names[0]}'{more}. Turn on Overwrite, or choose another folder."
        )
        self.names = names


@at_once
def export_set(
    obj: bpy.types.Object,
    folder: str | Path,
    *,
    names: Sequence[str] = (),
    name_pattern: str = "",
    overwrite: bool = False,
    **options: Any,
) -> Steps[dict[str, Any]]:
    """Write the clips that a game needs of a walking character to a folder, and return the manifest, as in
    its `manifest.json`.

    Args:
        names: of the clips, such as 'walk_forward'; by default all of `clips`. name_pattern: how clips are
        called, such as '{character}_{name}', instead of the convention's names. overwrite: replace files that
        are there already. options: `clips` ('CORE', 'FULL' or 'RESPONSIVE'), `convention` ('GODOT', 'UNITY',
        'UNREAL', 'GAME_ANIMATION_SAMPLE', 'MIXAMO' or 'PLAIN'),
            `file_format` ('GLB' or 'FBX'), `travel` ('ROOT_BONE' or 'IN_PLACE'), `keep` (True leaves the game
            character in the file too, its clips as assets with pictures).

    Raises NeuraRigError without a walk, for an unknown option or name, for files that are there, or if the
    folder cannot be written.
    """
    set_options.require(**options)
    chosen = {option.name: option.default for option in set_options.OPTIONS} | options
    naming.require_pattern(name_pattern)
    plans = clip_plans(str(chosen["clips"]), tuple(names), kind_of(obj))
    requirements.require_walk(obj)
    require_place(str(folder))
    where = Path(bpy.path.abspath(str(folder)))
    how = {name: str(chosen[name]) for name in ("convention", "file_format", "travel")}
    set_of = SetOptions(**how, keep=bool(chosen["keep"]), pattern=name_pattern)
    if not overwrite and (
        there := [name for name in file_names(obj.name, plans, set_of) if exists(where / name)]
    ):
        raise FilesThereError(where, there)
    try:
        where.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as problem:
        raise NeuraRigError(
            f"The folder '{where}' cannot be made: {getattr(problem, 'strerror', problem)}. Choose another."
        ) from problem
    return set_steps(obj, where, plans, set_of)


def require_place(folder: str) -> None:
    """Raise NeuraRigError for no folder, or for one beside a file that is not saved yet."""
    if not folder.strip() or (folder.startswith("//") and not bpy.data.filepath):
        raise NeuraRigError(
            "The set has no folder, for this file is not saved. Save it first, or give a whole path."
        )
