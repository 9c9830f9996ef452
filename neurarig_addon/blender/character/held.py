"""Things in the hands of characters, or where these put them down: held by constraints of ours, recorded with the thing.

A thing follows a hand by a Child Of and stays by the Copy Transforms of an empty, each while the driver of its influence lets it.  The
Child Of points at the character, which lists the empty (see `made`).  Constraints are known by what they do, whatever they are called.
"""

from dataclasses import dataclass

import bpy
import numpy as np
from bpy.props import BoolProperty, FloatVectorProperty, IntProperty, PointerProperty
from mathutils import Matrix

from ..animation.deletion import remove_alone
from ..animation.scratch import is_passing
from . import made
from .changes import OVERRIDABLE, STATE

HELD, PUT = "NeuraRig Held", "NeuraRig Put Down"
FOREVER = 10**7  # frames
SIZE = 0.05  # of an empty
SAME = 1e-5
AS_MADE = {"use_nla": True, "action_blend_type": "REPLACE", "action_extrapolation": "HOLD", "action_influence": 1.0}

Parts = tuple[bpy.types.Constraint | None, bpy.types.Constraint | None]  # what holds a thing, and what keeps it where it was put


class NeuraRigHold(bpy.types.PropertyGroup):
    """A thing in a hand from one frame to another; `put`: the empty where it then is; `had_data`: it had animation data before."""

    begin: IntProperty(options=STATE, override=OVERRIDABLE)
    end: IntProperty(options=STATE, override=OVERRIDABLE)
    inverse: FloatVectorProperty(size=16, subtype="MATRIX", options=STATE, override=OVERRIDABLE)
    put: PointerProperty(type=bpy.types.Object, options=STATE, override=OVERRIDABLE)
    had_data: BoolProperty(options=STATE, override=OVERRIDABLE)


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


def holders(thing: bpy.types.Object) -> list[bpy.types.Object | None]:
    """Return who holds a thing in each of its holds; None: a character that was deleted."""
    return [_holder(thing, item) for item in thing.neurarig.held]


def hold(thing: bpy.types.Object, obj: bpy.types.Object, holds: list[Hold]) -> None:
    """Have a thing held by a character so, and in no other way."""
    mine = [item for item, holder in zip(thing.neurarig.held, holders(thing), strict=True) if holder == obj]
    if len(mine) != len(holds) or not all(_fits(thing, obj, item, one) for item, one in zip(mine, holds, strict=True)):
        release(thing, obj)
        for one in holds:
            _add(thing, obj, one)
        mine = list(thing.neurarig.held)[-len(holds) :]
    for item, one in zip(mine, holds, strict=True):
        _set(thing, item, one)


def release(thing: bpy.types.Object, *obj: bpy.types.Object | None) -> None:
    """Take what characters hold a thing by off it; `obj`: only those; None: those that were deleted."""
    items, had_data = thing.neurarig.held, all(item.had_data for item in thing.neurarig.held)
    for number, holder in reversed(list(enumerate(holders(thing)))):
        if not obj or holder in obj:
            put = items[number].put
            for one in filter(None, _parts(thing, items[number])):
                one.driver_remove("influence")
                thing.constraints.remove(one)
            items.remove(number)
            _drop(put)
    data = thing.animation_data
    if not len(items) and not had_data and data is not None and _is_as_made(data):
        thing.animation_data_clear()


def _drop(put: bpy.types.Object | None) -> None:
    """Remove the empty of a hold that is gone, unless that of a copied thing has it too."""
    if put is not None and not any(item.put == put for other in bpy.data.objects for item in other.neurarig.held):
        owner = _owner(put)
        made.leave(owner, put) if owner else None
        remove_alone(put)


def _holder(thing: bpy.types.Object, item: NeuraRigHold) -> bpy.types.Object | None:
    held, _ = _parts(thing, item)
    return held.target if held is not None and held.target is not None else _owner(item.put)


def _owner(put: bpy.types.Object | None) -> bpy.types.Object | None:
    return None if put is None else next((obj for obj in bpy.data.objects if put in made.of(obj)), None)


