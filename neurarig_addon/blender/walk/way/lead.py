"""A character's path and ground together, in its walk frame; and which of the things that lead it were
deleted."""

from operator import attrgetter
from typing import NamedTuple

import bpy
import numpy as np
from bpy.types import ID, Action, Depsgraph, Object, Scene

from ....core.acts.mark import ActMark, marks_of
from ....core.character.body import Body
from ....core.errors import NeuraRigError
from ....core.gait.inputs.gaze import Gaze
from ....core.gait.sliders.style import Clock
from ....core.ground.surface import LEVEL, Ground, Level
from ....core.ground.terrain import CLIMB, ribbon
from ....core.path.curve import Curve
from ....core.path.path import STRAIGHT, Path, Straight
from ....core.path.path_on_ground import Laid
from ....core.path.timetable import Timed
from ...animation.frame_range import played_range
from ...animation.objects import leads_to
from ...character import record
from ...character.state import State, state_of
from ...live.memory import Memory
from . import act_marks, deck, gaze, ground, path, world
from .meshes import Sampled, sampled

LEADS = {
    "path": "Path",
    "ground": "Ground",
    "ground_collection": "Ground Collection",
    "stand_on": "Stand On",
    "look_at": "Look At",
    "face": "Face",
}  # setting -> label
_leads = attrgetter(*LEADS)
_set_to: Memory[dict[str, tuple[str, int]]] = Memory()


class Lead(NamedTuple):
    """A path over ground, the speed `(frames, m/s)` if the path's keys give it, and what is looked at and
    faced on the way."""

    path: Path = STRAIGHT
    ground: Ground = LEVEL
    speed: tuple[np.ndarray, np.ndarray] | None = None
    gaze: Gaze | None = None
    face: Gaze | None = None


def key(obj: Object, scene: Scene) -> tuple:
    """Return a key that changes whenever a character's path or ground do; empty for a straight, level
    walk."""
    if not any(_leads(obj.neurarig.walk)):
        return ()
    found = path.key(obj) + ground.key(obj) + deck.key(obj) + tuple(_led_by_itself(obj))
    for number, thing in enumerate((gaze.looked_at(obj), gaze.faced(obj))):
        if thing is not None:
            found += number, thing.session_uid, world.edits(thing)
    found += tuple(
        leads_back(obj, thing) for thing in (obj.neurarig.walk.path, obj.neurarig.walk.ground, *_others(obj))
    )
    # Moving ground is sampled on the scene's frames.
    frames = played_range(scene) if ground.is_walked_on(obj) else ()
    return (
        (
            *found,
            *map(world.edits, world.above(obj)),
            *(value for row in world.origin(obj) for value in row),
            *frames,
        )
        if found
        else ()
    )


def start_key(obj: Object, scene: Scene) -> tuple:
    """Return the parts of `key` that a script may change without Blender reporting it; what it removes leaves
    its setting empty."""
    walk = obj.neurarig.walk
    return world.origin(obj), len(walk.markers), _leads(walk).count(None), played_range(scene)


def is_led(obj: Object) -> bool:
    """Return whether a character has a path or a ground, is carried, or looks at or faces something."""
    return path.follows_one(obj) or ground.is_walked_on(obj) or len(_others(obj)) > 0


def lead_of(
    obj: Object,
    scene: Scene,
    body: Body,
    walk_to_armature: np.ndarray,
    clock: Clock,
    facing_first: float = 0.0,
    asked: tuple[ActMark, ...] = (),
) -> Lead:
    """Return a character's lead from the start of its `clock`; `walk_to_armature` `(4, 4)` includes the root
    control.

    Without a path it goes straight on; its first facing, `facing_first` radians off its way, is how it
    stands. `asked`: acts, for which it stops on the way.

    Raises NeuraRigError, naming the object, for an invalid path or ground.
    """
    note(obj)
    for setting in _led_by_itself(obj):
        raise NeuraRigError(
            f"'{obj.name}' cannot lead itself. Clear {LEADS[setting]}, or choose another object."
        )
    straight = STRAIGHT if gaze.faced(obj) is not None or not facing_first else Straight(-facing_first)
    if not path.follows_one(obj):
        straight = act_marks.on_straight(asked, straight, body.leg_length)
    if not is_led(obj):
        return Lead(straight)
    _require_apart(obj)
    round_about = [
        thing
        for thing in (gaze.looked_at(obj), gaze.faced(obj))
        if thing is not None and leads_back(obj, thing)
    ]
    with world.at_start(scene, clock.start, _moving_things(obj, round_about)) as look:
        to_world = deck.stand(obj, look) @ walk_to_armature
        leg, way = body.leg_length, path.PathAndSpeed(straight)
        if path.follows_one(obj):
            way = path.way_of(obj, look, to_world, body.way_length, clock, marks_of(asked, leg))
        gazes = [
            gaze.gaze_of(obj, thing, look, to_world, thing in round_about)
            for thing in (gaze.looked_at(obj), gaze.faced(obj))
        ]
        if ground.is_walked_on(obj):
            terrain = ground.terrain_of(obj, look, to_world, leg, _moving(obj, scene, clock.start))
            return Lead(Laid.over(way.path, terrain.layers, CLIMB * leg, leg), terrain, way.speed, *gazes)
    return Lead(way.path, _under(way.path, leg), way.speed, *gazes)


