"""How well a character walks, for scripts: its contact report, measured on the evaluated pose; `blender.api`
hands these on."""

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np
from bpy.types import Object

from ....core.errors import NeuraRigError
from ....core.files.whole_file import write_text
from ....core.gait.inputs.print_edits import NO_EDITS
from ....core.gait.kinds.profile_gait import ProfileGait
from ....core.gait.sliders.style import STYLE_WEIGHTS, Style, StyleTrack
from ....core.geometry.vectors import transformed
from ....core.report.walk_report import contact_report as report_of
from ....core.report.walk_report import jolts_of_pose
from ...animation import compat
from ...animation.frame_range import frames_between
from ...animation.scratch import alone, seen
from ...animation.steps import Steps, at_once
from ...character import carry, legs
from ...character.integrity import DeformingBones
from ...character.legs import CARRIERS, FEET, HEAD, LEGS, CarriedPoints
from ...character.stored_json import parsed
from ...interface import report_text
from ...keys import figures
from ..manner.gait_source import HUMAN_GAIT
from ..settings import requirements
from ..source.memory import held_back
from ..source.source import source_of
from ..walk import WalkSource
from ..way import deck

GOING = ("speed", "influence")
NOT_PLANNED = 0.8  # share of what was measured; a plan that does less of it is not to blame


def cause_of(source: WalkSource, figure: str, frames: np.ndarray, report: dict) -> str:
    """Return why a figure of a report over frames `(f,)` is past its limit: one of `report_text.REMEDIES`."""
    measured, limit, frame = report[figure], report["limits"][figure], report["worst_frames"][figure]
    if _planned(source, figure, frames) < NOT_PLANNED * measured:
        return "others"
    for cause, without in _without(source, np.array(frame)):
        if _planned(without, figure, frames) <= limit:
            return cause
    if source.path.marks:
        return "markers"
    if not source.ground.is_level:
        return "ground"
    law = source.gait.law
    if isinstance(law, ProfileGait):
        return "profile"
    return "pace" if law.runs or not law.contacts.takes_turns else "pace of a walk"


def _without(source: WalkSource, frame: np.ndarray) -> Iterator[tuple[str, WalkSource]]:
    """Yield what can be left out, and the walk without it: edits, and sliders that change or are not
    natural."""
    track = source.track
    if source.edits:
        yield "prints", source.with_edits(NO_EDITS)
    if not track.curves.keys().isdisjoint(GOING):
        steady = {"speed": float(track.going().at("speed", frame)), "influence": 1.0}
        yield "speed", replace(source, track=_held(track, steady))
    if source.gait.styling is not None:
        yield "styles", replace(source, track=_held(track, dict.fromkeys(STYLE_WEIGHTS, 0.0)))
    if keyed := track.curves.keys() - GOING:
        yield (
            "keys",
            replace(source, track=_held(track, {name: float(track.at(name, frame)) for name in keyed})),
        )
    if track.constant != (natural := Style(speed=track.constant.speed)):
        yield "manner", replace(source, track=replace(track, constant=natural))


def _held(track: StyleTrack, values: dict[str, float]) -> StyleTrack:
    """Return a track with some sliders constant."""
    curves = {name: curve for name, curve in track.curves.items() if name not in values}
    return replace(track, constant=replace(track.constant, **values), curves=curves)


def _planned(source: WalkSource, figure: str, frames: np.ndarray) -> float:
    """Return a figure of a walk as planned; infinite for one that cannot be planned, or tells nothing of
    it."""
    try:
        jolts = jolts_of_pose(source.pose(frames), source.body, source.clock.fps)
    except NeuraRigError:
        return np.inf
    return jolts[figure].value if figure in jolts else np.inf


MEASURED_CYCLES = 2
SETTLES_S = 1.5  # seconds after its last change of speed that a walk needs to show whether it has dropped
LEAST_MEASURED = 4.0  # frames
MOST_MEASURED = 250  # frames; a very slow or long walk is judged by its beginning


@at_once
def contact_report(obj: Object, frames: tuple[int, int] | None = None) -> Steps[dict]:
    """Measure a walk on the evaluated pose over `frames` (inclusive), store and return the report.

    By default over its first cycles and all keyed changes of speed, 250 frames at most.

    Raises NeuraRigError without a walk, or if the walk is impossible.
    """
    requirements.require_walk(obj)
    source = source_of(obj)
    rows = frames_between(*(frames or _measured_frames(source)))
    measured = yield from measure_steps(obj, rows)
    report = figures.allowed(measured, compat.playing(obj)[0])
    report |= {"cure": cure} if report["past_limits"] and (cure := legs.stiff_cure(obj)) else {}
    if worst := report_text.worst_jolt(report):
        report["cause"] = cause_of(source, worst, rows, report)
    if source.program:
        items = obj.neurarig.walk.acts
        report["acts_skin_m"] = [
            [items[number].name, items[number].thing.name if items[number].thing else "", where, deep]
            for number, where, deep in source.program.sunk
        ]
    report["held_back"] = list(held_back(obj, rows[0]))
    report["gait"] = obj.neurarig.walk.gait if obj.neurarig.walk.gait_source == HUMAN_GAIT else ""
    obj.neurarig.walk.report = json.dumps(report)
    obj.neurarig.walk.report_is_old = False
    return report


