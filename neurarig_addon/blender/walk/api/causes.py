"""Why the body of a walk is thrown about, snaps or drops: what has to be left out for it to move as people
do."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ....core.errors import NeuraRigError
from ....core.gait.inputs.print_edits import NO_EDITS
from ....core.gait.kinds.profile_gait import ProfileGait
from ....core.gait.sliders.style import STYLE_WEIGHTS, Style, StyleTrack
from ....core.report.walk_report import jolts_of_pose
from ..walk import WalkSource

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
