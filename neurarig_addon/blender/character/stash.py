"""The animation that a character had before its walk: set aside in the NLA, never edited, and given back."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import bpy

from ..animation import compat
from . import controls
from .controls import snapshot
from .stored import is_flag, is_number, is_text, list_of, map_of, misfit, parsed, row_of

STASH_TRACK = "NeuraRig: your action"
BAKE_TRACK = "NeuraRig Walk"
BAKE_MARK = "neurarig_bake"  # custom property of the actions that we made
BLENDING = ("action_blend_type", "action_extrapolation", "action_influence")


@dataclass(frozen=True)
class Moved:
    """What is moved in place of a character's own animation: by the attachment (see `controls`), and of the object the `channels` named."""

    attachment: Mapping[str, Any]
    channels: tuple[str, ...] = ()

    def paths(self) -> tuple[str, ...]:
        """Return how the RNA paths begin."""
        bones = {*(row[0] for row in self.attachment["drives"]), *self.attachment["held"]}
        found = tuple(f'pose.bones["{bpy.utils.escape_identifier(name)}"].' for name in bones)
        return found + tuple(path for path, _ in controls.switches(dict(self.attachment))) + self.channels


def stash_action(obj: bpy.types.Object, moved: Moved) -> None:
    """Take off what would play over what is moved: the active action into a muted NLA track, and NLA tracks with the same channels.

    An action with other keys only (a keyed slider, a prop) stays where it is.  What was taken off is noted in `neurarig.stash`;
    called again it takes off what has come since.
    """
    state = _state(obj)
    data = obj.animation_data
    if data is not None:
        paths = moved.paths()
        if data.action is not None and _plays_over(paths, *compat.assigned(data)):
            set_aside(obj, state)
        for track in data.nla_tracks:
            if not track.mute and any(strip.action and _plays_over(paths, *compat.assigned(strip)) for strip in track.strips):
                track.mute = True
                if track.name not in state["muted"] and not _holds_bakes_only(track):
                    state["muted"].append(track.name)
    _store(obj, state)


@dataclass(frozen=True)
class Replaced:
    """What a bake of deform bones stands in for: their active constraints, by bone, and their own pose (see controls.snapshot)."""

    constraints: Mapping[str, list[str]]
    pose: Mapping[str, dict[str, Any]]


def take_over(obj: bpy.types.Object, action: bpy.types.Action, slot: Any, push_nla: bool, replaced: Replaced | None) -> None:
    """Have a finished bake drive the character instead of the live walk: as its active action, or on an NLA track.

    The constraints that it replaces are turned off until the walk is live again or removed, or another bake needs them.
    """
    obj.neurarig.walk.live = False
    if replaced is None:
        give_way(obj)
    state = _state(obj)
    data = obj.animation_data or obj.animation_data_create()
    if data.action is not None:
        set_aside(obj, state)
    for track in data.nla_tracks:
        track.mute |= _holds_bakes_only(track)
    if push_nla:
        data.use_nla = True
        _push(data, action, slot)
    else:
        compat.assign(data, action, slot)
    if replaced is not None:
        _replace(obj, state, replaced)
    _store(obj, state)


def _push(data: bpy.types.AnimData, action: bpy.types.Action, slot: Any) -> None:
    """Put a bake on an NLA track of its own; a loop goes on to the end of the scene, advancing as its curves do."""
    track = data.nla_tracks.new()
    track.name = BAKE_TRACK
    strip = track.strips.new(action.name, int(action.frame_start), action)
    compat.assign(strip, action, slot)
    last = float(bpy.context.scene.frame_end)
    if action.use_cyclic and last > strip.action_frame_end:
        strip.use_sync_length = False
        strip.action_frame_end = last
        strip.frame_end = strip.frame_start + last - strip.action_frame_start


def _replace(obj: bpy.types.Object, state: dict[str, Any], replaced: Replaced) -> None:
    for bone, names in replaced.constraints.items():
        for name in names:
            obj.pose.bones[bone].constraints[name].mute = True
            state["constraints"].append([bone, name])
    state["pose"] = dict(replaced.pose) | state["pose"]  # of two bakes in a row the first found the pose that was


def give_way(obj: bpy.types.Object) -> None:
    """Give bones and constraints back to the rig that a bake of the deform bones had replaced."""
    state = _state(obj)
    snapshot.restore_constraints(obj, state["constraints"])
    snapshot.restore_pose(obj, state["pose"])
    state["constraints"], state["pose"] = [], {}
    _store(obj, state)


def restore_action(obj: bpy.types.Object) -> None:
    """Give back action, slot and NLA as they were before the walk; bakes stay in the file, with a fake user, but are taken off."""
    if not obj.neurarig.stash:
        return
    state = _state(obj)
    data = obj.animation_data
    if data is not None:
        if data.action is not None and is_bake(data.action):
            data.action = None
        for track in [track for track in data.nla_tracks if track.name.startswith(BAKE_TRACK) and _holds_bakes_only(track)]:
            data.nla_tracks.remove(track)
        data.use_nla = state["use_nla"]
        _give_back(data, state)
        for name in state["muted"]:
            if name in data.nla_tracks:
                data.nla_tracks[name].mute = False
        if not state["had_data"] and _is_empty(data):
            obj.animation_data_clear()
    give_way(obj)
    obj.neurarig.stash = ""


