"""Walks baked for scripts, and baked again with the current sliders; `blender.api` hands these on."""

import math
from dataclasses import asdict, fields, replace
from typing import Any

import bpy
from bpy.types import Action, Object

from ....core.errors import NeuraRigError
from ...animation import compat
from ...animation.frame_range import checked_frame, keys_between
from ...animation.steps import Steps, at_once, finish_in_sight, part_of
from ...character import bakes, lasting, ledger, stash
from ...character.stored_json import is_flag, is_number, is_text, is_whole, misfit
from ...keys import bake_record, figures
from ..bake import bake, bake_options
from ..bake.bake_options import CONTROLS, LAYER, BakeOptions
from ..settings import requirements
from ..source import source as walk_source
from .report import contact_report

_FORM = {
    "frame_start": is_whole,
    "frame_end": is_whole,
    "step": is_whole,
    "target": is_text,
    "loop": is_flag,
    "push_nla": is_flag,
    "keys": is_text,
    "tolerance": is_number,
}
_KEPT = "neurarig_kept_keys"  # custom property of the action: number of touched keys that stayed


def bake_walk(obj: Object, *, check: bool = False, **options: Any) -> Action:
    """Bake a character's walk to a new action and return it.

    Args:
        check: measure the baked frames afterwards and store the contact report.
        options: `frame_start`, `frame_end` of the timeline, `step`, `target` ('CONTROLS': the rig's own
        controls or, without any,
            its bones; 'LAYER': the controls that NeuraRig adds; 'DEFORM' or 'BOTH'), `loop`, `push_nla`,
            `keys` ('DENSE' or 'EDITABLE'),
            the `tolerance` of editable ones: metres that a joint may be off, and `action_name`. Of BOTH the
            action on the controls is
            returned and plays; its custom property `deform_action` is the other, with dense keys.

    Raises NeuraRigError without a walk, or for frames and options that are impossible; nothing is left behind
    then.
    """
    wanted = _bake_options(obj, options)
    action = finish_in_sight(bake.bake_steps(obj, wanted))
    if check:
        contact_report(obj, baked_frames(action))
    return action


def bake_steps(obj: Object, **options: Any) -> Steps[Action]:
    """As `bake_walk`, step by step: yields the share done, returns the action; if closed early, leaves
    nothing behind.

    Raises as `bake_walk`.
    """
    return bake.bake_steps(obj, _bake_options(obj, options))


def baked_frames(action: Action) -> tuple[int, int]:
    """Return the first and last frame of a bake."""
    return math.ceil(action.frame_start), math.floor(action.frame_end)


def _bake_options(obj: Object, given: dict[str, Any]) -> BakeOptions:
    requirements.require_walk(obj)
    stash.require_untweaked(obj)
    known = [field.name for field in fields(BakeOptions)]
    for name in given:
        if name not in known:
            raise NeuraRigError(f"A bake has no option '{name}'; it has {', '.join(known)}.")
    if given.get("target", bake_options.CONTROLS) not in bake_options.TARGETS:
        raise NeuraRigError(
            f"'{given['target']}' is not a bake target; choose one of {', '.join(bake_options.TARGETS)}."
        )
    scene = bpy.context.scene
    wanted = BakeOptions(**dict[str, Any](frame_start=scene.frame_start, frame_end=scene.frame_end) | given)
    checked_frame(wanted.frame_start, "start frame")
    checked_frame(wanted.frame_end, "end frame")
    if scene.render.frame_map_old != scene.render.frame_map_new:  # Time Stretching
        first, last = keys_between(scene, wanted.frame_start, wanted.frame_end)
        wanted = replace(wanted, frame_start=first, frame_end=last)
    bake_options.require(wanted.keys, wanted.tolerance, wanted.step, wanted.target)
    if not wanted.loop and isinstance(wanted.step, int):
        bake_options.require_step(wanted.step, wanted.frame_start, wanted.frame_end)
    for name in ("loop", "push_nla"):
        if not isinstance(getattr(wanted, name), bool | int):
            raise NeuraRigError(
                f"The bake option '{name}' must be True or False, not '{getattr(wanted, name)}'."
            )
    return wanted


@at_once
def rebake_walk(obj: Object) -> Steps[Action]:
    """Bake a character's walk again into the action of its last bake, and return it.

    Keys that were moved, retyped or added since stay, with the curve up to the keys on either side; deleted
    ones stay deleted. Raises NeuraRigError, and changes nothing, if there is no such bake.
    """
    requirements.require_walk(obj)
    stash.require_untweaked(obj)
    action, slot, options = _last_bake(obj)
    return _steps(obj, (action, slot), options)


def kept_keys(action: Action) -> int:
    """Return how many keys stayed when an action was last baked again."""
    found = action.get(_KEPT)
    return found if is_whole(found) else 0


def _last_bake(obj: Object) -> tuple[Action, Any, BakeOptions]:
    """Return the controls' bake that plays, else the last one, with its slot and the options it was made
    with."""
    noted = [
        (item.action, compat.slot_of_handle(item.action, item.slot))
        for item in ledger.of_kind(obj, ledger.BAKE)
        if item.action
    ]
    playing = [each for each in noted if each in list(compat.all_actions(obj))]
    for action, slot in (*playing, *reversed(noted)):
        stored = bake_record.options_of(action)
        if misfit(stored, _FORM) or stored["target"] == bake_options.DEFORM:
            continue
        if not action.is_editable:
            raise NeuraRigError(
                f"The action '{action.name}' is linked from another file. Make it local first."
            )
        options = BakeOptions(**{name: stored[name] for name in _FORM})
        if options.target == CONTROLS and (action, slot) in lasting.on_layer(obj):  # as bakes were before
            options = replace(options, target=LAYER)
        bake_options.require(options.keys, options.tolerance, options.step, options.target)
        return action, slot, options
    raise NeuraRigError(
        f"'{obj.name}' has no bake of its controls to repeat. Use Bake Frames or Bake Loop first."
    )


def _steps(obj: Object, into: bakes.Acting, options: BakeOptions) -> Steps[Action]:
    action, slot = into
    source = walk_source.source_of(obj)
    known, moved = yield from part_of(bake.known_steps(obj, source, options), 0.0, 0.1)
    channels = (yield from part_of(bake.posed_steps(obj, known, options), 0.1, 0.2)) + moved
    with bakes.fresh(obj, action.name) as (made, place):
        yield from part_of(bake.written_steps(obj, (made, place), known, options, channels), 0.2, 1.0)
        yield 1.0
        stash.require_untweaked(obj)
        action[_KEPT] = bake_record.take_in(into, (made, place), asdict(options))
        _take_figures(action, made)
        obj.neurarig.walk.live = False
        if into not in list(compat.all_actions(obj)):
            bakes.take_over(obj, action, slot, replaced=known.replaced)
    bpy.data.actions.remove(made)
    return action


def _take_figures(action: Action, made: Action) -> None:
    """Update an action's range, key poses and figures from a new bake."""
    action.frame_start, action.frame_end = made.frame_start, made.frame_end
    names = {marker.name for marker in made.pose_markers}
    for marker in [marker for marker in action.pose_markers if marker.name in names]:
        action.pose_markers.remove(marker)
    for marker in made.pose_markers:
        action.pose_markers.new(marker.name).frame = marker.frame
    for name in (*figures.FIGURES, *bake.FIGURES):
        if name in made:
            action[name] = made[name]
