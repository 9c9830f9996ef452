"""Edited footprints, `Object.neurarig.walk.prints`: their settings, and the core's edits that they stand
for; where their objects are."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from bpy.types import Object, PropertyGroup
from mathutils import Matrix

from ....core.character.body import LEFT, RIGHT
from ....core.gait.inputs.print_edits import NO_EDITS, OFFSETS, PrintEdit, PrintEdits
from ....core.gait.prints import print_places
from ...animation import compat
from ...animation.properties import LIST, PLAIN, STATE
from ...live.memory import Memory
from .. import walk
from ..changes import KEYABLE, changes
from ..way import deck, world

SIDES = {"LEFT": LEFT, "RIGHT": RIGHT, "LEFT_FORE": 2, "RIGHT_FORE": 3}
NAMES = {row: name for name, row in SIDES.items()}
IN_PERCENT = ("touch", "lift")  # the properties are in percent of a stride, edits in cycles
_made: Memory[int] = Memory()  # how often each character's edits were rebuilt


class NeuraRigPrint(PropertyGroup):
    """One edited footprint: how it differs from the planned one."""

    side: STATE.choice(
        "Foot",
        "Left or right foot, or fore foot",
        items=(
            ("LEFT", "Left", ""),
            ("RIGHT", "Right", ""),
            ("LEFT_FORE", "Left Fore", ""),
            ("RIGHT_FORE", "Right Fore", ""),
        ),
    )
    number: STATE.whole("Number", "Heel strikes of this foot since the walk's start")
    along: KEYABLE.number("Ahead", "Metres farther ahead than planned")
    aside: KEYABLE.number("Left", "Metres farther to the left than planned")
    height: KEYABLE.number("Height", "Metres above the ground")
    yaw: KEYABLE.number("Turn", "Turned to the left", subtype="ANGLE")
    slope: KEYABLE.number("Slope", "Tilted, toes down", subtype="ANGLE")
    bank: KEYABLE.number("Bank", "Tilted, left edge up", subtype="ANGLE")
    ball_pivot: KEYABLE.number(
        "Ball Pivot",
        "Turn the foot on its ball while it stands, farther to the left than planned",
        subtype="ANGLE",
        soft_min=-1.57,
        soft_max=1.57,
    )
    touch: KEYABLE.number(
        "Touch Later",
        "How much later the foot touches down, in percent of a stride; earlier below 0",
        subtype="PERCENTAGE",
        soft_min=-14.0,
        soft_max=14.0,
        min=-100.0,
        max=100.0,
    )
    lift: KEYABLE.number(
        "Lift Later",
        "How much later the foot leaves the ground, in percent of a stride; earlier below 0",
        subtype="PERCENTAGE",
        soft_min=-14.0,
        soft_max=14.0,
        min=-100.0,
        max=100.0,
    )
    held: KEYABLE.switch("Stay", "Skip this step: the foot stays on its print before")
    added: STATE.switch("Added", "One step more than the walk has by itself")
    on_ground: KEYABLE.switch(
        "On Ground",
        "Lie on the ground wherever the print is moved. Off: height and tilt are those of its object",
    )
    # Its object, and the object's transform when both last matched: a different one means that it was moved
    # by hand.
    object: STATE.thing(type=Object)
    seen: STATE.numbers(size=16)


class Footprints:
    """The footprints of a walk."""

    show_footprints: PLAIN.switch(
        "Show Footprints",
        "Draw the footprints of the scene's frames in the viewport: blue left, orange right, red where a"
        " leg cannot reach",
    )
    prints: LIST.items(type=NeuraRigPrint)


def key(obj: Object) -> tuple:
    """Return a key that changes whenever the edits of a character do; empty without any."""
    prints = obj.neurarig.walk.prints
    return (len(prints), _made.get(obj) or 0) if prints else ()


def touched(obj: Object) -> None:
    """Have a character's edits read again; every change of its prints comes through here."""
    if obj.neurarig.walk.prints or _made.get(obj):
        _made[obj] = (_made.get(obj) or 0) + 1


changes.listeners.insert(0, touched)


def edits_of(obj: Object) -> PrintEdits:
    """Return a character's edits, without prints that are as planned; raises NeuraRigError if one is
    impossible."""
    found = map(edit_of, obj.neurarig.walk.prints)
    return (
        PrintEdits.of(edit for edit in found if edit != PrintEdit(*edit.key))
        if obj.neurarig.walk.prints
        else NO_EDITS
    )


def edit_of(item: NeuraRigPrint) -> PrintEdit:
    """Return one edit."""
    values = {name: getattr(item, name) * (0.01 if name in IN_PERCENT else 1.0) for name in OFFSETS}
    return PrintEdit(SIDES[item.side], item.number, held=item.held, added=item.added, **values)


def put(item: NeuraRigPrint, edit: PrintEdit) -> None:
    """Set a print's properties from an edit."""
    item.side, item.number, item.held, item.added = NAMES[edit.side], edit.number, edit.held, edit.added
    item.name = f"{item.side} {item.number}"  # library overrides identify list items by name
    for name in OFFSETS:
        setattr(item, name, getattr(edit, name) * (100.0 if name in IN_PERCENT else 1.0))


def find(obj: Object, side: int, number: int) -> NeuraRigPrint | None:
    """Return a character's edited print, None if it is not edited."""
    return next(
        (item for item in obj.neurarig.walk.prints if item.number == number and item.side == NAMES[side]),
        None,
    )


def find_or_add(obj: Object, side: int, number: int, on_ground: bool) -> NeuraRigPrint:
    """Return a character's edited print, added as planned if it was not there."""
    item = find(obj, side, number)
    if item is None:
        item = obj.neurarig.walk.prints.add()
        put(item, PrintEdit(side, number))
        item.on_ground = on_ground
    return item


class SeenAt(NamedTuple):
    """For some prints: world matrices of their objects, and of the character's walk frame at that time, all
    `(n, 4, 4)`."""

    objects: np.ndarray
    walk_to_world: np.ndarray


def is_held_elsewhere(handle: Object) -> bool:
    """Return whether something of the user's decides where an object is."""
    return handle.parent is not None or len(handle.constraints) > 0 or compat.is_animated(handle)


def basis_at(handle: Object) -> Matrix:
    """Return an object's current matrix, even if it has not been evaluated yet, as after opening a file."""
    return handle.matrix_world if is_held_elsewhere(handle) else handle.matrix_basis


def seen_at(obj: Object, items: Sequence[NeuraRigPrint], source: "walk.WalkSource") -> SeenAt:
    """Return where the objects of the given prints are.

    Keyed objects, or children of moving ones, are evaluated on the frame of touchdown, so that a pose depends
    on the frame alone.
    """
    stands = np.repeat(deck.stand(obj, world.AS_IS)[None], len(items), axis=0)
    objects = np.array([basis_at(item.object) for item in items], dtype=float)
    moving = [
        row
        for row, item in enumerate(items)
        if is_held_elsewhere(item.object) and world.may_move(item.object)
    ]
    if moving:
        carriers = [*world.above(obj), *filter(None, [deck.of(obj)])]
        touches = source.shown_frames(
            print_places.touches_of(source.walker, [edit_of(items[row]).key for row in moving])
        )
        for row, touch in zip(moving, touches.tolist(), strict=True):
            handle = items[row].object
            with world.at_start(handle.users_scene[0], touch, [handle, *carriers]) as look:
                objects[row], stands[row] = look.place(handle), deck.stand(obj, look)
    return SeenAt(objects, stands @ source.walk_to_armature)
