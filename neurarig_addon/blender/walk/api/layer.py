"""The action over a walk, for scripts; `blender.api` hands this on."""

from collections.abc import Iterable

import bpy

from ....core.errors import NeuraRigError
from ....core.over.layer import PARTS
from ..changes import changes
from ..layer import ADD, REPLACE
from ..settings import requirements

SETTINGS = ("layer_action", "layer_parts", "layer_blend", "layer_weight", "layer_offset", "layer_ease")


def layer_action(
    obj: bpy.types.Object,
    action: bpy.types.Action | None,
    *,
    parts: Iterable[str] = PARTS,
    blend: str = REPLACE,
    weight: float = 1.0,
    offset: float = 0.0,
    ease: float = 10.0,
) -> None:
    """Play an action over a character's walk, on the parts whose bones it rotates; None removes it.

    Args:
        parts: of 'TRUNK', 'HEAD', 'LEFT_ARM', 'RIGHT_ARM'.
        blend: 'REPLACE', in place of the walk's motion, or 'ADD', on top of it.
        weight: 0..1; key `Object.neurarig.walk.layer_weight` to change it.
        offset: frames by which it plays later.  `ease`: frames of fading in and out.

    Raises NeuraRigError, with nothing changed, if the action rotates none of these parts.
    """
    requirements.require_walk(obj)
    own, chosen = obj.neurarig.walk, set(parts)
    if not chosen or not chosen <= set(PARTS):
        raise NeuraRigError(f"A layer has the parts {', '.join(PARTS)}; choose at least one.")
    if blend not in (REPLACE, ADD):
        raise NeuraRigError(f"'{blend}' is not a blend mode; choose {REPLACE} or {ADD}.")
    if action is None and own.layer_action is None:
        return
    before, was_live = {name: getattr(own, name) for name in SETTINGS}, own.live
    given = dict(zip(SETTINGS, (action, chosen, blend, weight, offset, ease), strict=True))
    _set(obj, given if action is not None else {"layer_action": None})
    if was_live and own.error:
        reason = own.error
        _set(obj, before)
        own.error, own.live = "", True
        raise NeuraRigError(reason)


def _set(obj: bpy.types.Object, values: dict[str, object]) -> None:
    with changes.as_one(obj):
        for name, value in values.items():
            setattr(obj.neurarig.walk, name, value)
