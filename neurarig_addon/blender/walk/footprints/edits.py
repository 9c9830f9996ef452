"""Edited footprints, `Object.neurarig.walk.prints`: their settings, and the core's edits that they stand
for."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
)

from ....core.character.body import LEFT, RIGHT
from ....core.gait.inputs.print_edits import NO_EDITS, OFFSETS, PrintEdit, PrintEdits
from ...character.changes import LIST, PLAIN, STATE
from ...live.memory import Memory
from ..changes import KEYABLE, changes

SIDES = {"LEFT": LEFT, "RIGHT": RIGHT}
NAMES = {row: name for name, row in SIDES.items()}
IN_PERCENT = ("touch", "lift")  # the properties are in percent of a stride, edits in cycles
_made: Memory[int] = Memory()  # how often each character's edits were rebuilt


class NeuraRigPrint(bpy.types.PropertyGroup):
    """One edited footprint: how it differs from the planned one."""

    side: EnumProperty(
        name="Foot", description="Left or right foot", items=(("LEFT", "Left", ""), ("RIGHT", "Right", "")),
        **STATE,
    )  # fmt: skip
    number: IntProperty(
        name="Number", description="Heel strikes of this foot since the walk's start", **STATE
    )
    along: FloatProperty(name="Ahead", description="Metres farther ahead than planned", **KEYABLE)
    aside: FloatProperty(name="Left", description="Metres farther to the left than planned", **KEYABLE)
    height: FloatProperty(name="Height", description="Metres above the ground", **KEYABLE)
    yaw: FloatProperty(name="Turn", description="Turned to the left", subtype="ANGLE", **KEYABLE)
    slope: FloatProperty(name="Slope", description="Tilted, toes down", subtype="ANGLE", **KEYABLE)
    bank: FloatProperty(name="Bank", description="Tilted, left edge up", subtype="ANGLE", **KEYABLE)
    ball_pivot: FloatProperty(
        name="Ball Pivot",
        description="Turn the foot on its ball while it stands, farther to the left than planned",
        subtype="ANGLE",
        soft_min=-1.57,
        soft_max=1.57,
        **KEYABLE,
    )
    touch: FloatProperty(
        name="Touch Later",
        description="How much later the foot touches down, in percent of a stride; earlier below 0",
        subtype="PERCENTAGE",
        soft_min=-14.0,
        soft_max=14.0,
        min=-100.0,
        max=100.0,
        **KEYABLE,
    )
    lift: FloatProperty(
        name="Lift Later",
        description="How much later the foot leaves the ground, in percent of a stride; earlier below 0",
        subtype="PERCENTAGE",
        soft_min=-14.0,
        soft_max=14.0,
        min=-100.0,
        max=100.0,
        **KEYABLE,
    )
    held: BoolProperty(
        name="Stay", description="Skip this step: the foot stays on its print before", **KEYABLE
    )
    added: BoolProperty(name="Added", description="One step more than the walk has by itself", **STATE)
    on_ground: BoolProperty(
        name="On Ground",
        description=(
            "Lie on the ground wherever the print is moved. Off: height and tilt are those of its object"
        ),
        **KEYABLE,
    )
    # Its object, and the object's transform when both last matched: a different one means that it was moved
    # by hand.
    object: PointerProperty(type=bpy.types.Object, **STATE)
    seen: FloatVectorProperty(size=16, **STATE)


class Footprints:
    """The footprints of a walk."""

    show_footprints: BoolProperty(
        name="Show Footprints",
        description=(
            "Draw the footprints of the scene's frames in the viewport: blue left, orange right, red where a"
            " leg cannot reach"
        ),
        default=False,
        **PLAIN,
    )
    prints: CollectionProperty(type=NeuraRigPrint, **LIST)


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


def find(obj: bpy.types.Object, side: int, number: int) -> NeuraRigPrint | None:
    """Return a character's edited print, None if it is not edited."""
    return next(
        (item for item in obj.neurarig.walk.prints if item.number == number and item.side == NAMES[side]),
        None,
    )


def find_or_add(obj: bpy.types.Object, side: int, number: int, on_ground: bool) -> NeuraRigPrint:
    """Return a character's edited print, added as planned if it was not there."""
    item = find(obj, side, number)
    if item is None:
        item = obj.neurarig.walk.prints.add()
        put(item, PrintEdit(side, number))
        item.on_ground = on_ground
    return item
