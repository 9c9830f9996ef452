"""The ledger of a character's animation: pointers to actions, which survive renaming and count as users."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import bpy
from bpy.types import Action, FCurve, NlaTrack, Object

from ..animation import compat
from ..animation.renames import Renames, is_of_bone
from .stored_json import is_text, list_of, map_of, misfit, parsed, row_of

BAKE_MARK = "neurarig_bake"  # custom property of the actions that we made
_KEYED = "neurarig_keyed"  # custom property of such an action: the paths that it keys itself, as JSON text
ACTION, MUTED, SOLO, BAKE = "ACTION", "MUTED", "SOLO", "BAKE"  # kinds of `NeuraRigKept`


def note(obj: Object, kind: str, action: Action | None, slot: Any, track: str = "") -> None:
    """Keep track of an `ACTION` that was set aside, a `MUTED` or `SOLO` track with its first action, or a
    `BAKE` with its track, if any."""
    item = obj.neurarig.kept.add()
    item.name = f"{kind} {len(obj.neurarig.kept)}"  # library overrides identify list items by name
    item.kind, item.action, item.slot, item.track = kind, action, compat.handle_of(slot), track
    item.slot_name = getattr(slot, "identifier", "")


def of_kind(obj: Object, kind: str) -> list[Any]:
    """Return what is kept track of, of one kind."""
    return [item for item in obj.neurarig.kept if item.kind == kind]


def follow(obj: Object, renames: Renames) -> None:
    """Note renames for the kept actions to catch up with; in playing ones Blender has followed already."""
    played = {
        action
        for other in bpy.data.objects
        if other.data == obj.data
        for action, _ in compat.all_actions(other)
    }
    for item in obj.neurarig.kept:
        now = _pending(item).then(renames, with_new=item.action not in played)
        item.renames = json.dumps(now.as_plain()) if now else ""


def follow_slots(obj: Object) -> None:
    """Find actions that were set aside in new ones, where Blender moved their slots into these (*Separate
    Slots*)."""
    for item in of_kind(obj, ACTION):
        if (
            item.action is None
            or not item.slot_name
            or compat.slot_of_handle(item.action, item.slot) is not None
        ):
            continue
        moved = (
            (action, slot)
            for action in bpy.data.actions
            for slot in action.slots
            if slot.identifier == item.slot_name
        )
        found = next(((action, slot) for action, slot in moved if not slot.users()), None)
        if found is not None:
            item.action, item.slot = found[0], compat.handle_of(found[1])


def catch_up(obj: Object) -> list[str]:
    """Apply the noted renames to the kept actions, and return a sentence for each action whose keys no longer
    move anything."""
    notes = []
    for item in obj.neurarig.kept:
        renames, action = _pending(item), item.action
        item.renames = ""
        if not renames or action is None or not action.is_editable:
            continue
        channels = list(compat.find_channels(action, compat.slot_of_handle(action, item.slot)))
        lost = [
            name
            for name, now in renames.bones.items()
            if not now and any(is_of_bone(curve.data_path, name) for curve in channels)
        ]
        notes += [
            f"The action '{action.name}' has keys of '{name}', a bone that is gone or can no longer be"
            " identified."
            for name in lost
        ]
        groups = {curve.group.name: curve.group for curve in channels if curve.group}
        for curve in channels:
            curve.data_path = renames.path(curve.data_path)
        for name, group in groups.items():
            group.name = renames.bone(name)
    return notes


def _pending(item: Any) -> Renames:
    """Return the renames that an item's action has to catch up with."""
    stored = parsed(item.renames) if item.renames else None
    return Renames() if stored is None or misfit(stored, _RENAMES) else Renames.from_plain(stored)


_RENAMES = {"bones": map_of(is_text), "constraints": list_of(row_of(is_text, is_text, is_text))}


def hold(action: Action | None) -> bool:
    """Keep an action in the file; return whether there is one."""
    if action is None:
        return False
    if action.is_editable and not action.use_fake_user:
        action.use_fake_user = True
    return True


def is_bake(action: Action) -> bool:
    """Return whether an action was baked by us, for any character at any time."""
    return BAKE_MARK in action


def note_keyed(bake: Action, paths: Iterable[str]) -> None:
    """Note which paths a bake keys itself; what it is keyed on later is the user's."""
    bake[_KEYED] = json.dumps(sorted(paths))


def users_channels(action: Action, slot: Any) -> list[FCurve]:
    """Return the F-curves of an action that are the user's: all, but of a bake those that it does not key
    itself."""
    curves = list(compat.find_channels(action, slot))
    if not is_bake(action):
        return curves
    keyed = parsed(str(action.get(_KEYED, "")))
    return [curve for curve in curves if curve.data_path not in keyed] if list_of(is_text)(keyed) else []


def set_aside_channels(obj: Object) -> Iterator[tuple[str, FCurve]]:
    """Yield the user's F-curves in the actions that were set aside, the latest first, with their present
    paths."""
    for item in reversed(of_kind(obj, ACTION)):
        if item.action is not None:
            renames = _pending(item)
            for curve in users_channels(item.action, compat.slot_of_handle(item.action, item.slot)):
                yield renames.path(curve.data_path), curve


def is_ours(obj: Object, action: Action) -> bool:
    """Return whether an action is a bake made of a character since it is held."""
    return any(item.action == action for item in of_kind(obj, BAKE))


def is_our_track(obj: Object, track: NlaTrack) -> bool:
    """Return whether a track plays only bakes made since the character is held."""
    return len(track.strips) > 0 and all(
        strip.action is not None and is_ours(obj, strip.action) for strip in track.strips
    )


def was_pushed(obj: Object, track: NlaTrack) -> bool:
    """Return whether we made a track, even if its bake is deleted; one that the user renamed, or pushed a
    bake onto, is the user's."""
    named = [item for item in of_kind(obj, BAKE) if item.track == track.name]
    if first_action(track) is None:
        return len(track.strips) > 0 and any(item.action is None for item in named)
    return any(holds(track, item.action) for item in named) and is_our_track(obj, track)


def holds(track: NlaTrack, action: Action | None) -> bool:
    """Return whether a track plays an action; true for None."""
    return action is None or any(strip.action == action for strip in track.strips)


def first_action(track: NlaTrack) -> Action | None:
    """Return the action that identifies a track, None for an empty one."""
    return next((strip.action for strip in track.strips if strip.action is not None), None)


def all_actions(obj: Object) -> Iterator[tuple[Action, Any]]:
    """Yield an object's `(action, slot)` pairs: the active one, the NLA strips' (also muted), and those set
    aside."""
    yield from compat.all_actions(obj)
    for item in of_kind(obj, ACTION):
        if item.action is not None:
            yield item.action, compat.slot_of_handle(item.action, item.slot)
