"""An action over a walk, for scripts; exported by `blender.api`: one that is given, or what the animator keys
while the walk is live."""

from collections.abc import Collection, Iterable
from typing import Any

import bpy
from bpy.types import Action, AnimData, FCurve, Object

from ....core.errors import NeuraRigError
from ....core.over.layer import PARTS
from ...animation import compat
from ...animation.keyframes import NewCurves
from ...animation.renames import bone_of
from ...character import ledger
from ...character.state import State, state_of
from ..changes import changes
from ..layer import ADD, REPLACE, bones_over
from ..settings import requirements
from ..source.source import source_of

LAYER_SETTINGS = ("layer_action", "layer_parts", "layer_blend", "layer_weight", "layer_offset", "layer_ease")


def layer_action(
    obj: Object,
    action: Action | None,
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

    A baked walk is live again, for its bake stands alone.

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
    before, was_live = {name: getattr(own, name) for name in LAYER_SETTINGS}, own.live
    given: dict[str, Any] = dict(
        zip(LAYER_SETTINGS, (action, chosen, blend, weight, offset, ease), strict=True)
    )
    _set_layer(obj, given if action is not None else {"layer_action": None})
    own.live = own.live or (action is not None and state_of(obj) is State.BAKED)
    if was_live and own.error:
        reason = own.error
        _set_layer(obj, before)
        own.error, own.live = "", True
        raise NeuraRigError(reason)


def _set_layer(obj: Object, values: dict[str, object]) -> None:
    with changes.as_one(obj):
        for name, value in values.items():
            setattr(obj.neurarig.walk, name, value)


def use_as_layer(obj: Object) -> Action:
    """Move the keys that hold trunk, head and arms of a live walk into an action over it, and return that;
    the walk goes on beneath.

    The keys are in the character's own action, made since it went live, and play over the walk. If there is
    an action over the walk
    already, the new one holds a copy of its keys too.

    Raises NeuraRigError, with nothing changed, if there are no such keys, or they do not go together with the
    action over the walk.
    """
    requirements.require_walk(obj)
    if state_of(obj) is not State.LIVE:
        raise NeuraRigError(
            f"The walk of '{obj.name}' is not live, so no keys play over it. Turn on Live first."
        )
    parts, curves = _keyed_over(obj)
    _require_fit(obj, parts)
    own = obj.neurarig.walk
    kept: dict[str, Any] = {"parts": parts}
    if own.layer_action:
        kept = {"parts": own.layer_parts, "weight": own.layer_weight, "ease": own.layer_ease}
    action = _with_keys(obj, curves)
    try:
        layer_action(obj, action, **kept)
    except NeuraRigError:
        bpy.data.actions.remove(action)
        raise
    _take_out(obj.animation_data, curves)
    changes.tell(obj)
    return action


def _keyed_over(obj: Object) -> tuple[set[str], list[FCurve]]:
    """Return which parts of a live walk the character's own action holds, and all its curves of their
    bones."""
    action, slot = compat.playing(obj)
    if action is not None and action.library is not None:
        raise NeuraRigError(f"'{action.name}' is linked from another file. Make it local first.")
    curves = ledger.users_channels(action, slot) if action else []
    source = source_of(obj)
    bones = bones_over(obj, source.roles, source.rig, curves)
    if not bones:
        raise NeuraRigError(
            f"'{obj.name}' has no keys of its own that turn trunk, head or arms. Turn Live off and on to set"
            " aside what else plays over it."
        )
    return set(bones.values()), [curve for curve in curves if bone_of(curve.data_path) in bones]


def _require_fit(obj: Object, parts: Collection[str]) -> None:
    """Refuse keys that do not go together with the action over the walk."""
    own = obj.neurarig.walk
    if own.layer_action and (own.layer_blend == ADD or own.layer_offset or not set(parts) <= own.layer_parts):
        raise NeuraRigError(
            f"'{own.layer_action.name}' is over the walk of '{obj.name}' otherwise. In Animation on Top, set"
            " Blend to Replace, Delay to 0 and choose all parts, or clear Action."
        )


def _with_keys(obj: Object, curves: Iterable[FCurve]) -> Action:
    """Return a new action with the keys of these curves, and of the action over the walk where it has
    others."""
    before = obj.neurarig.walk.layer_action
    if before is None:
        action, slot = compat.new_action(f"{obj.name} Layer", obj)
    else:
        action, slot = compat.copied_action(before, compat.suitable_slot(before, obj))
    there = {(curve.data_path, curve.array_index): curve for curve in compat.find_channels(action, slot)}
    made = NewCurves(action, slot)
    for curve in curves:
        if older := there.get((curve.data_path, curve.array_index)):
            _add_keys(older, curve)
        else:
            made.copy(curve, curve.data_path)
    return action


def _add_keys(curve: FCurve, other: FCurve) -> None:
    """Add another curve's keys to a curve, in place of its own on the same frames."""
    for key in other.keyframe_points:
        curve.keyframe_points.insert(*key.co, options={"FAST"}).interpolation = key.interpolation
    curve.update()


def _take_out(data: AnimData, curves: Iterable[FCurve]) -> None:
    """Remove curves from the action that plays, and the action if it has nothing else."""
    action, slot = compat.assigned(data)
    channels = compat.find_channels(action, slot)
    for curve in curves:
        channels.remove(curve)
    if not list(compat.all_channels(action)) and action.users == 1 and not action.use_fake_user:
        bpy.data.actions.remove(action)
