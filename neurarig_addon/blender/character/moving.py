"""A marker that a live character is animated: Blender does not see handlers, and its exporters write a single
frame of still objects.

The marker is a driver on a property that nothing reads.  While the add-on is disabled there is neither.
"""

import bpy
from bpy.types import FCurve, Object, PropertyGroup

from ..animation import compat
from ..animation.properties import KEPT, OVERRIDABLE, STATE

PATH = "neurarig.moving.frame"
EXPRESSION = "frame"  # one of Blender's simple expressions, which run even where scripts are blocked


class NeuraRigMoving(PropertyGroup):
    """The marker on one character."""

    frame: KEPT.number(
        "Frame",
        "The frame that is shown. Its driver tells Blender's exporters that this character moves",
        options={"HIDDEN", "ANIMATABLE"},
        override=OVERRIDABLE,
    )
    has_made_data: STATE.switch()


def mark(obj: Object) -> None:
    """Put the marker on a character; linked ones cannot have one."""
    if obj.library or obj.override_library or _driver(obj) is not None:
        return
    obj.neurarig.moving.has_made_data = obj.animation_data is None
    obj.driver_add(PATH).driver.expression = EXPRESSION


def unmark(obj: Object) -> None:
    """Remove the marker and the animation data it needed; call it after all other animation is given back."""
    driver = _driver(obj)
    if driver is not None:
        obj.animation_data.drivers.remove(driver)
    if obj.neurarig.moving.has_made_data and not compat.is_animated(obj):
        obj.animation_data_clear()
    obj.neurarig.property_unset("moving")


def unmark_all() -> None:
    """Remove the marker from every character and nothing else; a character that is still live gets a new one
    when next seen."""
    for obj in bpy.data.objects:
        if _driver(obj) is not None and not obj.library and not obj.override_library:
            unmark(obj)


def _driver(obj: Object) -> FCurve | None:
    return obj.animation_data.drivers.find(PATH) if obj.animation_data else None
