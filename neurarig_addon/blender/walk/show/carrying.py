"""Things that hands take and put down on the way: who holds which, and from when to when.

Scrubbing, playing and rendering agree, as constraints hold a thing, and nothing of its own is touched (see
`character.held`).
"""

from collections.abc import Iterator

import bpy
import numpy as np
from bpy.types import Object

from ....core.character.motion import Motion
from ....core.errors import NeuraRigError
from ....core.skeleton.roles import SIDES, sided
from ...animation.objects import remove_alone
from ...character import held, record
from ...character.held import FOREVER, ThingHold
from ...live.memory import Memory
from ..footprints import act_handles
from ..source.walk_frame import walk_frame
from ..walk import WalkSource
from ..way import scenery

NOBODYS = 2.0 * np.eye(4)  # an inverse that no constraint of a user has
_PARTS = {f"hand_{side.lower()}": sided("hand", side) for side in SIDES}
_known: Memory[WalkSource] = Memory()
_made: set[int] = set()  # what belonged to somebody, by session_uid
_count = -1  # objects of the file when that was


def follow(obj: Object, source: WalkSource) -> None:
    """Have things held as a character's walk now takes them."""
    look()
    if _known.get(obj) is source:
        return
    wanted = dict(_holds(obj, source)) if source.acts else {}
    for thing in _held():
        if thing not in wanted:
            held.release(thing, obj)
    for thing, holds in wanted.items():
        held.hold(thing, obj, holds)
    _known[obj] = source


def look() -> bool:
    """Clear up if objects have come or gone, and return whether they have.

    Who was deleted holds nothing and keeps no object of ours; a copy of a character has objects of its own.
    """
    global _count
    if len(bpy.data.objects) == _count:
        return False
    _known.forget()
    owned: set[Object] = set()
    for obj in sorted(bpy.data.objects, key=lambda obj: obj.session_uid):
        for thing in set(held.of(obj)) & owned if obj.library is None else ():
            act_handles.take_own(obj, thing)
        owned.update(held.of(obj))
    for thing in _held() if _count >= 0 else ():  # of a file just opened it is not known who was there
        held.release(thing, None)
    for thing in [thing for thing in bpy.data.objects if thing.session_uid in _made and thing not in owned]:
        remove_alone(thing)
    _made.clear()
    _made.update(thing.session_uid for thing in owned)
    _count = len(bpy.data.objects)
    return True


def forget(obj: Object | None = None) -> None:
    """Look at an object's things again (None: of all)."""
    global _count
    _known.forget(obj)
    if obj is None:
        _count = -1
        _made.clear()


def let_go(obj: Object) -> None:
    """Give all things back that a character takes on its way."""
    look()
    _known.forget(obj)
    for thing in _held():
        held.release(thing, obj, None)


def is_stranded(thing: Object) -> bool:
    """Return whether a thing is held, and nobody is there who holds it: as where it came from another file
    without the character."""
    return len(thing.neurarig.held) > 0 and not _holder(thing)


def free(thing: Object) -> None:
    """Take off a thing what holds it for a character that is gone; raises NeuraRigError where none does."""
    if not is_stranded(thing):
        by = _holder(thing)
        raise NeuraRigError(
            f"'{by}' holds '{thing.name}'. Remove the act, or the walk."
            if by
            else f"Nothing holds '{thing.name}'."
        )
    held.release(thing)


def _holder(thing: Object) -> str:
    """Return the name of a walking character of some scene that holds a thing, '' if none does."""
    return next(
        (
            one.name
            for one in held.holders(thing)
            if one and one.users_scene and record.holds(one, record.WALK)
        ),
        "",
    )


def _held() -> list[Object]:
    return [thing for thing in bpy.data.objects if len(thing.neurarig.held)]


def _holds(obj: Object, source: WalkSource) -> Iterator[tuple[Object, list[ThingHold]]]:
    """Yield the things that a walk takes, and when it holds them."""
    program, items = source.program, obj.neurarig.walk.acts
    if program is None:
        return
    taken: dict[Object, list[tuple[str, int, int]]] = {}
    for span in program.spans:
        thing = items[span.number].thing if span.number < len(items) else None
        for touch in (
            touch
            for touch in span.touches
            if touch.part in _PARTS and touch.on == "object" and thing is not None
        ):
            times = taken.setdefault(thing, [])
            if times and times[-1][2] == FOREVER:
                times[-1] = (*times[-1][:2], int(np.floor(touch.end)))
            else:
                times.append((_PARTS[touch.part], int(np.ceil(touch.begin)), FOREVER))
    scene = bpy.context.scene
    for thing, times in taken.items():
        holds, place = [], scenery.seen(scene, thing, times[0][1]).place
        if scenery.moves(thing):  # it stays as it is then, whatever else moves it
            holds.append(ThingHold("", times[0][1], times[0][1], NOBODYS, place))
        for role, begin, end in times:
            bone = source.roles.bones.get(role)
            if bone is None or bone not in obj.data.bones:
                continue
            hand, left = _hand(obj, source, role, begin), None
            if end < FOREVER:
                place = left = _hand(obj, source, role, end) @ np.linalg.inv(hand) @ place
            holds.append(ThingHold(bone, begin, end, np.linalg.inv(hand), left))
        yield thing, holds


def _hand(obj: Object, source: WalkSource, role: str, frame: int) -> np.ndarray:
    """Return the world matrix `(4, 4)` of a hand's bone on a frame."""
    rest = np.linalg.inv(source.walk_to_armature) @ np.array(
        obj.data.bones[source.roles.bones[role]].matrix_local
    )
    return walk_frame(obj, bpy.context.scene, frame)[0] @ _moved(source, role, frame) @ rest


def _moved(source: WalkSource, role: str, frame: int) -> np.ndarray:
    """Return how a role is moved from rest on a frame `(4, 4)`, in the walk frame."""
    pose = source.pose(np.array([float(frame)]))
    motion: Motion = pose.root.holding(pose.motions[role])
    found = np.eye(4)
    found[:3, :3] = motion.rotation[0]
    found[:3, 3] = motion.position[0] - motion.rotation[0] @ motion.rest
    return found
