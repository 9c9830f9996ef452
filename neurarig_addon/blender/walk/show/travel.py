"""Carrying the armature object forward, and letting the animator move it while it travels."""

from typing import NamedTuple

import numpy as np
from bpy.types import Object
from mathutils import Matrix, Vector

from ....core.posing.channels import rotation_path
from ...character import carry
from ...live.memory import Memory
from ..walk import Block, Row, WalkSource
from ..way import deck, gaze, path
from ..way.path import travels_with


def carrier_key(obj: Object) -> tuple[str, bool, bool, bool]:
    """Return a key that changes whenever something else moves a character, or begins to turn it."""
    return travels_with(obj), gaze.turns(obj), path.follows_itself(obj), deck.of(obj) is not None


def moved_properties(obj: Object) -> tuple[str, ...]:
    """Return the object's properties that its walk moves, or that have become its path."""
    travels, turns, follows_itself, rides = carrier_key(obj)
    if travels != "OBJECT" and not follows_itself and not rides:
        return ()
    return ("location", rotation_path(obj.rotation_mode)) if turns or rides else ("location",)


class _Left(NamedTuple):
    """How an object was left: its own matrix, which keys and the animator may change, and its walk's place,
    in metres."""

    basis: Matrix
    place: np.ndarray


class _BlockWay(NamedTuple):
    """An object's way in a block of frames; `key`: see `carry.way_key`."""

    block: Block
    key: tuple
    way: carry.ObjectWay


_left: Memory[_Left] = Memory()
_put: Memory[tuple[float, Vector]] = Memory()  # where the user has put an object, on which frame
_ways: Memory[_BlockWay] = Memory()
_stood: Memory[tuple[float, ...]] = Memory()  # the places of objects that stay


def is_undisturbed(obj: Object) -> bool:
    """Return whether the object is where it was left; always true in place."""
    if not obj.neurarig.is_carried:
        return not travels_with(obj) or _stood.get(obj) == tuple(_place(obj))
    if gaze.turns(obj) or deck.of(obj) is not None:
        return not carry.is_elsewhere(obj)
    left = _left.get(obj)
    return left is not None and not _is_moved(obj) and not _is_turned(obj, left)


def stay(obj: Object) -> None:
    """Have the object stay at its origin, while something of the armature travels."""
    carry.put_back(obj)
    _stood[obj] = tuple(_place(obj))


def carry_to(
    obj: Object,
    source: WalkSource,
    place: np.ndarray,
    turned_too: bool,
    turned: Matrix | None = None,
) -> None:
    """Move the object from its origin to a place of its walk `(3,)`, metres; if the user has moved it since,
    the origin moves.

    `turned`: the object's own matrix on this frame, if animated. With `turned_too` a rotated or scaled object
    also keeps its place (an edit); without, its path rotates about the origin, so that with a keyed rotation
    the place remains a function of the frame.
    """
    if obj.neurarig.is_carried and not carry.is_unturned(carry.step(obj)):
        carry.put_back(obj)  # a path has led it until now
    left = _left.get(obj)
    if not obj.neurarig.is_carried:
        carry.begin_at(obj, _place(obj))
    elif _is_moved(obj) or (turned_too and left is not None and _is_turned(obj, left)):
        done = carry.step(obj).translation if left is None else Vector(source.carried(left.place))
        axes = obj.matrix_basis if turned_too or left is None else left.basis
        carry.begin_at(obj, _place(obj) - axes.to_3x3() @ done)
    step, basis = Vector(source.carried(place)), (turned or obj.matrix_basis).copy()
    carry.moved_by(obj, Matrix.Translation(step))
    target = carry.origin(obj).translation + basis.to_3x3() @ step - obj.delta_location
    if obj.location != target:
        obj.location = target
    basis.translation = _place(obj)
    _left[obj] = _Left(basis, place)


def take_moved(obj: Object, frame: float) -> None:
    """Have the user's move of an object that turns, or stands on a deck, move its origin; before its walk is
    read, which may begin there.

    Only a path has it stay. As long as the user drags it, it counts from where it was put last: an act with a
    thing may hold it elsewhere.
    """
    is_free = (
        obj.neurarig.is_carried
        and not path.follows_one(obj)
        and (deck.of(obj) is not None or gaze.turns(obj))
    )
    if not is_free or not carry.is_elsewhere(obj):
        return
    now, moved = _place(obj).copy(), carry.step(obj)
    start = carry.origin(obj) @ moved
    on, put = _put.get(obj) or (frame, start.translation)
    if on == frame and (now - put).length < (now - start.translation).length:
        start.translation = put
    carry.stand(obj, carry.origin(obj).inverted_safe() @ start)
    carry.moved_by(obj, moved)
    _put[obj] = frame, now


def lead_to(obj: Object, row: Row) -> None:
    """Move the object to where its walk has it on a frame."""
    _begin(obj)
    known, key = _ways.get(obj), carry.way_key(obj)
    if known is None or known.block is not row.block or known.key != key:
        known = _ways[obj] = _BlockWay(row.block, key, carry.ObjectWay.of(obj, row.block.steps))
    known.way.go_to(obj, row.index)


def ride(obj: Object, source: WalkSource, moved: np.ndarray, place: np.ndarray) -> None:
    """Move the object to where its walk has it, K `moved` `(4, 4)`, on a deck with a world matrix `(4, 4)`,
    which takes it along."""
    _move(obj, deck.step_of(obj, place) @ (moved if source.travels_with == "OBJECT" else np.eye(4)))


def _move(obj: Object, moved: np.ndarray) -> None:
    """Move the object from its origin by K `moved` `(4, 4)`."""
    _begin(obj)
    carry.ObjectWay.of(obj, moved[None]).go_to(obj, 0)


def _begin(obj: Object) -> None:
    """Place an object at the origin of its way."""
    if not obj.neurarig.is_carried:
        carry.stand(obj)
    _left.forget(obj)


def forget(obj: Object | None = None) -> None:
    """Drop what is remembered of an object (None: of all)."""
    for memory in (_left, _put, _ways, _stood):
        memory.forget(obj)


def way(obj: Object, carried: np.ndarray, turned: np.ndarray | None = None) -> np.ndarray:
    """Return the object's location `(f, 3)` in its parent's space, `carried` `(f, 3)` by its own axes.

    `turned` `(f, 3, 3)`: the object's own axes, where they are animated.
    """
    axes = np.array(obj.matrix_basis.to_3x3()) if turned is None else turned
    start = np.array(carry.origin(obj).translation - obj.delta_location)
    return start + (axes @ carried[..., None])[..., 0]


def _place(obj: Object) -> Vector:
    return obj.matrix_basis.translation


def _is_moved(obj: Object) -> bool:
    left = _left.get(obj)
    if left is not None:
        return not _near(_place(obj), left.basis.translation)
    return not _near(
        _place(obj), carry.origin(obj).translation + obj.matrix_basis.to_3x3() @ carry.step(obj).translation
    )


def _is_turned(obj: Object, left: _Left) -> bool:
    now = obj.matrix_basis
    return any(not _near(a, b) for a, b in zip(now.to_3x3().col, left.basis.to_3x3().col, strict=True))


def _near(a: Vector, b: Vector) -> bool:
    return (a - b).length <= carry.NOTICEABLE * (1.0 + b.length)