def _moving_things(obj: Object, round_about: list[Object]) -> list[Object]:
    """Return what to look at on a walk's first frame; of walkers that it leads in turn, what they begin
    on."""
    return [thing for thing in things(obj) if thing not in round_about] + [
        thing for walker in round_about for thing in _begins_on(walker)
    ]


def _begins_on(walker: Object) -> list[Object]:
    """Return what decides where a walker begins."""
    return [*path.things(walker), *world.above(walker), *filter(None, [deck.of(walker)])]


def leads_back(obj: Object, thing: Object | None) -> bool:
    """Return whether the place of a thing depends on a character's walk, through other walks that it
    leads."""
    return thing is not None and leads_to([thing, *world.above(thing)], obj, _led_by)


def _led_by(thing: Object) -> list[Object]:
    """Return what a walker's place depends on, with its parents."""
    return [other for led in things(thing) for other in (led, *world.above(led))] if _walks(thing) else []


def _walks(thing: Object) -> bool:
    """Return whether an object is a character that walks live, or would if nothing were wrong."""
    return record.holds(thing, record.WALK) and state_of(thing) in (State.LIVE, State.STOPPED)


def _led_by_itself(obj: Object) -> list[str]:
    """Return the settings for which a character was chosen itself; its own keys may be its path."""
    return [
        setting
        for setting in ("ground", "stand_on", "look_at", "face")
        if getattr(obj.neurarig.walk, setting) == obj
    ]


def _moving(obj: Object, scene: Scene, start: float) -> dict[Object, Sampled]:
    """Return the parts of a character's ground that move while it walks; none if it is carried, as everything
    is relative then."""
    return {} if _is_carried(obj) else sampled(scene, ground.members(obj), start, ground.key(obj))


def _is_carried(obj: Object) -> bool:
    return deck.of(obj) is not None or obj.parent is not None


def things(obj: Object) -> list[Object]:
    """Return the objects whose edits change a led character's walk."""
    return [*path.things(obj), *ground.members(obj), *world.above(obj), *_others(obj)]


def _others(obj: Object) -> list[Object]:
    """Return what carries a character, and what it looks at and faces."""
    return [thing for thing in (deck.of(obj), gaze.looked_at(obj), gaze.faced(obj)) if thing is not None]


def edited(objects: list[Object], depsgraph: Depsgraph) -> list[Object]:
    """Note a depsgraph update, and return the walking objects whose path or ground it may have changed."""
    led_by = {obj: _heads(obj) for obj in objects if is_led(obj)}
    if not led_by:
        return []
    heads: dict[Object, set[ID]] = {}
    for found in led_by.values():
        for thing, head in found:
            heads.setdefault(thing, set()).add(head)
    touched: set[ID] = set()
    for update in depsgraph.updates:
        changed = update.id.original
        if changed in heads and (update.is_updated_geometry or update.is_updated_transform):
            touched |= heads[changed]
        elif isinstance(changed, Action):
            touched.update(*(heads[thing] for thing in heads if world.may_move(thing)))
            touched.update(obj.neurarig.walk.path for obj in led_by if path.is_keyed(obj))
    if depsgraph.id_type_updated("SCENE") or depsgraph.id_type_updated("COLLECTION"):
        collections = {obj.neurarig.walk.ground_collection for obj in led_by} - {None}
        touched |= {collection for collection in collections if ground.has_other_members(collection)}
    for head in touched:
        world.edited(head)
    return [obj for obj in led_by if not touched.isdisjoint(_own_heads(obj))]


