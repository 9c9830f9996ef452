"""What the operators on a character with targets share."""

import bpy

from ...character.record import POSE
from ...character.selection import armature_of
from ...interface.operator import CharacterOperator
from .. import over


class PosedOperator(CharacterOperator):
    """An operator on a character posed by its targets."""

    holder = POSE


class TargetOperator(PosedOperator):
    """An operator on a character's targets, whether they pose it or go over its walk or clip."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        obj = armature_of(context)
        if obj is None or not over.is_over(obj):
            return super().poll(context)
        if not obj.neurarig.neural_pose.targets:
            cls.poll_message_set(f"'{obj.name}' has no targets. Click Create Targets first.")
        return len(obj.neurarig.neural_pose.targets) > 0


class TargetMaker(CharacterOperator):
    """An operator that gives a character targets that pose it, or that go over its live walk or clip."""

    takes = POSE

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        obj = armature_of(context)
        if obj is None or not over.is_over(obj):
            return super().poll(context)
        if reason := over.not_possible(obj):
            cls.poll_message_set(reason)
        return not reason