def _parts(thing: bpy.types.Object, item: NeuraRigHold) -> Parts:
    held = [one for one in thing.constraints if one.type == "CHILD_OF"]
    put = [one for one in thing.constraints if one.type == "COPY_TRANSFORMS"]
    by_what = (one for one in held if one.inverse_matrix == item.inverse)
    by_where = (one for one in put if item.put is not None and one.target == item.put)
    by_when = (one for one in held if _expression(thing, one) == _while(item))
    by_then = (one for one in put if _expression(thing, one) == _after(item))
    return next(by_what, None) or next(by_when, None), next(by_where, None) or next(by_then, None)


def _fits(thing: bpy.types.Object, obj: bpy.types.Object, item: NeuraRigHold, asked: Hold) -> bool:
    """Return whether all parts of a hold are there, and its own."""
    held, put = _parts(thing, item)
    if held is None or held.target != obj or not _expression(thing, held):
        return False
    if asked.left is None:
        return put is None and item.put is None
    return put is not None and put.target is not None and put.target in made.of(obj) and bool(_expression(thing, put))


def _add(thing: bpy.types.Object, obj: bpy.types.Object, asked: Hold) -> None:
    items = thing.neurarig.held
    had_data = items[0].had_data if len(items) else thing.animation_data is not None
    item = items.add()
    item.name, item.had_data = str(len(items)), had_data
    held = thing.constraints.new("CHILD_OF")
    held.name, held.target, held.subtarget = HELD, obj, asked.bone
    _set_held(thing, item, held, asked)
    if asked.left is None:
        return
    passing = [scene.collection for scene in bpy.data.scenes if is_passing(scene)]
    item.put = made.empty(obj, f"{thing.name} {PUT}", [one for one in thing.users_collection if one not in passing])
    item.put.empty_display_size = SIZE
    put = thing.constraints.new("COPY_TRANSFORMS")
    put.name, put.target = PUT, item.put
    _drive(thing, put, _after(item))


def _set(thing: bpy.types.Object, item: NeuraRigHold, asked: Hold) -> None:
    """Have a hold whose parts are all there be as it is asked."""
    held, put = _parts(thing, item)
    now = item.begin, item.end, held.subtarget
    if now != (asked.begin, asked.end, asked.bone) or np.abs(np.array(item.inverse) - asked.inverse).max() > SAME:
        held.subtarget = asked.bone
        _set_held(thing, item, held, asked)
        if put is not None:
            _drive(thing, put, _after(item))
    if asked.left is not None and np.abs(np.array(item.put.matrix_world) - asked.left).max() > SAME:
        item.put.matrix_world = Matrix(asked.left.tolist())


def _set_held(thing: bpy.types.Object, item: NeuraRigHold, held: bpy.types.Constraint, asked: Hold) -> None:
    item.begin, item.end = asked.begin, asked.end
    held.inverse_matrix = Matrix(asked.inverse.tolist())
    item.inverse = [value for column in held.inverse_matrix.col for value in column]
    _drive(thing, held, _while(item))


def _while(item: NeuraRigHold) -> str:
    return f"(frame >= {item.begin}) * (frame < {item.end})"


def _after(item: NeuraRigHold) -> str:
    return f"frame >= {item.end}"


def _drive(thing: bpy.types.Object, constraint: bpy.types.Constraint, expression: str) -> None:
    curve = _driver_of(thing, constraint) or constraint.driver_add("influence")
    curve.driver.type, curve.driver.expression = "SCRIPTED", expression


def _expression(thing: bpy.types.Object, constraint: bpy.types.Constraint) -> str:
    curve = _driver_of(thing, constraint)
    return "" if curve is None else curve.driver.expression


def _driver_of(thing: bpy.types.Object, constraint: bpy.types.Constraint) -> bpy.types.FCurve | None:
    data = thing.animation_data
    return data.drivers.find(f"{constraint.path_from_id()}.influence") if data else None


def _is_as_made(data: bpy.types.AnimData) -> bool:
    """Return whether animation data holds nothing, and nothing of it was set."""
    is_empty = data.action is None and not len(data.drivers) and not len(data.nla_tracks)
    return is_empty and [getattr(data, name) for name in AS_MADE] == list(AS_MADE.values())
