"""Things in the hands of characters, or where these put them down: held by constraints of ours, recorded with
the thing.

A thing follows a hand by a Child Of and stays by the Copy Transforms of an empty, each while the driver of
its influence lets it. The
Child Of points at the character, which lists the empty (see `empty`). Constraints are known by what they do,
whatever they are called.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from bpy.types import Collection, Constraint, Object, PropertyGroup
from mathutils import Matrix

from ..animation import compat
from ..animation.objects import remove_alone
from ..animation.properties import STATE
from ..animation.scratch import is_passing


class NeuraRigMade(PropertyGroup):
    """An object of ours."""

    object: STATE.thing(type=Object)


def of(obj: Object) -> list[Object]:
    """Return the objects that were made for a character and are still there."""
    return [item.object for item in obj.neurarig.made if item.object is not None]


def empty(obj: Object, name: str, collections: Iterable[Collection]) -> Object:
    """Return a new empty that belongs to a character, in the first of some collections that can be edited."""
    made = bpy.data.objects.new(name, None)
    for collection in [one for one in collections if one.is_editable][:1]:
        collection.objects.link(made)
    add(obj, made)
    return made


def add(obj: Object, made: Object) -> None:
    """List an object of ours."""
    item = obj.neurarig.made.add()
    # library overrides identify list items by name
    item.name, item.object = str(len(obj.neurarig.made)), made


def leave(obj: Object, made: Object) -> None:
    """List an object no more, and none that are gone."""
    items = obj.neurarig.made
    for number in reversed([number for number, item in enumerate(items) if item.object in (made, None)]):
        items.remove(number)


def remove(obj: Object, made: Object) -> None:
    """Remove an object of ours; what the user has hung on it stays where it is."""
    leave(obj, made)
    remove_alone(made)


def remove_all(obj: Object) -> None:
    """Remove all objects of ours that belong to a character."""
    for made in of(obj):
        remove(obj, made)
    obj.neurarig.made.clear()


HELD, PUT = "NeuraRig Held", "NeuraRig Put Down"
FOREVER = 10**7  # frames
SIZE = 0.05  # of an empty
SAME = 1e-5
AS_MADE = {
    "use_nla": True,
    "action_blend_type": "REPLACE",
    "action_extrapolation": "HOLD",
    "action_influence": 1.0,
}

# what holds a thing, and what keeps it where it was put
Parts = tuple[Constraint | None, Constraint | None]


class NeuraRigHold(PropertyGroup):
    """A thing in a hand from one frame to another; `put`: the empty where it then is; `had_data`: it had
    animation data before."""

    begin: STATE.whole()
    end: STATE.whole()
    inverse: STATE.numbers(size=16, subtype="MATRIX")
    put: STATE.thing(type=Object)
    had_data: STATE.switch()


@dataclass(frozen=True)
class ThingHold:
    """A thing in a hand, the `bone`, from one frame to another.

    `inverse` `(4, 4)`: of the bone's world matrix as it takes it; `left`: the thing's as it is put down, None
    while it never is.
    """

    bone: str
    begin: int
    end: int
    inverse: np.ndarray
    left: np.ndarray | None


def holders(thing: Object) -> list[Object | None]:
    """Return who holds a thing in each of its holds; None: a character that was deleted."""
    return [_holder(thing, item) for item in thing.neurarig.held]


def constraints(thing: Object) -> list[Constraint]:
    """Return the constraints of ours on a thing."""
    return [one for item in thing.neurarig.held for one in _parts(thing, item) if one is not None]


def hold(thing: Object, obj: Object, holds: list[ThingHold]) -> None:
    """Have a thing held by a character so, and in no other way."""
    mine = [item for item, holder in zip(thing.neurarig.held, holders(thing), strict=True) if holder == obj]
    if len(mine) != len(holds) or not all(
        _is_as(thing, obj, item, asked) for item, asked in zip(mine, holds, strict=True)
    ):
        release(thing, obj)
        for asked in holds:
            _add(thing, obj, asked)


def release(thing: Object, *by: Object | None) -> None:
    """Take what characters hold a thing by off it; `by`: only those; None: those that were deleted."""
    items, data = thing.neurarig.held, thing.animation_data
    had_data = not len(items) or items[0].had_data
    for number, holder in reversed(list(enumerate(holders(thing)))):
        if not by or holder in by:
            put, expressions = items[number].put, (_while(items[number]), _after(items[number]))
            for one in filter(None, _parts(thing, items[number])):
                one.driver_remove("influence")
                thing.constraints.remove(one)
            items.remove(number)
            there = [f"{one.path_from_id()}.influence" for one in thing.constraints]
            # Blender 4.2 leaves that of a constraint which the user deleted
            for curve in list(data.drivers) if data else ():
                if curve.data_path not in there and curve.driver.expression in expressions:
                    data.drivers.remove(curve)
            _drop(put)
    if len(items) or had_data or data is None or compat.is_animated(thing):
        return
    if [getattr(data, name) for name in AS_MADE] == list(AS_MADE.values()):
        thing.animation_data_clear()


def _drop(put: Object | None) -> None:
    """Remove the empty of a hold that is gone, unless that of a copied thing has it too."""
    if put is not None and not any(
        item.put == put for other in bpy.data.objects for item in other.neurarig.held
    ):
        if owner := _owner(put):
            leave(owner, put)
        remove_alone(put)


def _holder(thing: Object, item: NeuraRigHold) -> Object | None:
    held, _ = _parts(thing, item)
    return (held and held.target) or _owner(item.put)


def _owner(put: Object | None) -> Object | None:
    return put and next((obj for obj in bpy.data.objects if put in of(obj)), None)


def _parts(thing: Object, item: NeuraRigHold) -> Parts:
    held = _known(thing, "CHILD_OF", _while(item), lambda one: one.inverse_matrix == item.inverse)
    return held, _known(
        thing, "COPY_TRANSFORMS", _after(item), lambda one: one.target and one.target == item.put
    )


def _known(thing: Object, kind: str, expression: str, is_it: Callable[[Any], bool]) -> Constraint | None:
    """Return the constraint of a kind that is a given one, or at least driven so."""
    there = [one for one in thing.constraints if one.type == kind]
    return next(filter(is_it, there), None) or next(
        (one for one in there if _expression(thing, one) == expression), None
    )


def _is_as(thing: Object, obj: Object, item: NeuraRigHold, asked: ThingHold) -> bool:
    """Return whether a hold is as asked, all parts of it are there, and its empty is the character's own."""
    held, put = _parts(thing, item)
    if held is None or (held.target, held.subtarget, _expression(thing, held)) != (
        obj,
        asked.bone,
        _while(asked),
    ):
        return False
    if not np.allclose(item.inverse, asked.inverse, atol=SAME):
        return False
    if put is None or asked.left is None:
        return put is asked.left
    is_own = item.put in of(obj) and put.target == item.put and _expression(thing, put) == _after(asked)
    return is_own and np.allclose(item.put.matrix_world, asked.left, atol=SAME)


