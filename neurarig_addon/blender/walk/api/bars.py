"""Acts, waypoints and the arrival of a walk at other times; `blender.api` hands this on.

api.retime(hero, "ACT", 0, frames=12)                # begins later
api.retime(hero, "WAYPOINT", 1, frames=24, holds=True)    # waits longer
"""

import bpy
import numpy as np

from ....core.errors import NeuraRigError
from ..changes import changes
from ..settings import requirements
from ..settings.backup import kept_on_failure
from ..source.bars import ACT, ARRIVAL, bars_of
from ..source.source import source_of
from ..way import acts
from .acts import edit_act

BRIEF_S = 0.1  # seconds that an act is held at least
ROUNDS = 5  # in which the frame is found from which one stops in time


def retime(obj: bpy.types.Object, what: str, number: int, frames: float, holds: bool = False) -> None:
    """Have an act ('ACT'), a waypoint ('WAYPOINT') or the arrival ('ARRIVAL') of a walk begin so many frames
    later; or, if it `holds`, last so much longer.

    Raises NeuraRigError for one that is where its thing is, that is not held, or that cannot be then.
    """
    requirements.require_walk(obj)
    source = source_of(obj, bpy.context.scene)
    bar = next((bar for bar in bars_of(obj) if (bar.what, bar.number) == (what, number)), None)
    if bar is None:
        raise NeuraRigError(f"'{obj.name}' never comes there. Set its distance in the list.")
    seconds = frames * bpy.context.scene.render.fps_base / bpy.context.scene.render.fps
    if holds and not bar.holds:
        raise NeuraRigError(f"{bar.name} lasts as long as it does. Drag its middle to move it.")
    settings = obj.neurarig.walk
    if what == ACT:
        item = settings.acts[number]
        hold = acts.act_of(item).hold
        if holds and hold is not None:
            return edit_act(obj, number, seconds=max((item.seconds or hold[1] - hold[0]) + seconds, BRIEF_S))
        if not acts.has_place(item):
            raise NeuraRigError(f"{item.name} is where '{item.thing.name}' is: move that, or set a waypoint.")
        wanted = asked = bar.begin + frames
        for _ in range(ROUNDS):
            edit_act(obj, number, frame=asked)
            begins = next((one.begin for one in bars_of(obj) if one.is_same(bar)), wanted)
            if abs(wanted - begins) < 1.0:
                break
            asked += wanted - begins
        return None
    # waypoints count the walk's own frames, which wait while acts play
    at = float(source.walk_frames(np.array([bar.begin]))[0]) + frames
    with kept_on_failure(obj):
        with changes.as_one(obj):
            if what == ARRIVAL:
                settings.is_due, settings.arrive = True, at
            elif holds:
                settings.markers[number].pause = max(settings.markers[number].pause + seconds, 0.0)
            else:
                settings.markers[number].is_timed, settings.markers[number].frame = True, at
        source_of(obj, bpy.context.scene)
    return None
