"""Acts on the way of a walk, for scripts; `blender.api` hands these on.

api.add_act(hero, "JUMP", at=3.0, length=1.2)
api.add_act(hero, "SIT", thing=chair, seconds=4.0)
api.add_act(hero, "WAVE", frame=120)
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from bpy.types import Object

from ....core.acts.act_file import read_act, to_json, write_act
from ....core.errors import NeuraRigError
from ....core.skeleton.roles import require_two_legs
from ...character import held, holding
from ...character.roles import role_map
from ..changes import changes
from ..footprints import act_handles
from ..settings import requirements
from ..settings.backup import kept_on_failure
from ..show import carrying
from ..source import memory
from ..source.plan import planned
from ..source.source import source_of
from ..source.walk_frame import walk_frame
from ..way import acts, given_acts

# seconds before an act in which another is added after it, and from its end to that one
NEAR_S, APART_S = 2.0, 1.0


def act_kinds() -> tuple[str, ...]:
    """Return the kinds of acts that there are, such as 'JUMP'."""
    return acts.kinds()


def list_acts(obj: Object) -> list[dict[str, Any]]:
    """Return the acts of a character in their order, as `add_act` takes them, and the `frames` at which each
    is shown.

    `frames`: the first and the one after the last; None for an act that the walk never comes to.
    Raises NeuraRigError for a character without a walk.
    """
    requirements.require_walk(obj)
    program = source_of(obj).program
    shown = {} if program is None else {span.number: (span.begin, span.end) for span in program.spans}
    return [{**given, "frames": shown.get(number)} for number, given in enumerate(given_acts.acts_of(obj))]


def add_act(
    obj: Object,
    kind: str,
    *,
    at: float | Object | None = None,
    frame: float | None = None,
    length: float = 0.0,
    rise: float = 0.0,
    seconds: float = 0.0,
    weight: float = 0.0,
    thing: Object | None = None,
    hand: str = "AUTO",
    how: str = "AUTO",
    file: str | Path | None = None,
) -> int:
    """Have a walking character do something on its way, and return the number of the act.

    Args:
        kind: 'JUMP', 'LEAP', 'SIT', 'PICK_UP', 'PUT_DOWN', 'TOUCH', 'CROUCH', 'WAVE', 'POINT', 'NOD',
        'LOOK_BACK', 'SHAKE_HEAD' (see `act_kinds`); 'OWN' with a `file` of an act that was learned. at:
        metres along its way to where its feet stand then, or an object to which its way comes near; for
        PUT_DOWN where it is put. frame: begin at about this frame instead, where the walk is then. length:
        metres that a jump goes; 0: on the spot, and a leap as far as a leg is long, from a run 1.6 times as
        far. rise: metres that the body rises in it; 0: as the way asks. seconds: how long it is held, as one
        sits or crouches. thing: the seat, what is picked up or put down, what is pointed at. weight:
        of that, as a share of the character's. hand: 'LEFT', 'RIGHT', 'BOTH' for one at each side; 'AUTO':
        the nearer one. how: 'BOW', 'STOOP', 'SQUAT' or 'KNEEL' for what is low; 'AUTO': as people do.

    Raises NeuraRigError, with what is possible, for one that cannot be done there.
    """
    given: dict[str, Any] = {
        "kind": kind,
        "length": length,
        "rise": rise,
        "seconds": seconds,
        "hand": hand,
        "how": how,
        "weight": weight,
    }
    if file is not None:
        given |= {"kind": acts.OWN, "text": to_json(read_act(Path(bpy.path.abspath(str(file)))))}
    if isinstance(at, Object):
        given["place"] = at
    elif at is not None:
        given["distance"] = at
    given |= {name: value for name, value in (("frame", frame), ("thing", thing)) if value is not None}
    given_acts.require_acts([given])
    return _added(obj, given)


def add_waiting(obj: Object, kind: str, **given: Any) -> int:
    """Add an act whose thing is yet to be chosen, and return its number; until then the walk goes on as if it
    were not there."""
    return _added(obj, {"kind": kind, **given})


def add_after_others(obj: Object, kind: str, frame: float, **given: Any) -> int:
    """Add an act at a frame, or where one is over that the walk does then, and return its number.

    Raises NeuraRigError, as `add_act`, if it cannot be done at the frame.
    """
    try:
        return add_act(obj, kind, frame=frame, **given)
    except NeuraRigError:
        fps = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
        late = frame
        for begin, end in sorted(one["frames"] for one in list_acts(obj) if one["frames"]):
            late = (
                np.ceil(end + APART_S * fps).item()
                if begin - NEAR_S * fps <= late < end + APART_S * fps
                else late
            )
        if late > frame:
            with suppress(NeuraRigError):
                return add_act(obj, kind, frame=late, **given)
        raise


def why_not(obj: Object, given: dict[str, Any]) -> str:
    """Return why a walking character cannot do an act that is given as `list_acts` has it, '' if it can;
    nothing is changed."""
    scene, settings = bpy.context.scene, obj.neurarig.walk
    try:
        source_of(obj, scene)
    except NeuraRigError as error:
        return str(error)
    known = memory.walkers.get(obj)
    assert known is not None and known.rig is not None
    with changes.unheard():
        given_acts.put(settings.acts.add(), given)
        try:
            planned(obj, scene, settings, known.rig)
        except NeuraRigError as error:
            return str(error)
        finally:
            settings.acts.remove(len(settings.acts) - 1)
    return ""


def edit_act(obj: Object, number: int, **given: Any) -> None:
    """Change an act of a walk, by the names that `list_acts` gives; raises NeuraRigError if it cannot be done
    so."""
    item = _item(obj, number)
    acts.act_of(item)
    given_acts.require_act({"kind": item.kind, "text": item.text} | given)
    with kept_on_failure(obj):
        with changes.as_one(obj):
            given_acts.put(item, given)
        _require_done(obj)


def place_act(obj: Object, number: int) -> Object:
    """Return an empty where an act of a walk is, made if there is none: drag it, and the act moves along the
    way.

    Raises NeuraRigError for one that is where its seat or thing is, or that the walk never comes to.
    """
    item = _item(obj, number)
    if item.place is not None:
        return item.place
    if not acts.has_place(item):
        raise NeuraRigError(
            f"{item.name} is where '{item.thing.name}' is: move that."
            if item.thing
            else acts.lacking(item.name)
        )
    frames = list_acts(obj)[number]["frames"]
    if frames is None:
        raise NeuraRigError(f"The walk never comes to {item.name}, so it has no place. Set its distance.")
    scene = bpy.context.scene
    stands = source_of(obj, scene).pose(np.array([frames[0]])).root.position[0]
    handle = act_handles.make(obj, item, (walk_frame(obj, scene)[0] @ np.append(stands, 1.0))[:3])
    try:
        with kept_on_failure(obj):
            with changes.as_one(obj):
                item.place, item.is_timed = handle, False
            _require_done(obj)
    except NeuraRigError:
        held.remove(obj, handle)
        raise
    return handle


def place_acts(obj: Object, first: float, last: float) -> list[Object]:
    """Return empties (see `place_act`) of the acts that are shown between two frames; those at a thing, or at
    a frame, have none.

    Raises NeuraRigError for a character without a walk.
    """
    items = obj.neurarig.walk.acts
    shown = [
        number
        for number, one in enumerate(list_acts(obj))
        if one["frames"] and one["frames"][0] <= last and one["frames"][1] > first
    ]
    return [
        place_act(obj, number)
        for number in shown
        if acts.has_place(items[number]) and not items[number].is_timed
    ]


def remove_act(obj: Object, number: int) -> None:
    """Remove an act of a walk; raises NeuraRigError if there is none of that number."""
    item, settings = _item(obj, number), obj.neurarig.walk
    with changes.as_one(obj):
        act_handles.remove(obj, item)
        settings.acts.remove(number)
        settings.active_act = max(0, min(settings.active_act, len(settings.acts) - 1))


def save_act(obj: Object, number: int, path: str | Path) -> None:
    """Save an act of a walk as a file, for other characters; raises NeuraRigError if it cannot be written
    there."""
    write_act(Path(bpy.path.abspath(str(path))), acts.act_of(_item(obj, number)))


def free_thing(thing: Object) -> None:
    """Take off a thing what holds it for a character that is gone: deleted, or left in another file.

    Raises NeuraRigError where nothing holds it, or a character that is here does.
    """
    carrying.free(thing)


def _added(obj: Object, given: dict[str, Any]) -> int:
    """Add an act with the given fields, and return its number."""
    requirements.require_walk(obj)
    require_two_legs(role_map(obj), "acts are those of people")
    given_acts.require_act(given)
    settings = obj.neurarig.walk
    with kept_on_failure(obj):
        with changes.as_one(obj):
            given_acts.put(settings.acts.add(), given)
            settings.active_act = len(settings.acts) - 1
        _require_done(obj)
    return len(settings.acts) - 1


def _require_done(obj: Object) -> None:
    """Refuse acts that cannot be done; a rig whose hands take something is posed so that they are exact."""
    source_of(obj)
    if acts.takes_things(obj):
        holding.attach_exactly(obj)


def _item(obj: Object, number: int) -> acts.NeuraRigAct:
    requirements.require_walk(obj)
    found: Sequence[acts.NeuraRigAct] = obj.neurarig.walk.acts
    if not isinstance(number, int) or not 0 <= number < len(found):
        raise NeuraRigError(f"'{obj.name}' has no act {number}; it has {len(found)}, counted from 0.")
    return found[number]
