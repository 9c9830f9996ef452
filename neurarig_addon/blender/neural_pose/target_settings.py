"""What the animator chooses about one target: an item of `Object.neurarig.neural_pose.targets`."""

import bpy
from bpy.props import (
    BoolProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    PointerProperty,
    StringProperty,
)

from ..character.changes import OVERRIDABLE, STATE, Changes
from .points import POINT_ITEMS

UNTURNED = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
HOLD_ICONS = {"FREE": "RADIOBUT_OFF", "SOFT": "UNLOCKED", "LOCKED": "LOCKED"}

changes = Changes()  # the live pose listens to them
KEYABLE, SETTING = changes.keyable, changes.setting


def _point_changed(target: "NeuraRigTarget", context: bpy.types.Context) -> None:
    target.name = target.point  # library overrides identify the items of a list by name
    changes.changed(target, context)


def _is_not_the_character(target: bpy.types.PropertyGroup, obj: bpy.types.Object) -> bool:
    return obj != target.id_data


def _hold(target: "NeuraRigTarget") -> int:
    return 2 if target.lock else 0 if target.is_free else 1


def _set_hold(target: "NeuraRigTarget", hold: int) -> None:
    with changes.as_one(target.id_data):
        target.lock, target.is_free = hold == 2, hold == 0


class NeuraRigTarget(bpy.types.PropertyGroup):
    """An object, or a bone of one, that a point of the character follows."""

    point: EnumProperty(
        name="Point",
        description="Part of the character that follows the target",
        items=POINT_ITEMS,
        override=OVERRIDABLE,
        update=_point_changed,
    )
    object: PointerProperty(
        name="Object",
        description="Object to follow: an empty, a tracked marker, or an armature with a bone",
        type=bpy.types.Object,
        poll=_is_not_the_character,
        **KEYABLE,
    )
    bone: StringProperty(
        name="Bone", description="Bone whose head to follow. Empty: the object's origin", **KEYABLE
    )
    use: BoolProperty(name="Follow", description="Off: the target is ignored", default=True, **KEYABLE)
    weight: FloatProperty(
        name="Weight",
        description=(
            "How firmly a soft target stays where it is while others are dragged; over a walk or clip, how"
            " far it is followed"
        ),
        default=1.0,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
        **KEYABLE,
    )
    turn: FloatProperty(
        name="Turn Hand",
        description=(
            "Over a walk or clip: how far the hand turns with its target, fingers along its Y axis, palm"
            " against its Z axis"
        ),
        default=0.0,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
        **KEYABLE,
    )
    use_range: BoolProperty(
        name="Some Frames Only",
        description="Over a walk or clip: follow the target on some frames only",
        default=False,
        **SETTING,
    )
    frame_start: FloatProperty(
        name="Start", description="Frame from which the target is held", default=1.0, **SETTING
    )
    frame_end: FloatProperty(
        name="End", description="Frame until which the target is held", default=50.0, **SETTING
    )
    ease: FloatProperty(
        name="Ease",
        description="Frames in which the hand goes to the target before Start, and leaves it after End",
        default=10.0,
        min=0.0,
        soft_max=50.0,
        **SETTING,
    )
    lock: BoolProperty(
        name="Lock",
        description="Hold the target exactly where it is while others are dragged",
        default=False,
        **KEYABLE,
    )
    is_free: BoolProperty(
        name="Free",
        description="Hold nothing: go along with the body until dragged",
        default=False,
        **KEYABLE,
    )
    hold: EnumProperty(
        name="Hold",
        description=(
            "What this target does while others are dragged. A dragged target is always reached where the"
            " body can"
        ),
        items=(
            ("FREE", "Free", "Goes along with the body", HOLD_ICONS["FREE"], 0),
            ("SOFT", "Soft", "Stays about where it is, and gives way", HOLD_ICONS["SOFT"], 1),
            ("LOCKED", "Locked", "Stays exactly where it is", HOLD_ICONS["LOCKED"], 2),
        ),
        get=_hold,
        set=_set_hold,
        options=set(),
    )
    is_made: BoolProperty(
        name="Is Ours", description="NeuraRig made this empty and removes it with the target", **STATE
    )
    grip: FloatVectorProperty(
        name="Grip",
        description=(
            "Turn of the hand's bone, away from rest, that brings the fingers along Y and the palm against Z"
        ),
        size=9,
        default=UNTURNED,
        **STATE,
    )
