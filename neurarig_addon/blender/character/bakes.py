"""Bakes on a character: finished actions, written whole or not at all, that drive it instead of a live pose
until it is live or removed."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from bpy.types import Action, AnimData, Object

from ...core.errors import NeuraRigError
from ..animation import compat
from ..animation.frame_range import played_range
from ..animation.keyframes import SWITCHES, Channel, fresh_action
from . import controls, ledger, names, record, stash
from .controls import snapshot
from .restore_point import as_before

Acting = tuple[Action, Any]  # an action with its slot


@dataclass(frozen=True)
class Replaced:
    """What a bake of deform bones replaces: their active constraints, by bone, and their own pose (see
    controls.snapshot)."""

    constraints: Mapping[str, list[str]]
    pose: Mapping[str, dict[str, Any]]


@contextmanager
def fresh(obj: Object, name: str) -> Iterator[Acting]:
    """Yield a new action for a bake; if anything interrupts the block it is removed, and the character plays
    and stands as before."""
    with fresh_action(name, obj) as made, as_before(obj):
        yield made


def mark(action: Action, frames: np.ndarray | None = None) -> None:
    """Mark a written action as a bake, over the frames `(f,)` of its keys."""
    action.use_fake_user = True
    action[ledger.BAKE_MARK] = True
    if frames is not None:
        action.use_frame_range = True
        action.frame_start, action.frame_end = float(frames[0]), float(frames[-1])


def take_over(
    obj: Object,
    action: Action,
    slot: Any,
    push_nla: bool = False,
    replaced: Replaced | None = None,
) -> None:
    """Make a finished bake drive the character instead of a live pose: as active action, or on an NLA track.

    The constraints it replaces are muted until the character is live again or removed, or another bake needs
    them.
    """
    stash.require_untweaked(obj)
    names.follow(obj)
    if replaced is None:
        stash.give_way(obj)
    before = stash.noted(obj)
    data = obj.animation_data or obj.animation_data_create()
    if data.action is not None:
        stash.set_aside(obj, before)
    for track in data.nla_tracks:
        if not track.mute and ledger.is_our_track(obj, track):
            stash.mute(obj, track)
    stash.end_solo(obj)
    track_name = ""
    if push_nla:
        data.use_nla = True
        stash.key_over(obj, before)
        track_name = _push(data, action, slot)
    else:
        compat.assign(data, action, slot)
    ledger.note(obj, ledger.BAKE, action, slot, track_name)
    if replaced is not None:
        _replace(obj, before, replaced)
        names.note(obj)  # what is muted now may be renamed later
    stash.store(obj, before)


def set_as_played(obj: Object, replaced: Replaced | None, copy: Object) -> None:
    """Mute on a copy of a character the constraints that a bake replaces, and no others that another bake has
    replaced."""
    snapshot.restore_constraints(copy, stash.replaced_constraints(obj))
    if replaced is not None:
        _mute(copy, replaced)


def muting(constraints: Iterable[tuple[str, str]]) -> list[Channel]:
    """Return channels that mute constraints, by bone and name, so that a bake on bones plays right wherever
    it is assigned."""
    return _switched((snapshot.switch_path(bone, name, "mute"), 1.0) for bone, name in constraints)


def switches(obj: Object) -> list[Channel]:
    """Return channels of the rig's switches as its holder needs them, so that a bake plays right without the
    add-on."""
    return _switched(controls.switches(record.attachment(obj)))


def _switched(values: Iterable[tuple[str, Any]]) -> list[Channel]:
    return [
        Channel(path, np.full((1, 1), float(value)), np.full(1, np.inf), SWITCHES) for path, value in values
    ]


def hand_over(obj: Object, action: Action | None, slot: Any) -> list[str]:
    """Make our bake the user's action from now on; the action it replaces stays in the file, which is
    reported."""
    if action is None or not ledger.is_bake(action):
        return []
    before, _ = compat.playing(obj)
    del action[ledger.BAKE_MARK]
    stash.play(obj, action, slot)
    return (
        [f"The previous action of '{obj.name}', '{before.name}', stays in the file."]
        if before is not None and ledger.hold(before)
        else []
    )


def require_playing(obj: Object, lacks: str) -> None:
    """Raise NeuraRigError if no bake of ours moves the character."""
    if not plays_ours(obj):
        raise NeuraRigError(f"'{obj.name}' plays no {lacks} first.")


def plays_ours(obj: Object) -> bool:
    """Return whether one of our bakes moves the character now."""
    return playing(obj) is not None


def playing(obj: Object) -> Action | None:
    """Return the bake of ours that moves the character now, the active action before those on tracks."""
    return next((action for action, _ in _bakes_playing(obj)), None)


def of(obj: Object) -> list[Acting]:
    """Return a character's bakes that can be edited, with their slots, played or not."""
    found = ((item.action, item.slot) for item in ledger.of_kind(obj, ledger.BAKE) if item.action is not None)
    return [(action, compat.slot_of_handle(action, slot)) for action, slot in found if action.is_editable]


def drop_gone(obj: Object, baked: Iterable[Acting]) -> None:
    """Take the keys of constraints that are gone out of bakes: FBX leaves out actions with a channel that is
    not valid."""
    for action, slot in baked:
        curves = compat.find_channels(action, slot)
        for curve in [curve for curve in curves if ".constraints[" in curve.data_path]:
            try:
                obj.path_resolve(curve.data_path)
            except ValueError:
                curves.remove(curve)


def keyed_of_object(obj: Object) -> set[str]:
    """Return the properties of the object itself that our bakes move."""
    return {
        curve.data_path
        for bake in _bakes_playing(obj)
        for curve in compat.find_channels(*bake)
        if "." not in curve.data_path
    }


def _push(data: AnimData, action: Action, slot: Any) -> str:
    """Put a bake on an NLA track of its own and return the track's name; a loop repeats to the scene's end,
    advancing as its curves do."""
    track = data.nla_tracks.new()
    track.name = action.name
    strip = track.strips.new(action.name, int(action.frame_start), action)
    compat.assign(strip, action, slot)
    last = float(played_range(bpy.context.scene)[1])
    if action.use_cyclic and last > strip.action_frame_end:
        strip.use_sync_length = False
        strip.action_frame_end = last
        strip.frame_end = strip.frame_start + last - strip.action_frame_start
    return track.name


def _mute(obj: Object, replaced: Replaced) -> None:
    for bone, muted in replaced.constraints.items():
        for name in muted:
            obj.pose.bones[bone].constraints[name].mute = True


def _replace(obj: Object, before: dict[str, Any], replaced: Replaced) -> None:
    _mute(obj, replaced)
    before["constraints"] += [[bone, name] for bone, muted in replaced.constraints.items() for name in muted]
    # of two bakes in a row, the first one found the original pose
    before["pose"] = dict(replaced.pose) | before["pose"]


def _bakes_playing(obj: Object) -> Iterator[Acting]:
    action, slot = compat.playing(obj)
    if action is not None and ledger.is_ours(obj, action):
        yield action, slot
    for track in compat.tracks(obj):
        if not track.mute and ledger.is_our_track(obj, track):
            yield from (compat.assigned(strip) for strip in track.strips)
