"""The button for hand poses, whose sliders stand in the Adjust Last Operation panel."""

import bpy

from ...core.hands.hand_pose import POSES
from ..animation.properties import ASKED
from ..character.fingers import HAND_POSES
from ..interface.operator import CharacterOperator
from . import api

_SLIDERS = ("curl", "thumb", "point", "spread")


def _take_pose(self: bpy.types.OperatorProperties, context: bpy.types.Context) -> None:
    """Set the sliders to the chosen pose."""
    for slider in _SLIDERS:
        self[slider] = getattr(POSES[self.pose], slider)


def _slider(name: str, description: str, least: float = 0.0):
    return ASKED.number(name, description, min=least, max=1.0, subtype="FACTOR")


class NEURARIG_OT_pose_hands(CharacterOperator):
    """Pose the fingers. A walk then leaves these hands as posed"""

    bl_label = "Pose Hands"

    pose: ASKED.choice(
        "Pose",
        "Hand pose to start from",
        items=HAND_POSES,
        update=_take_pose,
    )
    sides: ASKED.choice(
        "Hands",
        "Hands to pose",
        items=(
            ("LR", "Both", "Both hands"),
            ("L", "Left", "The left hand"),
            ("R", "Right", "The right hand"),
        ),
    )
    curl: _slider("Curl", "How far the fingers curl: 0 straight, 1 a fist")
    thumb: _slider("Thumb", "How far the thumb curls: 0 straight, 1 a fist")
    point: _slider("Point", "How straight the index finger is")
    spread: _slider("Spread", "How far the fingers are spread, or pressed together", least=-1.0)
    key: ASKED.switch("Insert Keys", "Key the fingers on this frame")

    def invoke(self, context, event):
        self.key = context.scene.tool_settings.use_keyframe_insert_auto
        return self.execute(context)

    def act(self, context, obj):
        sliders = {name: getattr(self, name) for name in _SLIDERS if self.properties.is_property_set(name)}
        turned = api.pose_hands(obj, self.pose, self.sides, self.key, **sliders)
        return f"{'Keyed' if self.key else 'Posed'} {len(turned)} finger bones of '{obj.name}'."
