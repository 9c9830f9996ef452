"""An action of the animator's as a layer of the walk: which action, on which parts, how strongly."""

import bpy
from bpy.props import EnumProperty, FloatProperty, PointerProperty

from ....core.over.layer import HEAD, LEFT_ARM, PARTS, RIGHT_ARM, TRUNK
from ...character.changes import OVERRIDABLE
from ..changes import changed

REPLACE, ADD = "REPLACE", "ADD"


class LayerSettings:
    """The settings of the action over a walk."""

    layer_action: PointerProperty(
        name="Action",
        description="Action to play over the walk, on the parts whose bones it keys: a wave, a look, a carried pose",
        type=bpy.types.Action,
        override=OVERRIDABLE,
        update=changed,
    )
    layer_parts: EnumProperty(
        name="Parts",
        description="Parts of the character that the action moves",
        items=(
            (TRUNK, "Trunk", "The spine", 1),
            (HEAD, "Head", "Neck and head", 2),
            (LEFT_ARM, "Left Arm", "Left shoulder, arm and hand", 4),
            (RIGHT_ARM, "Right Arm", "Right shoulder, arm and hand", 8),
        ),
        default=set(PARTS),
        options={"ENUM_FLAG"},
        override=OVERRIDABLE,
        update=changed,
    )
    layer_blend: EnumProperty(
        name="Blend",
        description="How the action combines with the walk",
        items=((REPLACE, "Replace", "Replace the walk's own motion"), (ADD, "Add", "Add to the walk's own motion")),
        default=REPLACE,
        options=set(),
        override=OVERRIDABLE,
        update=changed,
    )
    layer_weight: FloatProperty(
        name="Weight",
        description="How strongly the action plays. Can be keyed",
        default=1.0,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
        override=OVERRIDABLE,
        update=changed,
    )
    layer_offset: FloatProperty(
        name="Offset",
        description="Frames to delay the action",
        default=0.0,
        options=set(),
        override=OVERRIDABLE,
        update=changed,
    )
    layer_ease: FloatProperty(
        name="Ease",
        description="Frames to blend in before the action's first key and out after its last",
        default=10.0,
        min=0.0,
        soft_max=50.0,
        options=set(),
        override=OVERRIDABLE,
        update=changed,
    )
