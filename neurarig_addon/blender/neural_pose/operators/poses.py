"""Poses: flip, mirror, copy to other characters, in-between, and pose assets."""

from ...animation.properties import ASKED
from .. import pose_api as api
from .base import PosedOperator


def _stay(parts: list[str]) -> str:
    """Return a warning about parts that were not moved; '' if there are none."""
    return f"Not moved, because they follow animated or chosen objects: {', '.join(parts)}." if parts else ""


class NEURARIG_OT_flip_pose(PosedOperator):
    """Swap left and right of the pose"""

    bl_label = "Flip Pose"

    def act(self, context, obj):
        self.warn(_stay(api.flip_pose(obj)))
        return f"Flipped the pose of '{obj.name}'."


class NEURARIG_OT_mirror_pose(PosedOperator):
    """Pose the arm and leg of one side like those of the other"""

    bl_label = "Mirror Pose"

    side: ASKED.choice(
        "From",
        "The side that stays as it is",
        items=(
            ("L", "Left to Right", "The right arm and leg as the left"),
            ("R", "Right to Left", "The left arm and leg as the right"),
        ),
    )

    def act(self, context, obj):
        self.warn(_stay(api.mirror_pose(obj, self.side)))
        return f"Mirrored the pose of '{obj.name}' from the {'left' if self.side == 'L' else 'right'}."


class NEURARIG_OT_copy_pose(PosedOperator):
    """Give the pose of the active character to the other selected characters"""

    bl_label = "Copy Pose to Selected"
    needs = "Needs targets, and other armatures selected besides"

    def act(self, context, obj):
        others = [other for other in context.selected_objects if other.type == "ARMATURE" and other != obj]
        self.warn(_stay(api.copy_pose(obj, others)))
        return f"Copied the pose of '{obj.name}' to {', '.join(repr(other.name) for other in others)}."


class NEURARIG_OT_pose_asset(PosedOperator):
    """Save the pose as a pose asset of this file, for the Asset Browser"""

    bl_label = "Create Pose Asset"
    confirm = "Create"

    name: ASKED.text("Name", "Name of the asset", default="Pose")

    def act(self, context, obj):
        return f"Made the pose asset '{api.pose_asset(obj, self.name).name}'."


class NEURARIG_OT_in_between(PosedOperator):
    """Key a pose between the keyed poses before and after this frame. Feet that stand in both stay planted"""

    bl_label = "In-Between"
    needs = "Needs targets, and keyed poses before and after this frame"

    share: ASKED.number(
        "Blend",
        "0: the pose before. 1: the pose after. Beyond: exaggerated",
        default=0.5,
        soft_min=0.0,
        soft_max=1.0,
        min=-0.5,
        max=1.5,
        subtype="FACTOR",
    )

    def act(self, context, obj):
        self.warn(_stay(api.in_between(obj, self.share)))
        return f"Keyed '{obj.name}' at {100.0 * self.share:.0f} % between its keyed poses."
