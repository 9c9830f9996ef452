"""Warnings about a walk's ground, shown beside its settings: holes, walls, what is in the way, what is hidden, and what moves."""

import bpy
import numpy as np

from ....core.ground.ledges import LEDGE
from ....core.ground.moving_ground import MovingTerrain
from ....core.ground.terrain import CLIMB, Terrain
from ...live.memory import Memory
from .. import remembered
from ..walk import WalkSource
from ..way import led
from . import deck, ground, world

THIN = 0.05  # leg lengths: thicker walls are noticed

_known: Memory[tuple[WalkSource, tuple[str, ...]]] = Memory()


def ground_words(obj: bpy.types.Object) -> tuple[str, ...]:
    """Return sentences about the ground as the character was last posed; none if it has not been."""
    source, known = remembered.known(obj), _known.get(obj)
    if source is None:
        return ()
    if known is None or known[0] is not source:
        said = _of_a_hole(source), _of_a_wall(source), _of_a_slope(source), _of_the_way(source), _of_what_moves(obj, source)
        known = _known[obj] = source, tuple(filter(None, said))
    return (*known[1], *filter(None, [_of_what_is_hidden(obj)]))


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


def _of_the_way(source: WalkSource) -> str:
    """Say what the body walks through: something solid or a wall on its floor, or what hangs lower than its head."""
    if not isinstance(source.ground, Terrain):
        return ""
    along = led.looked_at(source.path, THIN * source.body.leg_length)
    places = source.path.at(along).place
    floor = np.column_stack([places[:, :2], source.ground.height(places)])
    inside, over = source.ground.in_the_way(floor)
    tall = float(np.nanmax([source.body.head[2], source.body.leg_length]))
    found = np.flatnonzero(inside | (over < tall))
    walls = source.ground.walls_across(floor, LEDGE * source.body.leg_length, tall)
    if len(walls) and not (len(found) and found[0] <= walls[0] + 1):  # what is solid is behind its own wall
        return f"A wall is in the way after {along[walls[0]]:.1f} m; the character walks through it. Lead the path around it."
    if not len(found):
        return ""
    metres = along[found[0]]
    if inside[found[0]]:
        return f"Something solid is in the way after {metres:.1f} m; the character walks through it. Lead the path around it."
    return f"Something hangs {over[found[0]]:.1f} m above the ground after {metres:.1f} m; the character's head goes through it."


def _of_what_is_hidden(obj: bpy.types.Object) -> str:
    thing = obj.neurarig.walk.ground
    is_hidden = thing is not None and len(thing.users_scene) > 0 and ground.is_hidden(thing)
    return f"'{thing.name}' is hidden; the walk still goes over it. Show it, or clear Ground." if is_hidden else ""


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
