"""What leads a clip that goes on: a curve to go along, or an object to go to and to follow, as seen on the
clip's own ground; and the keyed speed and turn that drive it."""

from collections.abc import Iterator

import numpy as np
from bpy.types import ID, Depsgraph, DepsgraphUpdate, Object, Scene
from mathutils import Matrix

from ...core.errors import NeuraRigError
from ...core.geometry.vectors import transformed
from ...core.ikrig.encoding import Encoding
from ...core.path.line import cleaned
from ...core.retarget.travel import unit_of
from ...core.sequence.continuation import STOPS_S, Continuation, require_seconds
from ...core.sequence.limits import FASTEST, SHARPEST_DEG
from ...core.sequence.route import LineRoute, PlaceRoute
from ...core.sequence.rows import RATE
from ..animation import compat, objects
from ..animation.curve_pose import object_path
from ..animation.frame_range import played_range
from ..animation.scratch import seen_places
from ..character import record, slider_curves
from ..over import wishes
from ..walk.way import path, world
from .choices import Choices
from .clip import Target
from .settings import CONTINUING

CURVE = "CURVE"


def led_by(obj: Object) -> Object | None:
    """Return what leads a character's clip by its settings, None if it goes on by itself or not at all."""
    own = obj.neurarig.retarget
    return own.continue_to if own.continue_for or own.continue_until_end else None


def require_apart(obj: Object, thing: Object | None) -> None:
    """Refuse what the character itself moves: where it is would depend on the pose."""
    if not isinstance(thing, Object | None):
        raise NeuraRigError(f"'{thing}' is no object. Choose one under To.")
    if thing == obj:
        raise NeuraRigError(f"'{obj.name}' cannot go to itself. Choose another object under To.")
    if thing is not None and objects.leads_to([thing], obj, _followed):
        raise NeuraRigError(
            f"'{thing.name}' is moved by '{obj.name}', which cannot go there. Free it, or choose another"
            " object under To."
        )


def _followed(thing: Object) -> Iterator[Object]:
    """Yield what an object follows: through parents and constraints, and where its own clip is led."""
    yield from wishes.carriers(thing)
    led = thing.neurarig.retarget.continue_to
    if led is not None and record.holds(thing, record.CLIP):
        yield led


def route(
    obj: Object,
    scene: Scene,
    thing: Object,
    target: Target,
    unit: float,
    frames: np.ndarray,
) -> LineRoute | PlaceRoute:
    """Return where a thing leads a character's clip on frames of keys `(n,)`; `unit`: metres of the target
    that are one of the clip's.

    A curve counts as it is on the first of them.
    Raises NeuraRigError, naming the object, if it cannot lead.
    """
    require_apart(obj, thing)
    with world.at_start(
        scene, float(frames[0]), [*world.above(obj), *([thing] if thing.type == CURVE else [])]
    ) as look:
        body = target.character.body
        to_walk = np.linalg.inv(look.stand(obj) @ target.rig.placement @ body.walk_to_armature)
        if thing.type != CURVE:
            return PlaceRoute(transformed(_places(scene, thing, frames), to_walk)[:, :2] / unit)
        try:
            points, is_closed = path.points_of(thing, look)
            line = cleaned(transformed(points, to_walk), body.leg_length, is_closed)
            return LineRoute(line[: len(line) - int(is_closed), :2] / unit, is_closed, thing.name)
        except NeuraRigError as error:
            raise NeuraRigError(f"'{obj.name}' cannot go along '{thing.name}'. {error}") from None


def _places(scene: Scene, thing: Object, frames: np.ndarray) -> np.ndarray:
    """Return where an object is in the world on frames `(n,)`, `(n, 3)`."""
    posed = any(record.is_posed(each) for each in (thing, *world.above(thing)) if each.type == "ARMATURE")
    found = None if posed else object_path(thing, frames)
    if found is not None:
        return found
    return seen_places(scene, thing, frames)


