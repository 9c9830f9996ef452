"""Warnings about a walk's ground, shown beside its settings: holes, walls, what is in the way, what is
hidden, and what moves."""

import numpy as np
from bpy.types import Object

from ....core.ground.fitting import MOST_BANK, STEEPEST
from ....core.ground.ledges import LEDGE
from ....core.ground.moving_ground import MovingTerrain
from ....core.ground.surface import Ground
from ....core.ground.terrain import CLIMB, Terrain
from ....core.path.curve import Curve
from ....core.path.path import Path, Straight
from ....core.path.path_on_ground import Laid
from ...live.memory import Memory
from ..source import memory
from ..walk import WalkSource
from ..way import deck, ground, world

SLOPE_BENDS = 0.1  # rise over run: largest change of slope between neighbouring samples
AHEAD = 200  # samples of a straight path: ten leg lengths
ROWS_APART = 5  # rows of a drawn line between samples of its slope: a tenth of a leg
AT_ONCE = 2  # samples of a path laid on ground: a rise within this distance is a wall
THIN = 0.05  # leg lengths: thicker walls are noticed

_known: Memory[tuple[WalkSource, tuple[str, ...]]] = Memory()


def ground_words(obj: Object) -> tuple[str, ...]:
    """Return sentences about the ground as the character was last posed; none if it has not been."""
    source, known = memory.known(obj), _known.get(obj)
    if source is None:
        return ()
    if known is None or known[0] is not source:
        said = (
            _of_a_hole(source),
            _of_a_wall(source),
            _of_a_slope(source),
            _of_the_way(source),
            _of_what_moves(obj, source),
        )
        known = _known[obj] = source, tuple(filter(None, said))
    return (*known[1], *filter(None, [_of_what_is_hidden(obj)]))


def _of_a_hole(source: WalkSource) -> str:
    metres = _first_hole(source.path, source.ground)
    return (
        ""
        if metres is None
        else f"No ground under the path after {metres:.1f} m. The walk keeps its last height there."
    )


def _of_a_wall(source: WalkSource) -> str:
    wall = _first_wall(source.path, CLIMB * source.body.leg_length)
    if wall is None:
        return ""
    return (
        f"The ground goes {'up' if wall[1] > 0.0 else 'down'} {abs(wall[1]):.1f} m at once after"
        f" {wall[0]:.1f} m; no step is so high."
    )


def _of_a_slope(source: WalkSource) -> str:
    steep = _first_too_steep(source.path, source.ground)
    if steep is None:
        return ""
    metres, tilt = steep
    return (
        f"The ground slopes by {np.degrees(tilt):.0f}° after {metres:.1f} m; soles cannot lie flat on it."
        " Lead the path around it."
    )


def _of_the_way(source: WalkSource) -> str:
    """Say what the body walks through: something solid or a wall on its floor, or what hangs lower than its
    head."""
    if not isinstance(source.ground, Terrain):
        return ""
    along = _looked_at(source.path, THIN * source.body.leg_length)
    places = source.path.at(along).place
    floor = np.column_stack([places[:, :2], source.ground.height(places)])
    inside, over = source.ground.in_the_way(floor)
    tall = float(np.nanmax([source.body.head[2], source.body.leg_length]))
    found = np.flatnonzero(inside | (over < tall))
    walls = source.ground.walls_across(floor, LEDGE * source.body.leg_length, tall)
    if len(walls) and not (len(found) and found[0] <= walls[0] + 1):  # what is solid is behind its own wall
        return (
            f"A wall is in the way after {along[walls[0]]:.1f} m; the character walks through it. Lead the"
            " path around it."
        )
    if not len(found):
        return ""
    metres = along[found[0]]
    if inside[found[0]]:
        return (
            f"Something solid is in the way after {metres:.1f} m; the character walks through it. Lead the"
            " path around it."
        )
    return (
        f"Something hangs {over[found[0]]:.1f} m above the ground after {metres:.1f} m; the character's head"
        " goes through it."
    )


