"""A character's path and ground together, in its walk frame."""

from operator import attrgetter
from typing import NamedTuple

import bpy
import numpy as np

from ....core.character.body import Body
from ....core.errors import NeuraRigError
from ....core.gait.inputs.gaze import Gaze
from ....core.gait.sliders.style import Clock
from ....core.ground.fitting import MOST_BANK, STEEPEST
from ....core.ground.surface import LEVEL, Ground, Level
from ....core.ground.terrain import CLIMB, ribbon
from ....core.path.curve import Curve
from ....core.path.path import STRAIGHT, Path, Straight
from ....core.path.path_on_ground import Laid
from ....core.path.timetable import Timed
from ..ground import deck, ground, world
from ..ground.moving_ground import Sampled, sampled
from . import deleted, facing, look_at, path

_leads = attrgetter("path", "ground", "ground_collection", "stand_on", "look_at", "face")
SLOPE_BENDS = 0.1  # rise over run: largest change of slope between neighbouring samples
AHEAD = 200  # samples of a straight path: ten leg lengths
ROWS_APART = 5  # rows of a drawn line between samples of its slope: a tenth of a leg
AT_ONCE = 2  # samples of a path laid on ground: a rise within this distance is a wall


class Lead(NamedTuple):
    """A path over ground, the speed `(frames, m/s)` if the path's keys give it, and what is looked at and faced on the way."""

    path: Path = STRAIGHT
    ground: Ground = LEVEL
    speed: tuple[np.ndarray, np.ndarray] | None = None
    gaze: Gaze | None = None
    face: Gaze | None = None


def key(obj: bpy.types.Object, scene: bpy.types.Scene) -> tuple:
    """Return a key that changes whenever a character's path or ground do; empty for a straight, level walk."""
    if not any(_leads(obj.neurarig.walk)):
        return ()
    found = path.key(obj) + ground.key(obj) + deck.key(obj)
    for number, thing in enumerate((look_at.target(obj), facing.thing(obj))):
        if thing is not None:
            found += number, thing.session_uid, world.edits(thing)
    # Moving ground is sampled on the scene's frames.
    frames = (scene.frame_start, scene.frame_end) if ground.is_walked_on(obj) else ()
    return (*found, *world.edits_above(obj), *(value for row in world.origin(obj) for value in row), *frames) if found else ()


def start_key(obj: bpy.types.Object, scene: bpy.types.Scene) -> tuple:
    """Return the parts of `key` that a script may change without Blender reporting it; what it removes leaves its setting empty."""
    walk = obj.neurarig.walk
    return world.origin(obj), len(walk.markers), _leads(walk).count(None), scene.frame_start, scene.frame_end


def is_led(obj: bpy.types.Object) -> bool:
    """Return whether a character has a path or a ground, is carried, or looks at or faces something."""
    return path.follows_one(obj) or ground.is_walked_on(obj) or len(_others(obj)) > 0


def lead_of(
    obj: bpy.types.Object, scene: bpy.types.Scene, body: Body, walk_to_armature: np.ndarray, clock: Clock, facing_first: float = 0.0
) -> Lead:
    """Return a character's lead from the start of its `clock`; `walk_to_armature` `(4, 4)` includes the root control.

    Without a path it goes straight on; its first facing, `facing_first` radians off its way, is how it stands.

    Raises NeuraRigError, naming the object, for an invalid path or ground.
    """
    deleted.note(obj)
    straight = STRAIGHT if facing.thing(obj) is not None or not facing_first else Straight(-facing_first)
    if not is_led(obj):
        return Lead(straight)
    _require_apart(obj)
    with world.at_start(scene, clock.start, things(obj)) as look:
        to_world = deck.stand(obj, look) @ walk_to_armature
        leg, way = body.leg_length, path.PathAndSpeed(straight)
        if path.follows_one(obj):
            way = path.way_of(obj, look, to_world, leg, clock)
        gazes = [look_at.gaze_of(obj, thing, look, to_world) for thing in (look_at.target(obj), facing.thing(obj))]
        if ground.is_walked_on(obj):
            terrain = ground.terrain_of(obj, look, to_world, leg, _moving(obj, scene, clock.start))
            return Lead(Laid.over(way.path, terrain.layers, CLIMB * leg, leg), terrain, way.speed, *gazes)
    return Lead(way.path, _under(way.path, leg), way.speed, *gazes)


def _moving(obj: bpy.types.Object, scene: bpy.types.Scene, start: float) -> dict[bpy.types.Object, Sampled]:
    """Return the parts of a character's ground that move while it walks; none if it is carried, as everything is relative then."""
    return {} if _is_carried(obj) else sampled(scene, ground.members(obj), start, ground.key(obj))


def _is_carried(obj: bpy.types.Object) -> bool:
    return deck.of(obj) is not None or obj.parent is not None


def things(obj: bpy.types.Object) -> list[bpy.types.Object]:
    """Return the objects whose edits change a led character's walk."""
    return [*path.things(obj), *ground.members(obj), *world.above(obj), *_others(obj)]


def _others(obj: bpy.types.Object) -> list[bpy.types.Object]:
    """Return what carries a character, and what it looks at and faces."""
    return [thing for thing in (deck.of(obj), look_at.target(obj), facing.thing(obj)) if thing is not None]


