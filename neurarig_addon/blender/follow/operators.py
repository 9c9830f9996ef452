"""The button that switches follow-through on and off."""

from ..animation.properties import ASKED
from ..character import hanging
from ..interface.operator import CharacterOperator
from . import api


class NEURARIG_OT_follow_through(CharacterOperator):
    """Have tail, ears, hair, straps and belly swing with the body"""

    bl_label = "Follow-Through"

    on: ASKED.switch("On", "Whether what hangs on the character follows it", default=True)

    def act(self, context, obj):
        found = api.follow_through(obj, self.on)
        if not self.on:
            return f"Nothing follows '{obj.name}' any more."
        self.tell(hanging.refusals(obj))
        return f"{len(found)} bones follow '{obj.name}'."
