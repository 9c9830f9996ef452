"""Edited footprints: `Object.neurarig.walk.prints`."""

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty, PointerProperty

from ....core.character.body import LEFT, RIGHT
from ...character.changes import OVERRIDABLE, STATE
from ..changes import changed

SIDES = {"LEFT": LEFT, "RIGHT": RIGHT}
NAMES = {row: name for name, row in SIDES.items()}


class NeuraRigPrint(bpy.types.PropertyGroup):
    """One edited footprint: how it differs from the planned one."""

    side: EnumProperty(
        name="Foot", description="Left or right foot", items=(("LEFT", "Left", ""), ("RIGHT", "Right", "")), override=OVERRIDABLE,
        options=STATE,
    )  # fmt: skip
    number: IntProperty(name="Number", description="Heel strikes of this foot since the walk's start", override=OVERRIDABLE, options=STATE)
    along: FloatProperty(name="Ahead", description="Metres farther ahead than planned", override=OVERRIDABLE, update=changed)
    aside: FloatProperty(name="Left", description="Metres farther to the left than planned", override=OVERRIDABLE, update=changed)
    height: FloatProperty(name="Height", description="Metres above the ground", override=OVERRIDABLE, update=changed)
    yaw: FloatProperty(name="Turn", description="Turned to the left", subtype="ANGLE", override=OVERRIDABLE, update=changed)
    slope: FloatProperty(name="Slope", description="Tilted, toes down", subtype="ANGLE", override=OVERRIDABLE, update=changed)
    bank: FloatProperty(name="Bank", description="Tilted, left edge up", subtype="ANGLE", override=OVERRIDABLE, update=changed)
    ball_pivot: FloatProperty(
        name="Ball Pivot",
        description="Turn the foot on its ball while it stands, farther to the left than planned",
        subtype="ANGLE",
        soft_min=-1.57,
        soft_max=1.57,
        override=OVERRIDABLE,
        update=changed,
    )
    touch: FloatProperty(
        name="Touch Later",
        description="How much later the foot touches down, in percent of a stride; earlier below 0",
        subtype="PERCENTAGE",
        soft_min=-14.0,
        soft_max=14.0,
        min=-100.0,
        max=100.0,
        override=OVERRIDABLE,
        update=changed,
    )
    lift: FloatProperty(
        name="Lift Later",
        description="How much later the foot leaves the ground, in percent of a stride; earlier below 0",
        subtype="PERCENTAGE",
        soft_min=-14.0,
        soft_max=14.0,
        min=-100.0,
        max=100.0,
        override=OVERRIDABLE,
        update=changed,
    )
    held: BoolProperty(name="Stay", description="Skip this step: the foot stays on its print before", override=OVERRIDABLE, update=changed)
    added: BoolProperty(name="Added", description="One step more than the walk has by itself", override=OVERRIDABLE, options=STATE)
    on_ground: BoolProperty(
        name="On Ground",
        description="Lie on the ground wherever the print is moved. Off: height and tilt are those of its object",
        override=OVERRIDABLE,
        update=changed,
    )
    # Its object, and the object's transform when both last matched: a different one means that it was moved by hand.
    object: PointerProperty(type=bpy.types.Object, options=STATE, override=OVERRIDABLE)
    seen: FloatVectorProperty(size=16, options=STATE, override=OVERRIDABLE)


class Footprints:
    """The footprints of a walk."""

    show_footprints: BoolProperty(
        name="Show Footprints",
        description="Draw the footprints of the scene's frames in the viewport: blue left, orange right, red where a leg cannot reach",
        default=False,
        options=set(),
        override=OVERRIDABLE,
    )
    prints: CollectionProperty(type=NeuraRigPrint, override={"LIBRARY_OVERRIDABLE", "USE_INSERTION"})