def playing(obj: bpy.types.Object) -> tuple[bpy.types.Action | None, Any]:
    """Return the `(action, slot)` that an object plays."""
    return compat.assigned(obj.animation_data) if obj.animation_data else (None, None)


def play(obj: bpy.types.Object, action: bpy.types.Action | None, slot: Any) -> None:
    """Have an object play an action, or none."""
    if playing(obj) != (action, slot):
        compat.assign(obj.animation_data or obj.animation_data_create(), action, slot)


def hand_over(obj: bpy.types.Object, action: bpy.types.Action | None, slot: Any) -> None:
    """Have an object play one of our bakes as an action of the user's from now on; the one that it plays stays in the file."""
    if action is None or not is_bake(action):
        return
    before, _ = playing(obj)
    if before is not None:
        before.use_fake_user = True
    del action[BAKE_MARK]
    play(obj, action, slot)


def is_bake(action: bpy.types.Action) -> bool:
    """Say whether an action is one of our bakes."""
    return BAKE_MARK in action


def plays_bake(obj: bpy.types.Object) -> bool:
    """Say whether one of our bakes moves the character now."""
    data = obj.animation_data
    if data is None:
        return False
    if data.action is not None and is_bake(data.action):
        return True
    return any(not track.mute and _holds_bakes_only(track) for track in data.nla_tracks)


def set_aside(obj: bpy.types.Object, state: dict[str, Any]) -> None:
    """Move the active action into a muted track of its own; one of our bakes is only taken off."""
    data = obj.animation_data
    action, slot = compat.assigned(data)
    if not is_bake(action) and not state["track"]:
        state["blending"] = {name: getattr(data, name) for name in BLENDING}
        state["slot"] = slot is not None
        track = data.nla_tracks.new()
        track.name = STASH_TRACK
        strip = track.strips.new(action.name, int(action.frame_range[0]), action)
        if slot is not None:
            compat.assign(strip, action, slot)
        track.mute = track.lock = True
        state["track"] = track.name
    elif not is_bake(action):  # one is set aside already: this one was made since, and a fake user keeps it
        action.use_fake_user = True
    data.action = None


def _give_back(data: bpy.types.AnimData, state: dict[str, Any]) -> None:
    track = data.nla_tracks.get(state["track"]) if state["track"] else None
    if track is None or not len(track.strips):
        return
    action, slot = compat.assigned(track.strips[0])
    track.lock = False
    data.nla_tracks.remove(track)
    if data.action is None or _only_sliders(*compat.assigned(data)):
        compat.assign(data, action, slot if state["slot"] else None)
        for name, value in state["blending"].items():
            setattr(data, name, value)


def _state(obj: bpy.types.Object) -> dict[str, Any]:
    """Return what is stored; of what cannot be read, what the NLA still tells."""
    data = obj.animation_data
    nothing = {
        "had_data": data is not None,
        "use_nla": data is None or data.use_nla,
        "track": "",
        "slot": False,
        "blending": {},
        "muted": [],
        "constraints": [],
        "pose": {},
    }
    if not obj.neurarig.stash:
        return nothing
    stored = parsed(obj.neurarig.stash)
    if misfit(stored, _FORM) is None:
        return stored
    track = STASH_TRACK if data is not None and STASH_TRACK in data.nla_tracks else ""
    return nothing | {"had_data": True, "track": track, "slot": True}


def _is_blending(value: Any) -> bool:
    """Say whether a value is how an action that was set aside is blended, nothing where none was."""
    if value == {}:
        return True
    kind, extrapolation, influence = BLENDING
    known = bpy.types.AnimData.bl_rna.properties
    return (
        misfit(value, {kind: is_text, extrapolation: is_text, influence: is_number}) is None
        and len(value) == len(BLENDING)
        and all(value[name] in known[name].enum_items for name in (kind, extrapolation))
    )


_FORM = {
    "had_data": is_flag,
    "use_nla": is_flag,
    "track": is_text,
    "slot": is_flag,
    "blending": _is_blending,
    "muted": list_of(is_text),
    "constraints": list_of(row_of(is_text, is_text)),
    "pose": map_of(snapshot.is_pose),
}


def _store(obj: bpy.types.Object, state: dict[str, Any]) -> None:
    obj.neurarig.stash = json.dumps(state)


def _plays_over(paths: tuple[str, ...], action: bpy.types.Action, slot: Any) -> bool:
    """Say whether an action is a bake of ours, or has keys on these paths."""
    return is_bake(action) or any(curve.data_path.startswith(paths) for curve in compat.find_channels(action, slot))


def _only_sliders(action: bpy.types.Action, slot: Any) -> bool:
    return all(curve.data_path.startswith("neurarig.") for curve in compat.find_channels(action, slot))


def _holds_bakes_only(track: bpy.types.NlaTrack) -> bool:
    return all(strip.action is not None and is_bake(strip.action) for strip in track.strips)


def _is_empty(data: bpy.types.AnimData) -> bool:
    return data.action is None and not len(data.nla_tracks) and not len(data.drivers)