def _of_what_is_hidden(obj: Object) -> str:
    thing = obj.neurarig.walk.ground
    is_hidden = thing is not None and len(thing.users_scene) > 0 and ground.is_hidden(thing)
    return (
        f"'{thing.name}' is hidden; the walk still goes over it. Show it, or clear Ground."
        if is_hidden
        else ""
    )


def _of_what_moves(obj: Object, source: WalkSource) -> str:
    carrier = deck.of(obj)
    ridden = [
        thing
        for thing in ground.members(obj)
        if carrier is None or carrier not in (thing, *world.above(thing))
    ]
    moving = [thing.name for thing in ridden if world.moves(thing)]
    if not moving:
        return ""
    who = (
        f"'{moving[0]}' moves"
        if len(moving) == 1
        else f"'{moving[0]}' and {len(moving) - 1} more of the ground move"
    )
    if isinstance(source.ground, MovingTerrain):
        return f"{who}; feet go with it while they stand. To be carried along by it, choose it as Stand On."
    return (
        f"{who}; the walk is on it as it is at frame {source.clock.start:g}. To be carried by something,"
        " choose it as Stand On."
    )


def _first_hole(way: Path, under: Ground) -> float | None:
    """Return the metres along a path at which there is no ground under it; None if there always is, or the
    path is endless."""
    along = _looked_at(way)
    holes = np.isnan(under.height(way.at(along).place))
    return float(along[np.argmax(holes)]) if holes.any() else None


def _first_wall(way: Path, height: float) -> tuple[float, float] | None:
    """Return the metres along a path at which the ground first steps by more than a height, and by how much;
    None if it never does."""
    along = _ahead(way)
    heights = way.at(along).place[:, 2]
    rise = heights[AT_ONCE:] - heights[:-AT_ONCE]
    walls = np.flatnonzero(np.abs(rise) > height)
    if not len(walls):
        return None
    most = walls[0] + np.argmax(np.abs(rise[walls[0] : walls[0] + AT_ONCE]))
    return float(along[most + AT_ONCE]), float(rise[most])


def _first_too_steep(way: Path, under: Ground) -> tuple[float, float] | None:
    """Return the metres along a path at which the ground is first too steep for soles, and its tilt in
    radians; None if it never is.

    Ledges do not count as slopes.
    """
    along = np.arange(0.0, way.length, ROWS_APART * way.spacing) if isinstance(way, Curve) else _ahead(way)
    if len(along) < 3:
        return None
    here, apart = way.at(along), float(along[1])
    left, right = (under.height(here.place + side * apart * here.left) for side in (1.0, -1.0))
    before, height, after = here.place[:-2, 2], here.place[1:-1, 2], here.place[2:, 2]
    ahead, across = (after - before) / (2.0 * apart), ((left - right) / (2.0 * apart))[1:-1]
    is_slope = np.abs(after + before - 2.0 * height) < SLOPE_BENDS * apart
    steep = is_slope & ((np.abs(ahead) > np.tan(STEEPEST)) | (np.abs(across) > np.tan(MOST_BANK)))
    if not steep.any():
        return None
    first = int(np.argmax(steep))
    return float(along[1 + first]), float(np.arctan(np.hypot(ahead[first], np.nan_to_num(across[first]))))


def _looked_at(way: Path, apart: float | None = None) -> np.ndarray:
    """Return the distances `(n,)` at which a finite path over ground is sampled, as its heights are or
    `apart` metres; none for others."""
    if isinstance(way, Laid) and isinstance(way.path, Curve):
        return np.arange(0.0, way.path.length, apart or way.spacing)
    return np.zeros(0)


def _ahead(way: Path) -> np.ndarray:
    """Return the distances `(n,)` at which ground is sampled for walls and slopes; on a straight path the
    first `AHEAD`."""
    return (
        np.arange(AHEAD) * way.spacing
        if isinstance(way, Laid) and isinstance(way.path, Straight)
        else _looked_at(way)
    )