def first_hole(way: Path, under: Ground) -> float | None:
    """Return the metres along a path at which there is no ground under it; None if there always is, or the path is endless."""
    along = looked_at(way)
    holes = np.isnan(under.height(way.at(along).place))
    return float(along[np.argmax(holes)]) if holes.any() else None


def first_wall(way: Path, height: float) -> tuple[float, float] | None:
    """Return the metres along a path at which the ground first steps by more than a height, and by how much; None if it never does."""
    along = _ahead(way)
    heights = way.at(along).place[:, 2]
    rise = heights[AT_ONCE:] - heights[:-AT_ONCE]
    walls = np.flatnonzero(np.abs(rise) > height)
    if not len(walls):
        return None
    most = walls[0] + np.argmax(np.abs(rise[walls[0] : walls[0] + AT_ONCE]))
    return float(along[most + AT_ONCE]), float(rise[most])


def first_too_steep(way: Path, under: Ground) -> tuple[float, float] | None:
    """Return the metres along a path at which the ground is first too steep for soles, and its tilt in radians; None if it never is.

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


def looked_at(way: Path, apart: float | None = None) -> np.ndarray:
    """Return the distances `(n,)` at which a finite path over ground is sampled, as its heights are or `apart` metres; none for others."""
    ends = isinstance(way, Laid) and isinstance(way.path, Curve)
    return np.arange(0.0, way.path.length, apart or way.spacing) if ends else np.zeros(0)


def _ahead(way: Path) -> np.ndarray:
    """Return the distances `(n,)` at which ground is sampled for walls and slopes; on a straight path the first `AHEAD`."""
    return np.arange(AHEAD) * way.spacing if isinstance(way, Laid) and isinstance(way.path, Straight) else looked_at(way)


def edited(objects: list[bpy.types.Object], depsgraph: bpy.types.Depsgraph) -> list[bpy.types.Object]:
    """Note a depsgraph update, and return the walking objects whose path or ground it may have changed."""
    led_by = {obj: _heads(obj) for obj in objects if is_led(obj)}
    if not led_by:
        return []
    heads: dict[bpy.types.Object, set[bpy.types.ID]] = {}
    for found in led_by.values():
        for thing, head in found:
            heads.setdefault(thing, set()).add(head)
    touched: set[bpy.types.ID] = set()
    for update in depsgraph.updates:
        changed = update.id.original
        if changed in heads and (update.is_updated_geometry or update.is_updated_transform):
            touched |= heads[changed]
        elif isinstance(changed, bpy.types.Action):
            touched.update(*(heads[thing] for thing in heads if world.may_move(thing)))
            touched.update(obj.neurarig.walk.path for obj in led_by if path.is_keyed(obj))
    if depsgraph.id_type_updated("SCENE") or depsgraph.id_type_updated("COLLECTION"):
        collections = {obj.neurarig.walk.ground_collection for obj in led_by} - {None}
        touched |= {collection for collection in collections if ground.has_other_members(collection)}
    for head in touched:
        world.edited(head)
    return [obj for obj in led_by if not touched.isdisjoint(_own_heads(obj))]


def _heads(obj: bpy.types.Object) -> list[tuple[bpy.types.Object, bpy.types.ID]]:
    """Return each thing whose edits change a character's walk, and the objects under which its edits are counted."""
    settings = obj.neurarig.walk
    found: list[tuple[bpy.types.Object, bpy.types.ID]] = [(thing, settings.path) for thing in path.things(obj)]
    if settings.ground is not None:
        found.append((settings.ground, settings.ground))
    if settings.ground_collection is not None:
        found += [(thing, settings.ground_collection) for thing in ground.in_collection(settings.ground_collection)]
    return found + [(thing, thing) for thing in [*world.above(obj), *_others(obj)]]


def _own_heads(obj: bpy.types.Object) -> list[bpy.types.ID]:
    """Return all objects under which edits of a character's lead are counted."""
    settings = obj.neurarig.walk
    return [
        head for head in (settings.path, settings.ground, settings.ground_collection, *world.above(obj), *_others(obj)) if head is not None
    ]


def _require_apart(obj: bpy.types.Object) -> None:
    """Refuse a path, ground, or faced or looked-at object that is a child of the character itself."""
    carrier = deck.of(obj)
    for thing in [*path.things(obj), *ground.members(obj), *([carrier] if carrier else [])]:
        if obj in world.above(thing) or ground.walker_of(thing) == obj:
            raise NeuraRigError(f"'{thing.name}' is carried by '{obj.name}' and cannot lead it. Clear its parent, or choose another.")
    for thing in (look_at.target(obj), facing.thing(obj)):
        look_at.require_apart(obj, thing)


def _under(way: Path, leg_length: float) -> Ground:
    """Return the ground for a path without one: level with the path, or a ribbon along it if it goes up and down."""
    curve = way.curve if isinstance(way, Timed) else way
    if not isinstance(curve, Curve):
        return LEVEL
    heights = curve.places[:, 2]
    if np.ptp(heights) > path.FLAT * leg_length:
        rows = np.arange(len(curve.places)) if curve.moves is None else np.flatnonzero(np.append(True, curve.moves))
        along = curve.at(curve.spacing * rows)
        return ribbon(along.place, along.left, leg_length)
    return Level(float(heights[0])) if heights[0] else LEVEL