def _add(thing: Object, obj: Object, asked: ThingHold) -> None:
    items = thing.neurarig.held
    had_data = items[0].had_data if len(items) else thing.animation_data is not None
    item = items.add()
    item.name, item.begin, item.end, item.had_data = str(len(items)), asked.begin, asked.end, had_data
    held = _constrained(thing, "CHILD_OF", HELD, obj, _while(asked))
    held.subtarget, held.inverse_matrix = asked.bone, Matrix(asked.inverse.tolist())
    item.inverse = [value for column in held.inverse_matrix.col for value in column]
    if asked.left is not None:
        passing = [scene.collection for scene in bpy.data.scenes if is_passing(scene)]
        item.put = empty(
            obj, f"{thing.name} {PUT}", [one for one in thing.users_collection if one not in passing]
        )
        item.put.empty_display_size, item.put.matrix_world = SIZE, Matrix(asked.left.tolist())
        _constrained(thing, "COPY_TRANSFORMS", PUT, item.put, _after(asked))


def _constrained(thing: Object, kind: str, name: str, target: Object, expression: str) -> Constraint:
    made = thing.constraints.new(kind)
    made.name, made.target = name, target
    driver = made.driver_add("influence").driver
    driver.type, driver.expression = "SCRIPTED", expression
    return made


def _while(one: NeuraRigHold | ThingHold) -> str:
    return f"(frame >= {one.begin}) * (frame < {one.end})"


def _after(one: NeuraRigHold | ThingHold) -> str:
    return f"frame >= {one.end}"


def _expression(thing: Object, constraint: Constraint) -> str:
    data = thing.animation_data
    curve = data and data.drivers.find(f"{constraint.path_from_id()}.influence")
    return curve.driver.expression if curve else ""
