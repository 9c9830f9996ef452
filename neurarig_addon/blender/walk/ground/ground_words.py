"""Warnings about a walk's ground, shown beside its settings: holes, walls, and what moves."""

import bpy
import numpy as np

from ....core.ground.moving import MovingTerrain
from ....core.ground.terrain import CLIMB
from ...live.memory import Memory
from .. import remembered
from ..walk import WalkSource
from ..way import led
from . import deck, ground, world

_known: Memory[tuple[WalkSource, tuple[str, ...]]] = Memory()


def ground_words(obj: bpy.types.Object) -> tuple[str, ...]:
    """Return sentences about the ground as the character was last posed; none if it has not been."""
    source, known = remembered.known(obj), _known.get(obj)
    if source is None:
        return ()
    if known is None or known[0] is not source:
        said = _of_a_hole(source), _of_a_wall(source), _of_a_slope(source), _of_what_moves(obj, source)
        known = _known[obj] = source, tuple(filter(None, said))
    return known[1]


def _of_a_hole(source: WalkSource) -> str:
    metres = led.first_hole(source.path, source.ground)
    return "" if metres is None else f"No ground under the path after {metres:.1f} m. The walk keeps its last height there."


def _of_a_wall(source: WalkSource) -> str:
    wall = led.first_wall(source.path, CLIMB * source.body.leg_length)
    if wall is None:
        return ""
    return f"The ground goes {'up' if wall[1] > 0.0 else 'down'} {abs(wall[1]):.1f} m at once after {wall[0]:.1f} m; no step is so high."


def _of_a_slope(source: WalkSource) -> str:
    steep = led.first_too_steep(source.path, source.ground)
    if steep is None:
        return ""
    metres, tilt = steep
    return f"The ground slopes by {np.degrees(tilt):.0f}° after {metres:.1f} m; soles cannot lie flat on it. Lead the path around it."


def _of_what_moves(obj: bpy.types.Object, source: WalkSource) -> str:
    carrier = deck.of(obj)
    ridden = [thing for thing in ground.members(obj) if carrier is None or carrier not in (thing, *world.above(thing))]
    moving = [thing.name for thing in ridden if world.moves(thing)]
    if not moving:
        return ""
    who = f"'{moving[0]}' moves" if len(moving) == 1 else f"'{moving[0]}' and {len(moving) - 1} more of the ground move"
    if isinstance(source.ground, MovingTerrain):
        return f"{who}; feet go with it while they stand. To be carried along by it, choose it as Stand On."
    return f"{who}; the walk is on it as it is at frame {source.clock.start:g}. To be carried by something, choose it as Stand On."