def key(obj: Object, thing: Object | None) -> tuple:
    """Return a value that changes when where a thing leads a character does; empty without one."""
    if thing is None:
        return ()
    lines = (
        ()
        if thing.type != CURVE
        else (path.line_of(thing.data)[0].tobytes(), *(spline.use_cyclic_u for spline in thing.data.splines))
    )
    others = thing, *world.above(thing), *world.above(obj)
    return (
        thing.session_uid,
        world.edits(thing),
        lines,
        _numbers(world.origin(obj)),
        *(_own_place(each) for each in others),
    )


def _numbers(matrix: Matrix) -> tuple[float, ...]:
    return tuple(value for row in matrix for value in row)


def _own_place(thing: Object) -> tuple:
    """Return where an object's own channels have it, or the keys that move it."""
    if not compat.is_animated(thing):
        return _numbers(thing.matrix_basis)
    return slider_curves.fingerprint_of(compat.find_channels(*compat.playing(thing)))


def edited(obj: Object, depsgraph: Depsgraph) -> bool:
    """Note a depsgraph update, and return whether it changed what leads a character."""
    thing = led_by(obj)
    if thing is None or not any(_moved(update, _deciding(thing)) for update in depsgraph.updates):
        return False
    world.edited(thing)
    return True


def _moved(update: DepsgraphUpdate, deciding: set[ID]) -> bool:
    """Return whether an update moved or reshaped one of some objects, or changed one of their data-blocks."""
    is_object = isinstance(update.id, Object)
    return update.id.original in deciding and (
        not is_object or update.is_updated_transform or update.is_updated_geometry
    )


def _deciding(thing: Object) -> set[ID]:
    """Return all data-blocks that decide where a thing is."""
    found = set()
    for each in (thing, *wishes.carriers(thing)):
        found |= {each, each.data, compat.playing(each)[0]}
    return found - {None}


SPEED, TURN = "continue_speed", "continue_turn"
PATHS = {name: f"neurarig.retarget.{name}" for name in (SPEED, TURN)}
_WITHIN = {name: (0.0, FASTEST) if name == SPEED else (-SHARPEST_DEG, SHARPEST_DEG) for name in PATHS}


def goes_on(choices: Choices) -> bool:
    """Return whether a clip is to go on after its end."""
    return bool(choices["continue_until_end"] or choices["continue_for"])


def continuation(
    obj: Object, scene: Scene, choices: Choices, clip: Encoding, target: Target
) -> Continuation | None:
    """Return how a target's clip goes on after its last frame, None if it does not; keys count where they
    are, wherever the clip ends."""
    last, fps = float(clip.frames[-1]), clip.fps
    seconds = float(choices["continue_for"])
    if choices["continue_until_end"]:
        seconds = max(played_range(scene)[1] - last, 0.0) / fps
    if not seconds:
        return None
    require_seconds(seconds)
    frames = last + np.arange(int(np.ceil(seconds * RATE)) + 1) * fps / RATE
    keyed = slider_curves.find(obj, PATHS)
    told = {}
    for name in PATHS:
        values = (
            [keyed[name].evaluate(frame) for frame in frames.tolist()] if name in keyed else [choices[name]]
        )
        told[name] = np.clip(values, *_WITHIN[name])
    speed = told[SPEED]
    if choices["continue_stand"]:
        speed = np.where(frames > frames[-1] - STOPS_S * fps, 0.0, speed)
    thing = choices.continue_to
    to = thing and route(obj, scene, thing, target, unit_of(clip, target.character, choices.options), frames)
    return Continuation(seconds, speed, np.radians(told[TURN]), to)


def drive_key(obj: Object, scene: Scene, choices: Choices) -> tuple:
    """Return a value that changes when what `continuation` depends on does."""
    if not goes_on(choices):
        return ()
    own = tuple(choices[name] for name in CONTINUING)
    end = (played_range(scene)[1],) if choices["continue_until_end"] else ()
    return (
        own + end + slider_curves.fingerprint(slider_curves.find(obj, PATHS)) + key(obj, choices.continue_to)
    )
