"""What the operators on a character with targets share."""

from ...character.record import POSE
from ...interface.operator import CharacterOperator


class PosedOperator(CharacterOperator):
    """An operator on a character that has targets."""

    holder = POSE
