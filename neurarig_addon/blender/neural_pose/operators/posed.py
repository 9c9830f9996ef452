"""What the operators on a character with targets share."""

import bpy

from ...character.record import POSE
from ...character.selection import armature_of
from ...interface.operator import CharacterOperator
from .. import over


class PosedOperator(CharacterOperator):
    """An operator on a character that its targets pose."""

    holder = POSE


class TargetOperator(PosedOperator):
    """An operator on the targets of a character, that they pose or that walks below them."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        obj = armature_of(context)
        if obj is None or not over.is_over(obj):
            return super().poll(context)
        if not obj.neurarig.neural_pose.targets:
            cls.poll_message_set(f"'{obj.name}' has no targets. Click Create Targets first.")
        return len(obj.neurarig.neural_pose.targets) > 0


class TargetMaker(CharacterOperator):
    """An operator that gives a character targets: of its own, or over its live walk or clip."""

    takes = POSE

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        obj = armature_of(context)
        if obj is None or not over.is_over(obj):
            return super().poll(context)
        if reason := over.not_possible(obj):
            cls.poll_message_set(reason)
        return not reason
