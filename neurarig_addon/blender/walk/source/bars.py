"""When a walk does what it was told on its way: its acts, its waypoints with their pauses and turns, and its
arrival, as bars on the timeline."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from bpy.types import Object

from ....core.acts.moments import seconds_at
from ...live.memory import Memory
from ..walk import WalkSource
from ..way.markers import ACT, ARRIVAL, WAYPOINT
from . import memory

SAME = 1e-6  # metres


@dataclass(frozen=True, eq=False)
class Bar:
    """An act or a waypoint, by its `number` in its list, or the arrival: from one shown frame to another.

    `holds`: whether it can last longer. `place` `(3,)`: where the walk is then, in its walk frame.
    """

    what: str
    number: int
    name: str
    begin: float
    end: float
    holds: bool
    place: np.ndarray


_bars: Memory[tuple[WalkSource, tuple[Bar, ...]]] = Memory()


def bars_of(obj: Object) -> tuple[Bar, ...]:
    """Return the bars of a walking object as it was last posed; none of one that has not been."""
    source, known = memory.known(obj), _bars.get(obj)
    if source is None:
        return ()
    if known is None or known[0] is not source:
        known = _bars[obj] = (source, tuple(_made(obj, source)))
    return known[1]


def _made(obj: Object, source: WalkSource) -> Iterator[Bar]:
    settings = obj.neurarig.walk
    found: list[tuple[Any, ...]] = []
    for span in source.program.spans if source.program else ():
        holds = source.acts[span.number].act.hold is not None
        found.append((ACT, span.number, span.name, span.begin, span.end, holds))
    pace, last = source.walker.rhythm, len(settings.markers)
    for number in sorted({mark.marker for mark in source.path.marks} - {-1}):
        ways = [mark.way for mark in source.path.marks if mark.marker == number]
        stays = pace.seconds[pace.distance <= max(ways) + SAME]
        first = float(seconds_at(source.walker, min(ways))[0])
        end = first if number == last or not len(stays) else max(float(stays[-1]), first)
        begin, end = source.shown_frames(source.clock.frames(np.array([first, end]))).tolist()
        what = ARRIVAL if number == last else WAYPOINT
        found.append((what, number, "Arrive" if number == last else "Waypoint", begin, end, number < last))
    frames = np.array([each[3] for each in found])
    places = source.pose(frames).root.position if found else ()
    yield from (Bar(*each, place=place) for each, place in zip(found, places, strict=True))
