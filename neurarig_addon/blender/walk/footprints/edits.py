"""The edits of a character's prints, between its properties and the core."""

import bpy

from ....core.gait.inputs.print_edits import NO_EDITS, OFFSETS, PrintEdit, PrintEdits
from ...live.memory import Memory
from ..changes import changes
from .settings import NAMES, SIDES, NeuraRigPrint

IN_PERCENT = ("touch", "lift")  # the properties are in percent of a stride, edits in cycles

_made: Memory[int] = Memory()  # how often each character's edits were rebuilt


def key(obj: bpy.types.Object) -> tuple:
    """Return a key that changes whenever the edits of a character do; empty without any."""
    prints = obj.neurarig.walk.prints
    return (len(prints), _made.get(obj) or 0) if prints else ()


def touched(obj: bpy.types.Object) -> None:
    """Have a character's edits read again; every change of its prints comes through here."""
    if obj.neurarig.walk.prints or _made.get(obj):
        _made[obj] = (_made.get(obj) or 0) + 1


changes.listeners.insert(0, touched)


def edits_of(obj: bpy.types.Object) -> PrintEdits:
    """Return a character's edits, without prints that are as planned; raises NeuraRigError if one is impossible."""
    found = map(edit_of, obj.neurarig.walk.prints)
    return PrintEdits.of(edit for edit in found if edit != PrintEdit(*edit.key)) if obj.neurarig.walk.prints else NO_EDITS


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


def found(obj: bpy.types.Object, side: int, number: int) -> NeuraRigPrint | None:
    """Return a character's edited print, None if it is not edited."""
    return next((item for item in obj.neurarig.walk.prints if item.number == number and item.side == NAMES[side]), None)


def taken(obj: bpy.types.Object, side: int, number: int, on_ground: bool) -> NeuraRigPrint:
    """Return a character's edited print, added as planned if it was not there."""
    item = found(obj, side, number)
    if item is None:
        item = obj.neurarig.walk.prints.add()
        put(item, PrintEdit(side, number))
        item.on_ground = on_ground
    return item
