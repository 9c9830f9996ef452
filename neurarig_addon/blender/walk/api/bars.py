"""Acts, waypoints and the arrival of a walk at other times; `blender.api` hands this on.

api.retime(hero, "ACT", 0, frames=12)                # begins later
api.retime(hero, "WAYPOINT", 1, longer=24)           # waits longer
"""

from typing import Any

import bpy
import numpy as np
from bpy.types import Object

from ....core.errors import NeuraRigError
from ..changes import changes
from ..settings import requirements
from ..settings.backup import kept_on_failure
from ..source.bars import Bar, bars_of
from ..source.source import source_of
from ..way import acts
from ..way.markers import ACT, ARRIVAL

BRIEF_S = 0.1  # seconds that an act is held at least
ROUNDS = 5  # in which the frame is found from which one stops in time


def retime(obj: Object, what: str, number: int, frames: float = 0.0, longer: float = 0.0) -> None:
    """Have an act ('ACT'), a waypoint ('WAYPOINT') or the arrival ('ARRIVAL') of a walk begin so many frames
    later, and last so many longer.

    An act at a thing is at its frame from then on. Raises NeuraRigError for one that is not held, or that
    cannot be then.
    """
    requirements.require_walk(obj)
    bar, own = _bar(obj, what, number), obj.neurarig.walk
    if longer and not bar.holds:
        raise NeuraRigError(f"{bar.name} lasts as long as it does. Drag its middle to move it.")
    item = None if what == ARRIVAL else (own.acts if what == ACT else own.markers)[number]
    with kept_on_failure(obj):
        if longer:
            _last(obj, item, longer * bpy.context.scene.render.fps_base / bpy.context.scene.render.fps)
        if not frames:
            return
        wanted = bar.begin + frames
        # waypoints count the walk's own frames, which wait while acts play
        asked = (
            wanted if what == ACT else float(source_of(obj).walk_frames(np.array([bar.begin]))[0]) + frames
        )
        for _ in range(ROUNDS):
            with changes.as_one(obj):
                if item is None:
                    own.is_due, own.arrive = True, asked
                else:
                    item.is_timed, item.frame = True, asked
            off = wanted - _bar(obj, what, number).begin
            if abs(off) < 1.0:
                return
            asked += off


def _bar(obj: Object, what: str, number: int) -> Bar:
    """Return a bar of a walk as it is now planned; raises NeuraRigError if it cannot be, or has no such
    one."""
    source_of(obj)
    found = next((bar for bar in bars_of(obj) if (bar.what, bar.number) == (what, number)), None)
    if found is None:
        raise NeuraRigError(f"'{obj.name}' never comes there. Set its distance in the list.")
    return found


def _last(obj: Object, item: Any, seconds: float) -> None:
    """Have an act or a waypoint last longer."""
    with changes.as_one(obj):
        if isinstance(item, acts.NeuraRigAct):
            begin, end = acts.act_of(item).hold or (0.0, 0.0)
            item.seconds = max((item.seconds or end - begin) + seconds, BRIEF_S)
        else:
            item.pause = max(item.pause + seconds, 0.0)
    source_of(obj)