def _measured_frames(source: WalkSource) -> tuple[int, int]:
    """Return the first and last frame of the first cycles; where the speed is keyed, until it has settled."""
    first, last = source.clock.start, source.clock.start + MEASURED_CYCLES * source.cycle_frames
    if (keyed := source.track.going().curves.get("speed")) is not None:
        changes = np.flatnonzero(np.diff(keyed[1]))
        last = max([last, *(keyed[0][changes[-1:] + 1] + SETTLES_S * source.clock.fps)])
    if source.blend is not None:  # what comes then is the action's
        last = max(first + LEAST_MEASURED, min(last, source.blend.joint.frame))
    return math.ceil(first), math.ceil(first) + math.ceil(min(last - first, MOST_MEASURED))


def save_report(obj: Object, path: Path) -> None:
    """Write a character's last contact report as JSON.

    Raises NeuraRigError without a report, or if the file cannot be written.
    """
    report = parsed(obj.neurarig.walk.report)
    if not report:
        raise NeuraRigError(f"'{obj.name}' has no contact report. Click Check Motion first.")
    write_text(path, json.dumps(report, indent=2) + "\n")


def summary(obj: Object, report: dict) -> str:
    """Return a contact report in one sentence."""
    return report_text.sentence(obj.name, report)


def measure_steps(obj: Object, frames: np.ndarray) -> Steps[dict]:
    """Return the contact report of a walk, live or baked, over consecutive frames `(f,)`; yields the share
    done.

    The scene's frame is restored.  Raises NeuraRigError if the rig cannot walk.
    """
    scene = bpy.context.scene
    source = source_of(obj, scene)
    pose = source.pose(frames)
    carried = CarriedPoints(obj, source.body, source.roles)
    points = np.empty((len(frames), len(carried.bones), len(CARRIERS), 3))
    deforming = DeformingBones(obj, scene, source.roles, len(frames))
    carrier = deck.of(obj)
    with alone(scene, obj, *deck.decks_under(obj)) as passing:
        for row, frame in enumerate(frames):
            evaluated = seen(passing, obj, frame)
            points[row] = carried.evaluated(evaluated)
            deforming.look(row, evaluated)
            if carrier:
                # as if the deck had not moved
                place = deck.place_at(carrier, passing.view_layers[0].depsgraph)
                stood = np.linalg.inv(deck.step_of(obj, place))
                points[row] = transformed(_from_origin(evaluated, obj, points[row]), stood)
            elif source.travels_with == "OBJECT" and source.turns:
                points[row] = _from_origin(evaluated, obj, points[row])
            elif source.travels_with == "OBJECT":
                points[row] += _object_travel(evaluated, obj)
            yield (row + 1) / len(frames)
    points = _in_walk_frame(points, source)
    if source.travels_with:
        points = pose.root.seen(points)
    measured = points[:, :, FEET], points[:, :, LEGS], points[:, 0, HEAD]
    spans = source.program.spans if source.program else ()
    seated = [rest for span in spans for rest in span.seated]
    carries = source.program.carries if source.program else ()
    carried = [(one.taken.begin, one.until, one.taken.weight) for one in carries]
    return report_of(
        *measured, source.body, pose, source.clock.fps, deforming.judged(), source.ground, seated, carried
    )


def _from_origin(evaluated: Object, obj: Object, points: np.ndarray) -> np.ndarray:
    """Return points `(..., 3)` of the evaluated object in the armature space of its origin."""
    moved = np.linalg.inv(np.array(carry.origin(obj))) @ np.array(evaluated.matrix_basis)
    return transformed(points, moved)


def _object_travel(evaluated: Object, obj: Object) -> np.ndarray:
    """Return how far the evaluated object is from the walk's origin, in armature space `(3,)`."""
    origin = np.array(carry.origin(obj).translation)
    basis = np.array(evaluated.matrix_basis)
    return np.linalg.solve(basis[:3, :3], basis[:3, 3] - origin)


def _in_walk_frame(points: np.ndarray, source: WalkSource) -> np.ndarray:
    """Return armature-space points `(..., 3)` in the walk frame, metres, without the user's placement of the
    character."""
    to_walk = np.linalg.inv(source.rig.placement @ source.body.walk_to_armature)
    return transformed(points, to_walk)
