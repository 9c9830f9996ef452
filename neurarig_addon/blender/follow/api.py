"""Follow-through for scripts; `blender.api` re-exports `follow_through`.

api.follow_through(hero)                            # all that hangs on it
"""

import bpy

from ...core.errors import NeuraRigError
from ..character import hanging, record
from ..character.read_character import read_character
from ..character.requirements import require_editable
from . import chains, own_live


def follow_through(obj: bpy.types.Object, on: bool = True) -> list[str]:
    """Switch on or off that tails, ears, hair, straps and bellies follow what moves a character, and return
    the names of the bones that do.

    The chains are listed in `Object.neurarig.follow.chains`, each with its `kind` and sliders; `use` leaves
    one out. A walk or a clip is followed where the character has one, else its own animation.

    Raises NeuraRigError, with nothing changed, if nothing hangs on the character that could follow.
    """
    require_editable(obj)
    own = obj.neurarig.follow
    if not on:
        own.on = False
        return []
    chains.find(obj, read_character(obj))
    if not len(own.chains):
        raise NeuraRigError(
            f"Nothing hangs on '{obj.name}': no tail, ear, hair, strap or belly that nobody drives. Add bones"
            " for it, with a name that says what they are."
        )
    if not own.on:
        own.on = True
    found = [bone for *_, turned in hanging.followed(obj) for bone in turned]
    if not found:
        own.on = False
        raise NeuraRigError(
            " ".join(hanging.refusals(obj)) or f"No chain of '{obj.name}' is in use. Choose one."
        )
    if not record.is_attached(obj):
        hanging.begin_layer(obj)
        own_live.begin(obj)
    return found
