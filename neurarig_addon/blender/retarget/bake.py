"""Clips onto one target as keyframes of new actions: a single clip, several actions of a source, or a folder
of files.

The user's own actions are never changed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import bpy
import numpy as np
from bpy.types import Action, FCurve, Object
from mathutils import Matrix

from ...core.body.feet import SWING
from ...core.errors import NeuraRigError
from ...core.geometry.vectors import transformed
from ...core.ikrig.encoding import Encoding
from ...core.report.clip_report import clip_report
from ...core.retarget.options import Root
from ...core.skeleton.roles import FEET as FOOT_NAMES
from ..animation import compat
from ..animation.keyframes import BEZIER, LINEAR, Channel, bone_channels, write_channels
from ..animation.objects import is_deleted
from ..animation.scratch import alone, seen
from ..animation.steps import Steps, part_of
from ..character import bakes, carry, holding, integrity, legs, stash
from ..character.integrity import DeformingBones, find_controls_steps
from ..character.legs import FEET, HEAD, LEGS, CarriedPoints
from ..character.own_animation import carry_over, own_channels
from ..character.record import CLIP
from ..over import wishes
from . import read_source, splices
from . import source as clip_source
from .choices import Choices
from .clip import OBJECT_CHANNELS, TargetClip, first_way, read_target, solve_clip
from .source import ClipSource


@dataclass(frozen=True)
class BatchResult:
    """One clip of a batch: its action, what to know of it (`remark`) and, if checked, its report; or why
    there is none."""

    name: str
    action: Action | None = None
    report: dict | None = None
    refusal: str = ""
    remark: str = ""


def clips_in(folder: Path) -> list[ClipSource]:
    """Return the clips of a folder, sorted by name; raises NeuraRigError if it holds none."""
    if not folder.is_dir():
        raise NeuraRigError(f"There is no folder '{folder}'.")
    files = sorted(
        path for path in folder.iterdir() if path.suffix.lower() in clip_source.READABLE and path.is_file()
    )
    if not files:
        raise NeuraRigError(
            f"The folder '{folder}' holds no clips; they end in {', '.join(clip_source.READABLE)}."
        )
    return [ClipSource(file=file) for file in files]


def batch_steps(
    obj: Object, choices: Choices, sources: Sequence[ClipSource], check: bool
) -> Steps[list[BatchResult]]:
    """Retarget clips one after the other and return their results; yields the share done.

    A refused clip is skipped; raises NeuraRigError if all are. If it fails or is closed early, nothing has
    changed.
    """
    own = yield from part_of(_own_steps(obj, sources), 0.0, 0.1)
    for clip, *_ in own.values() if choices["fill"] else ():
        read_source.gap(clip, choices)  # refused before a bake is handed over, which loses its switches
    first = first_way(choices["controls"])
    found = yield from part_of(find_controls_steps(obj, first), 0.1, 0.2)
    ways = integrity.Ways(replace(first, found=found))
    while True:
        with ways as way:
            is_sought = len(sources) == 1 or not ways.is_last
            with holding.attached(obj, bpy.context.scene, CLIP, way):
                return (
                    yield from part_of(_clips_steps(obj, choices, sources, own, check, is_sought), 0.2, 1.0)
                )


def _own_steps(obj: Object, sources: Sequence[ClipSource]) -> Steps[dict[ClipSource, list[Encoding]]]:
    """Return the clips of those sources that are the target's own actions: they are read before its rig is
    set up to take them."""
    own = [source for source in sources if source.armature == obj]
    for source in own:
        clip_source.require_readable_own(bpy.context.scene, source)
    found = {}
    for number, source in enumerate(own):
        found[source] = yield from part_of(
            read_source.read_steps(bpy.context, source, is_own=True),
            number / len(own),
            (number + 1) / len(own),
        )
    return found


def _clips_steps(
    obj: Object,
    choices: Choices,
    sources: Sequence[ClipSource],
    own: Mapping[ClipSource, list[Encoding]],
    check: bool,
    is_sought: bool,
) -> Steps[list[BatchResult]]:
    """Retarget clips to an attached target, of which its `own` are read.

    `is_sought`: raise if it comes apart in the first of them, so that another way is tried.
    """
    results: list[BatchResult] = []
    try:
        for number, source in enumerate(sources):
            steps = _clip_steps(obj, replace(choices, source=source), own.get(source), check)
            try:
                results += yield from part_of(steps, number / len(sources), (number + 1) / len(sources))
            except NeuraRigError as refusal:
                if (
                    isinstance(refusal, integrity.CameApartError)
                    and is_sought
                    and not any(clip.action for clip in results)
                ):
                    raise
                results.append(BatchResult(source.label, refusal=str(refusal)))
        if not any(clip.action for clip in results):
            others = f" ({len(results)} clips were refused, this is the first.)" if len(results) > 1 else ""
            raise NeuraRigError(results[0].refusal + others)
    except BaseException:
        _remove(results)
        raise
    return results


def _clip_steps(
    obj: Object, choices: Choices, read: list[Encoding] | None, check: bool
) -> Steps[list[BatchResult]]:
    """Retarget the clips of one source (a file may hold several) to an attached target, `read` before if own;
    yields the share done."""
    source, scene = choices.source, bpy.context.scene
    clip_source.check(source, obj)
    encodings = read or (yield from part_of(read_source.read_steps(bpy.context, source), 0.0, 0.4))
    results: list[BatchResult] = []
    try:
        for number, encoding in enumerate(encodings):
            target = read_target(obj, scene)
            placed = read_source.placed(encoding, obj, scene, choices, target)
            clip = solve_clip(placed, target, choices.options)
            own = list(clip_source.curves_of(source)) if placed.is_own and clip.gaps else []
            own = own if splices.fits(obj, own, clip.channels) else []
            name = (
                encoding.name
                if source.file or encoding.name.startswith(obj.name)
                else f"{obj.name} {encoding.name}"
            )
            steps = bake_steps(obj, clip, name, choices["step"], check, own)
            begins, share = 0.4 + 0.6 * number / len(encodings), 0.6 / len(encodings)
            action, report = yield from part_of(steps, begins, begins + share)
            results.append(BatchResult(action.name, action, report, remark=encoding.remark))
    except BaseException:
        _remove(results)
        raise
    return results


def _remove(results: list[BatchResult]) -> None:
    for clip in results:
        if clip.action is not None:
            bpy.data.actions.remove(clip.action)


def bake_steps(
    obj: Object,
    clip: TargetClip,
    name: str,
    step: int,
    check: bool,
    own: Sequence[FCurve] = (),
) -> Steps[tuple[Action, dict | None]]:
    """Write every `step`-th frame of a clip (and the last) into a new action, play it on the target, and
    return action and report.

    `own`: curves of the target's whose keys stay.
    Yields the share done. If interrupted, closed early, or if the target comes apart, no action remains, and
    the target plays what it
    played before.
    """
    wants = yield from part_of(wishes.at_frames_steps(bpy.context.scene, obj, clip.frames), 0.0, 0.2)
    clip = clip if wants is None else clip.over(wants)
    before = compat.playing(obj)
    carried = obj.neurarig.is_carried
    if clip.steps is not None and not carried:
        carry.stand(obj)
        carry.moved_by(obj, Matrix())
    with bakes.fresh(obj, name) as (action, slot):
        try:
            stays = list(own) or (splices.played(obj, clip.before) if clip.before else [])
            if wants is None and (stays or clip.before):
                if clip.before and not stays:
                    _write(obj, (action, slot), clip.before, int(step))
                splices.write(
                    obj,
                    (action, slot),
                    stays,
                    channels_of(obj, clip),
                    clip,
                    int(step),
                    bool(own),
                )
            else:
                _write(obj, (action, slot), clip, int(step))
            carry_over(obj, action, slot)
            _describe(action, clip)
            yield 0.4
            obj.neurarig.retarget.live = False
            holding.make_way(obj, OBJECT_CHANNELS if clip.steps is not None else ())
            bakes.take_over(obj, action, slot)
            report = None
            if check:
                report = yield from part_of(_measure_steps(obj, clip), 0.4, 1.0)
                integrity.require(obj, report)
            else:
                yield from part_of(
                    integrity.require_steps(obj, bpy.context.scene, clip.target.character.roles, clip.frames),
                    0.4,
                    1.0,
                )
        except BaseException:
            if not is_deleted(obj):
                keyed = bakes.keyed_of_object(obj)
                stash.play(obj, *before)
                if not carried:
                    carry.put_back(obj, keyed)
            raise
    return action, report


def _write(obj: Object, into: bakes.Acting, clip: TargetClip, step: int) -> None:
    """Write every `step`-th frame of a clip, and the last, into a new action."""
    rows = np.union1d(np.arange(0, len(clip.frames), step), len(clip.frames) - 1)
    channels = channels_of(obj, clip)
    channels += own_channels(obj, clip.frames, {channel.path for channel in channels})
    keyed = [
        replace(channel, values=channel.values[rows if len(channel.values) > 1 else slice(None)])
        for channel in channels
    ]
    write_channels(*into, clip.frames[rows], keyed, LINEAR if step == 1 else BEZIER)


def channels_of(obj: Object, clip: TargetClip) -> list[Channel]:
    """Return the channels of the action: bones, the rig's switches, so that it plays without the add-on, and
    the carried object."""
    found = bone_channels(clip.channels) + bakes.switches(obj)
    return found + ([] if clip.steps is None else carry.channels(obj, clip.steps))


def _describe(action: Action, clip: TargetClip) -> None:
    """Mark an action as a bake, with markers where a foot touches or leaves the ground."""
    bakes.mark(action, clip.frames)
    for side, letter in enumerate(FOOT_NAMES[: clip.retargeted.pivots.shape[1]]):
        stands = clip.retargeted.pivots[:, side] != SWING
        for row in np.flatnonzero(stands[1:] != stands[:-1]) + 1:
            action.pose_markers.new(f"{letter} Contact" if stands[row] else f"{letter} Lift").frame = round(
                clip.frames[row]
            )


def _measure_steps(obj: Object, clip: TargetClip) -> Steps[dict]:
    """Return the contact report of a clip playing on an object; yields the share done; the scene's frame is
    restored afterwards."""
    body, rig = clip.target.character.body, clip.target.rig
    carried = CarriedPoints(obj, body, clip.target.character.roles)
    points = np.empty((len(clip.frames), *carried.local.shape))
    deforming = DeformingBones(obj, bpy.context.scene, clip.target.character.roles, len(clip.frames))
    to_origin = np.linalg.inv(np.array(carry.origin(obj)))
    with alone(bpy.context.scene, obj) as passing:
        for row, frame in enumerate(clip.frames):
            evaluated = seen(passing, obj, int(frame))
            points[row] = carried.evaluated(evaluated)
            deforming.look(row, evaluated)
            if clip.root is Root.OBJECT:
                points[row] = transformed(points[row], to_origin @ np.array(evaluated.matrix_basis))
            yield (row + 1) / len(clip.frames)
    points = transformed(points, np.linalg.inv(rig.placement @ body.walk_to_armature))
    if clip.root is Root.IN_PLACE:  # with the travel that is left out of the character
        left_out = clip.retargeted.pose.root
        points = (
            np.einsum("fij,fspj->fspi", left_out.rotation, points - left_out.rest)
            + left_out.position[:, None, None]
        )
    retargeted = clip.retargeted
    measured = points[:, :, FEET], points[:, :, LEGS], points[:, 0, HEAD]
    report = clip_report(
        *measured, body, retargeted.pivots, retargeted.fps, clip.frames, deforming.judged(), retargeted.off
    )
    return report | ({"cure": cure} if (cure := legs.stiff_cure(obj)) else {})