def _heads(obj: Object) -> list[tuple[Object, ID]]:
    """Return each thing whose edits change a character's walk, and the objects under which its edits are
    counted."""
    settings = obj.neurarig.walk
    found: list[tuple[Object, ID]] = [(thing, settings.path) for thing in path.things(obj)]
    if settings.ground is not None:
        found.append((settings.ground, settings.ground))
    if settings.ground_collection is not None:
        found += [
            (thing, settings.ground_collection) for thing in ground.in_collection(settings.ground_collection)
        ]
    return found + [(thing, thing) for thing in [*world.above(obj), *_others(obj)]]


def _own_heads(obj: Object) -> list[ID]:
    """Return all objects under which edits of a character's lead are counted."""
    settings = obj.neurarig.walk
    return [
        head
        for head in (
            settings.path,
            settings.ground,
            settings.ground_collection,
            *world.above(obj),
            *_others(obj),
        )
        if head is not None
    ]


def _require_apart(obj: Object) -> None:
    """Refuse a path, ground, or faced or looked-at object that is a child of the character itself."""
    carrier = deck.of(obj)
    for thing in [*path.things(obj), *ground.members(obj), *([carrier] if carrier else [])]:
        if obj in world.above(thing) or ground.walker_of(thing) == obj:
            raise NeuraRigError(
                f"'{thing.name}' is carried by '{obj.name}' and cannot lead it. Clear its parent, or choose"
                " another."
            )
    for thing in (gaze.looked_at(obj), gaze.faced(obj)):
        gaze.require_apart(obj, thing)
    for thing in things(obj):
        if leads_back(obj, thing) and (
            thing == carrier
            or not _walks(thing)
            or any(leads_back(obj, under) for under in _begins_on(thing))
        ):
            raise NeuraRigError(
                f"'{thing.name}' moves with a walk that '{obj.name}' leads in turn. Choose another object for"
                " one of them."
            )


def _under(way: Path, leg_length: float) -> Ground:
    """Return the ground for a path without one: level with the path, or a ribbon along it if it goes up and
    down."""
    curve = way.curve if isinstance(way, Timed) else way
    if not isinstance(curve, Curve):
        return LEVEL
    heights = curve.places[:, 2]
    if np.ptp(heights) > path.FLAT * leg_length:
        rows = (
            np.arange(len(curve.places))
            if curve.moves is None
            else np.flatnonzero(np.append(True, curve.moves))
        )
        along = curve.at(curve.spacing * rows)
        return ribbon(along.place, along.left, leg_length)
    return Level(float(heights[0])) if heights[0] else LEVEL


def note(obj: Object) -> None:
    """Remember what a walk is set to follow, by name and identity; called whenever its path and ground are
    read again."""
    known, walk = _set_to.get(obj) or {}, obj.neurarig.walk
    for setting in LEADS:
        thing = getattr(walk, setting)
        if thing is not None:
            known[setting] = thing.name, thing.session_uid
        elif setting in known and not _is_gone(known[setting][1]):
            del known[setting]  # cleared by hand
    _set_to[obj] = known


def deleted_words(obj: Object) -> tuple[str, ...]:
    """Return a sentence for each deleted thing that leads a walk: deleted from the scene, or from the file
    since the last `note`."""
    known, walk = _set_to.get(obj) or {}, obj.neurarig.walk
    said = []
    for setting, label in LEADS.items():
        if setting == "path" and walk.mode != "PATH":
            continue
        thing = getattr(walk, setting)
        if thing is None and setting in known and _is_gone(known[setting][1]):
            said.append(
                f"'{known[setting][0]}' was removed from the file. The walk goes on without it; choose"
                f" another {label}."
            )
        elif isinstance(thing, Object) and not thing.users_scene:
            said.append(
                f"'{thing.name}' is in no scene, as after deleting it. The walk keeps it; clear {label}, or"
                " choose another."
            )
    return tuple(said)


def forget_deleted(obj: Object | None = None) -> None:
    """Forget a character (None: all)."""
    _set_to.forget(obj)


def _is_gone(uid: int) -> bool:
    return all(
        thing.session_uid != uid for things in (bpy.data.objects, bpy.data.collections) for thing in things
    )
