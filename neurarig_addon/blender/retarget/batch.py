"""Clips onto one target: a single clip, several actions of a source, or a folder of files; each as its own action."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import bpy

from ...core.errors import NeuraRigError
from ..animation.steps import part_of
from ..character import attached, in_one_piece
from ..character.find_controls import find_controls_steps
from ..character.record import CLIP
from . import bake, read_source
from . import source as clip_source
from .choices import Choices
from .clip import first_way, read_target, solve_clip
from .source import ClipSource


@dataclass(frozen=True)
class BatchResult:
    """One clip of a batch: its action and, if checked, its report; or why there is none."""

    name: str
    action: bpy.types.Action | None = None
    report: dict | None = None
    refusal: str = ""


def clips_in(folder: Path) -> list[ClipSource]:
    """Return the clips of a folder, sorted by name; raises NeuraRigError if it holds none."""
    if not folder.is_dir():
        raise NeuraRigError(f"There is no folder '{folder}'.")
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in clip_source.READABLE and path.is_file())
    if not files:
        raise NeuraRigError(f"The folder '{folder}' holds no clips; they end in {', '.join(clip_source.READABLE)}.")
    return [ClipSource(file=file) for file in files]


def batch_steps(
    context: bpy.types.Context, obj: bpy.types.Object, choices: Choices, sources: Sequence[ClipSource], check: bool
) -> Generator[float, None, list[BatchResult]]:
    """Retarget clips one after the other and return their results; yields the share done.

    A refused clip is skipped; raises NeuraRigError if all are.  If it fails or is closed early, nothing has changed.
    """
    first = first_way(choices["controls"])
    found = yield from part_of(find_controls_steps(obj, context.scene, first), 0.0, 0.2)
    ways = in_one_piece.Ways(replace(first, found=found))
    while True:
        with ways as way:
            is_sought = len(sources) == 1 or not ways.is_last
            with attached.attached(obj, context.scene, CLIP, way):
                return (yield from part_of(_clips_steps(obj, choices, sources, check, is_sought), 0.2, 1.0))


def _clips_steps(
    obj: bpy.types.Object, choices: Choices, sources: Sequence[ClipSource], check: bool, is_sought: bool
) -> Generator[float, None, list[BatchResult]]:
    """Retarget clips to an attached target; `is_sought`: raise if it comes apart in the first of them, so that another way is tried."""
    made: list[BatchResult] = []
    try:
        for number, source in enumerate(sources):
            steps = _clip_steps(bpy.context, obj, replace(choices, source=source), check)
            try:
                made += yield from part_of(steps, number / len(sources), (number + 1) / len(sources))
            except NeuraRigError as refusal:
                if isinstance(refusal, in_one_piece.CameApartError) and is_sought and not any(clip.action for clip in made):
                    raise
                made.append(BatchResult(source.label, refusal=str(refusal)))
        if not any(clip.action for clip in made):
            others = f" ({len(made)} clips were refused, this is the first.)" if len(made) > 1 else ""
            raise NeuraRigError(made[0].refusal + others)
    except BaseException:
        _remove(made)
        raise
    return made


def _clip_steps(
    context: bpy.types.Context, obj: bpy.types.Object, choices: Choices, check: bool
) -> Generator[float, None, list[BatchResult]]:
    """Retarget the clips of one source (a file may hold several) to an attached target; yields the share done."""
    source, scene = choices.source, context.scene
    clip_source.check(source, obj)
    encodings = yield from part_of(read_source.read_steps(context, source), 0.0, 0.4)
    made: list[BatchResult] = []
    try:
        for number, encoding in enumerate(encodings):
            clip = solve_clip(read_source.placed(encoding, scene, choices), read_target(obj, scene), choices.options)
            name = encoding.name if source.file else f"{obj.name} {encoding.name}"
            steps = bake.bake_steps(context, obj, clip, name, choices["step"], check)
            begins, share = 0.4 + 0.6 * number / len(encodings), 0.6 / len(encodings)
            action, report = yield from part_of(steps, begins, begins + share)
            made.append(BatchResult(action.name, action, report))
    except BaseException:
        _remove(made)
        raise
    return made


def _remove(made: list[BatchResult]) -> None:
    for clip in made:
        if clip.action is not None:
            bpy.data.actions.remove(clip.action)
