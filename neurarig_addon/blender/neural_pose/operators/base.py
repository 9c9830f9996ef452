"""What the operators on a character with targets share."""

from ...character.record import POSE
from ...interface.operator import CharacterOperator
from .. import over


class PosedOperator(CharacterOperator):
    """An operator on a character posed by its targets."""

    holder = POSE


class TargetOperator(PosedOperator):
    """An operator on a character's targets, whether they pose it or go over its walk or clip."""

    @classmethod
    def refusal(cls, context, obj):
        if not over.is_over(obj):
            return super().refusal(context, obj)
        return (
            ""
            if len(obj.neurarig.neural_pose.targets)
            else f"'{obj.name}' has no targets. Click Create Targets first."
        )


class TargetMaker(CharacterOperator):
    """An operator that gives a character targets that pose it, or that go over its live walk or clip."""

    takes = POSE

    @classmethod
    def refusal(cls, context, obj):
        return over.not_possible(obj) if over.is_over(obj) else super().refusal(context, obj)
