"""Recordings for scripts; `blender.api` re-exports these functions.

    api.solve_clip(hero, file="capture.c3d")
    api.solve_clip(hero, collection=bpy.data.collections["Markers"], mapping={"wrist.L": "LWRA"})
    api.export_pose(hero, "hero.npz")

What the user can fix raises a NeuraRigError, and the file is then as it was.
"""

from dataclasses import fields
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from bpy.types import Action, Object

from ...core.errors import NeuraRigError
from ...core.files.json_text import is_finite
from ...core.neural import pose_parameters
from ...core.neural.point_body import PointBody
from ...core.neural.pose_parameters import PoseParameters
from ..animation.frame_range import checked_frame, frames_between, played_range
from ..animation.steps import Steps, at_once, finish_in_sight, part_of
from ..character import holding, integrity, record
from ..character.read_character import read_character
from ..character.read_clip import read_clip_steps
from ..character.record import POSE
from . import clip, live, settings
from . import clip as keys
from .clip import ClipOptions, SolvedClip
from .recording import PointRecording
from .requirements import checked_kind, first_way, ready
from .source import PointSource, read_recording_steps

SOURCES = {"file": settings.FILE, "source": settings.OBJECT, "collection": settings.COLLECTION}
CHOICES = ("mapping", "controls", "frame_start", "frame_end", *(field.name for field in fields(ClipOptions)))
_ENDING = ".npz"
_NOISIEST = 1000.0  # millimetres


def solve_clip(obj: Object, **given: Any) -> Action:
    """Solve recorded points to a new action, which the character then plays, and return the action.

    Args:
        given: `file` (.bvh; points in .c3d, .trc, .sto, .mot, .csv, .tsv, .npz, .npy, .json; pose parameters
        in .npz),
            `source` (an armature) or `collection`; `mapping`
            (canonical point -> recorded name, "subject" -> whose points); `contacts`, `resize`, `mend`,
            `noise` (mm); `controls`;
            `frame_start`, and `frame_end` if the source is not a file. What is not given comes from the
            settings.

    Raises NeuraRigError if the source has no person, or the character cannot take a clip now.
    """
    return finish_in_sight(solve_clip_steps(obj, **given))[0]


def solve_clip_steps(obj: Object, **given: Any) -> Steps[tuple[Action, SolvedClip]]:
    """Solve a recording step by step, as `solve_clip`: yields the share done; if closed early, nothing is
    left behind."""
    holding.require_attachable(obj, POSE)
    unknown = sorted(set(given) - {*SOURCES, *CHOICES})
    if unknown:
        raise NeuraRigError(
            f"Solving a clip has no setting '{unknown[0]}'; it has {', '.join((*SOURCES, *CHOICES))}."
        )
    own = obj.neurarig.neural_pose
    options = ClipOptions(
        **{
            option.name: given.get(option.name, getattr(own, option.name)) for option in settings.CLIP_OPTIONS
        },
        noise=given.get("noise", own.clip_noise),
    )
    if not (is_finite(options.noise) and 0.0 <= options.noise <= _NOISIEST):
        raise NeuraRigError(
            f"Noise '{options.noise}' is not the error of a point. Use 0 to {_NOISIEST:g} millimetres."
        )
    if given.get("frame_start") is not None:
        checked_frame(given["frame_start"], "start frame")
    kind = checked_kind(given.get("controls") or record.kind_of(obj) or own.controls)
    return _steps(obj, source_of(obj, given), options, kind, given.get("frame_start"), given.get("frame_end"))


@at_once
def export_pose(
    obj: Object, path: str | Path, frame_start: int | None = None, frame_end: int | None = None
) -> Steps[PoseParameters]:
    """Write a character's motion as SMPL-like pose parameters (.npz) and return them; see
    docs/reference/files.md.

    Raises NeuraRigError if the character is not a biped or the file cannot be written.
    """
    frames = None
    if frame_start is not None or frame_end is not None:
        frames = frames_between(frame_start, frame_end)
    return _write_steps(obj, Path(bpy.path.abspath(str(path))), frames)


