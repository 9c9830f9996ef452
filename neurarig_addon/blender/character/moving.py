"""A sign that a live character moves: Blender does not see that handlers pose it, and its exporters write one frame of what stands still.

The sign is a driver of a property that nothing reads.  While the add-on is disabled there is no such property, and no sign.
"""

import bpy
from bpy.props import BoolProperty, FloatProperty

from .changes import OVERRIDABLE, STATE

PATH = "neurarig.moving.frame"
EXPRESSION = "frame"  # of Blender's own simple expressions, which run where scripts may not


class NeuraRigMoving(bpy.types.PropertyGroup):
    """The sign on one character."""

    frame: FloatProperty(
        name="Frame",
        description="The frame that is shown. Its driver tells Blender's exporters that this character moves",
        options={"HIDDEN", "ANIMATABLE"},
        override=OVERRIDABLE,
    )
    has_made_data: BoolProperty(options=STATE, override=OVERRIDABLE)


def mark(obj: bpy.types.Object) -> None:
    """Put the sign on a character; linked ones take none."""
    if obj.library or obj.override_library or _driver(obj) is not None:
        return
    obj.neurarig.moving.has_made_data = obj.animation_data is None
    obj.driver_add(PATH).driver.expression = EXPRESSION


def unmark(obj: bpy.types.Object) -> None:
    """Take the sign off, with the animation data that it needed; call it when all else of the character's animation is given back."""
    driver = _driver(obj)
    if driver is not None:
        obj.animation_data.drivers.remove(driver)
    data = obj.animation_data
    if obj.neurarig.moving.has_made_data and data is not None and not (data.action or len(data.nla_tracks) or len(data.drivers)):
        obj.animation_data_clear()
    obj.neurarig.property_unset("moving")


def unmark_all() -> None:
    """Take the sign off every character, which keeps everything else; who is still live when it is seen again is given a new one."""
    for obj in bpy.data.objects:
        if _driver(obj) is not None and not obj.library and not obj.override_library:
            unmark(obj)


def _driver(obj: bpy.types.Object) -> bpy.types.FCurve | None:
    return obj.animation_data.drivers.find(PATH) if obj.animation_data else None
