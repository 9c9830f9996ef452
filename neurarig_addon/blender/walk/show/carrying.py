"""Things that hands take and put down on the way: held by constraints of ours between frames, and given back as they were.

A thing follows the hand from the touch on, by a Child Of whose influence is a driver of the frame; where it was put down it stays, by the
transforms of an empty.  So scrubbing, playing and rendering agree, and nothing of its own is touched.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix

from ....core.character.motion import Motion
from ....core.skeleton.roles import SIDES, sided
from ...live.memory import Memory
from ..source.walk_frame import walk_frame
from ..walk import WalkSource

HELD, PUT = "NeuraRig Held", "NeuraRig Put Down"
FOREVER = 10**7  # frames
_PARTS = {f"hand_{side.lower()}": sided("hand", side) for side in SIDES}


@dataclass(frozen=True)
class Hold:
    """A thing in a hand, the `bone`, from one frame to another.

    `inverse` `(4, 4)`: of the bone's world matrix as it takes it; `left`: the thing's as it is put down, None while it never is.
    """

    bone: str
    begin: int
    end: int
    inverse: np.ndarray
    left: np.ndarray | None


_known: Memory[WalkSource] = Memory()


def follow(obj: bpy.types.Object, source: WalkSource) -> None:
    """Have things held as a character's walk now takes them."""
    if _known.get(obj) is source:
        return
    _known[obj] = source
    wanted = dict(_holds(obj, source)) if source.acts else {}
    for thing in [thing for thing in bpy.data.objects if _is_ours(thing, obj)]:
        if thing not in wanted or _made(thing, obj) != _asked(wanted[thing]):
            _strip(thing, obj)
    for thing, holds in wanted.items():
        if not _is_ours(thing, obj):
            for hold in holds:
                _hold(thing, obj, hold)


def forget(obj: bpy.types.Object | None = None) -> None:
    """Look at an object's things again (None: of all)."""
    _known.forget(obj)


def let_go(obj: bpy.types.Object) -> None:
    """Give all things back that a character takes on its way."""
    forget(obj)
    for thing in [thing for thing in bpy.data.objects if _is_ours(thing, obj)]:
        _strip(thing, obj)


def _holds(obj: bpy.types.Object, source: WalkSource) -> Iterator[tuple[bpy.types.Object, list[Hold]]]:
    """Yield the things that a walk takes, and when it holds them."""
    program, items = source.program, obj.neurarig.walk.acts
    if program is None:
        return
    taken: dict[bpy.types.Object, list[tuple[str, int, int]]] = {}
    for span in program.spans:
        thing = items[span.number].thing if span.number < len(items) else None
        for touch in (touch for touch in span.touches if touch.part in _PARTS and touch.on == "object" and thing is not None):
            times = taken.setdefault(thing, [])
            if times and times[-1][2] == FOREVER:
                times[-1] = (*times[-1][:2], int(np.floor(touch.end)))
            else:
                times.append((_PARTS[touch.part], int(np.ceil(touch.begin)), FOREVER))
    to_world, _ = walk_frame(obj, bpy.context.scene)
    stand = to_world @ np.linalg.inv(source.walk_to_armature)
    for thing, times in taken.items():
        place, holds = _own(thing), []
        for role, begin, end in times:
            bone = source.roles.bones.get(role)
            if bone is None or bone not in obj.data.bones:
                continue
            rest = stand @ np.array(obj.data.bones[bone].matrix_local)
            hand = to_world @ _moved(source, role, begin) @ np.linalg.inv(to_world) @ rest
            left = None
            if end < FOREVER:
                later = to_world @ _moved(source, role, end) @ np.linalg.inv(to_world) @ rest
                place = left = later @ np.linalg.inv(hand) @ place
            holds.append(Hold(bone, begin, end, np.linalg.inv(hand), left))
        yield thing, holds


def _moved(source: WalkSource, role: str, frame: int) -> np.ndarray:
    """Return how a role is moved from rest on a frame `(4, 4)`, in the walk frame."""
    pose = source.pose(np.array([float(frame)]))
    motion: Motion = pose.root.holding(pose.motions[role])
    found = np.eye(4)
    found[:3, :3] = motion.rotation[0]
    found[:3, 3] = motion.position[0] - motion.rotation[0] @ motion.rest
    return found


def _own(thing: bpy.types.Object) -> np.ndarray:
    """Return the world matrix `(4, 4)` of a thing without constraints."""
    found = np.array(thing.matrix_basis)
    while thing.parent is not None:
        found = np.array(thing.parent.matrix_basis) @ np.array(thing.matrix_parent_inverse) @ found
        thing = thing.parent
    return found


def _hold(thing: bpy.types.Object, obj: bpy.types.Object, hold: Hold) -> None:
    held = thing.constraints.new("CHILD_OF")
    held.name, held.target, held.subtarget = HELD, obj, hold.bone
    held.inverse_matrix = Matrix(hold.inverse.tolist())
    _drive(held, f"(frame >= {hold.begin}) * (frame < {hold.end})")
    if hold.left is None:
        return
    there = bpy.data.objects.new(f"{thing.name} {PUT}", None)
    there.empty_display_size = 0.05
    thing.users_collection[0].objects.link(there)
    there.matrix_world = Matrix(hold.left.tolist())
    there[PUT] = obj.name
    put = thing.constraints.new("COPY_TRANSFORMS")
    put.name, put.target = PUT, there
    _drive(put, f"frame >= {hold.end}")


def _drive(constraint: bpy.types.Constraint, expression: str) -> None:
    driver = constraint.driver_add("influence").driver
    driver.type, driver.expression = "SCRIPTED", expression


def _is_ours(thing: bpy.types.Object, obj: bpy.types.Object) -> bool:
    return any(one.name.startswith(HELD) and one.type == "CHILD_OF" and one.target == obj for one in thing.constraints)


def _made(thing: bpy.types.Object, obj: bpy.types.Object) -> list[tuple]:
    """Return what holds a thing now, as `_asked` has it."""
    found = []
    for one in thing.constraints:
        if one.name.startswith(HELD) and one.target == obj:
            found.append((one.subtarget, _expression(thing, one), np.round(np.array(one.inverse_matrix), 5).tolist()))
    return found


def _asked(holds: list[Hold]) -> list[tuple]:
    return [
        (hold.bone, f"(frame >= {hold.begin}) * (frame < {hold.end})", np.round(hold.inverse.astype(np.float32), 5).tolist())
        for hold in holds
    ]


def _expression(thing: bpy.types.Object, constraint: bpy.types.Constraint) -> str:
    path = f"{constraint.path_from_id()}.influence"
    curve = thing.animation_data.drivers.find(path) if thing.animation_data else None
    return "" if curve is None else curve.driver.expression


def _strip(thing: bpy.types.Object, obj: bpy.types.Object) -> None:
    """Take what holds a thing off it."""
    for one in [one for one in thing.constraints if one.name.startswith((HELD, PUT))]:
        target = one.target
        if target != obj and not (target is not None and target.get(PUT) == obj.name):
            continue
        one.driver_remove("influence")
        thing.constraints.remove(one)
        if target is not None and target != obj:
            bpy.data.objects.remove(target)
    data = thing.animation_data
    if data is not None and data.action is None and not len(data.drivers) and not len(data.nla_tracks):
        thing.animation_data_clear()