def source_of(obj: Object, given: dict[str, Any]) -> PointSource:
    """Return the source of recorded points: as given, else as in the settings; raises NeuraRigError if none
    is named."""
    own = obj.neurarig.neural_pose
    mapping = given.get("mapping", own.mapping)
    mapping = mapping_of(mapping) if isinstance(mapping, str) else mapping
    named = [name for name in SOURCES if given.get(name) is not None]
    if len(named) > 1:
        raise NeuraRigError(f"A clip is solved from one source; both {named[0]} and {named[1]} were given.")
    kind = SOURCES[named[0]] if named else own.source_kind
    file, armature, collection = (given.get(name) if named else getattr(own, name) for name in SOURCES)
    if kind == settings.FILE:
        if not file:
            raise NeuraRigError(
                "No file is chosen. Choose a .bvh, a .npz of pose parameters, or a file of points in Solve"
                " Mocap."
            )
        return PointSource(file=Path(bpy.path.abspath(str(file))), mapping=mapping)
    if kind == settings.OBJECT:
        if armature is None or armature.type != "ARMATURE" or armature == obj:
            raise NeuraRigError("No armature with recorded points is chosen. Choose one in Solve Mocap.")
        return PointSource(armature=armature, mapping=mapping)
    if collection is None:
        raise NeuraRigError("No collection of points is chosen. Choose one in Solve Mocap.")
    return PointSource(collection=collection, mapping=mapping)


def mapping_of(text: str) -> dict[str, str]:
    """Read `wrist.L=Marker7, head=Top` as canonical point -> recorded name; raises NeuraRigError if it is not
    such a list."""
    found = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        point, equals, name = part.partition("=")
        if not equals:
            raise NeuraRigError(
                f"'{part}' does not name a recorded point. Use point=name, such as wrist.L=Marker7."
            )
        found[point.strip()] = name.strip()
    return found


def _steps(
    obj: Object,
    source: PointSource,
    options: ClipOptions,
    kind: str,
    first: int | None,
    last: int | None,
) -> Steps[tuple[Action, SolvedClip]]:
    scene = bpy.context.scene
    span = None if last is None else frames_between(first, last)
    recording = yield from part_of(read_recording_steps(source, span), 0.0, 0.7)
    if isinstance(recording, PointRecording):
        recording = recording.ready(1e-3 * options.noise, options.mend)
    recording = recording.at_rate(scene.render.fps / scene.render.fps_base)
    begins = (
        first
        if first is not None
        else played_range(scene)[0]
        if recording.first_frame is None
        else recording.first_frame
    )
    frames = float(begins) + np.arange(float(len(recording)))
    ways = integrity.Ways(first_way(kind))
    while True:
        with ways as way, ready(obj, way):
            rig = live.rig_of(obj)
            to_walk = np.linalg.inv(rig.walk_to_world(obj, scene.unit_settings.scale_length))
            solved = clip.solve_clip(rig, recording, to_walk, frames, options)
            yield 0.8
            written = keys.write_steps(obj, f"{obj.name} {solved.name}", frames, solved.channels)
            action = yield from part_of(written, 0.8, 1.0)
            return action, solved


def _write_steps(obj: Object, path: Path, frames: np.ndarray | None) -> Steps[PoseParameters]:
    """Write a character's motion over scene frames `(f,)` (None: all of its action, else of the scene);
    yields the share done.

    The pelvis' position is relative to the character's ground at the first frame.
    """
    if path.suffix.lower() != _ENDING:
        raise NeuraRigError(f"'{path.name}' must end in {_ENDING}.")
    character = read_character(obj)
    clip = yield from read_clip_steps(bpy.context, obj, frames=frames, character=character)
    motions = character.motions(clip)
    body = PointBody.of(character)
    parameters = PoseParameters.of(
        body.rotations(motions), motions["pelvis"].position, clip.fps, character.body.leg_length
    )
    pose_parameters.save(parameters, path)
    return parameters
