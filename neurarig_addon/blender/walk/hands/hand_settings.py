"""How a walk holds the hands: a pose for each, and sliders (in `WalkSliders`) of how much of it."""

import bpy
from bpy.props import EnumProperty

from ...character import record
from ...character.changes import OVERRIDABLE
from ..changes import changes
from . import taking

_ITEMS = (
    ("AUTO", "Auto", "Relaxed, unless you have posed or keyed the fingers"),
    ("POSED", "As Posed", "Leave the fingers to you"),
    ("RELAXED", "Relaxed", "Fingers half curled, as they hang in a walk"),
    ("FIST", "Fist", "Fingers and thumb closed"),
    ("FLAT", "Flat", "Fingers and thumb straight"),
    ("POINT", "Point", "Index finger straight, the others closed"),
)
HAND_POSES = tuple(item[0] for item in _ITEMS)


def _chosen(settings: bpy.types.PropertyGroup, _context: bpy.types.Context) -> None:
    """Take or restore the hands of a walking character as chosen."""
    obj = settings.id_data
    if record.holds(obj, record.WALK):
        taking.follow(obj)
    changes.tell(obj)


def _hand_pose(side: str):
    return EnumProperty(
        name=f"{side} Hand",
        description=f"How the fingers of the {side.lower()} hand are held",
        items=_ITEMS,
        default="AUTO",
        options=set(),
        override=OVERRIDABLE,
        update=_chosen,
    )


class HandSettings:
    """The hand poses of a walk."""

    left_hand_pose: _hand_pose("Left")
    right_hand_pose: _hand_pose("Right")
