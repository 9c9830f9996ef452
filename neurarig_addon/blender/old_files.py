"""Characters of version 0.1, for one release: three attachments and a track for the user's action become one record.

`old_names` calls this for each character as it is loaded.  Delete both files together.
"""

import json
from collections.abc import Mapping
from typing import Any

import bpy

from .animation import compat
from .character import bakes, carry, kept, record
from .character.controls import ours
from .character.controls.attachment import LAYER, MARK
from .character.stored import parsed

ACTION_TRACK = "NeuraRig: your action"


def carry_attachment(obj: bpy.types.Object) -> bool:
    """Convert a character's attachment; return whether it was of the old version."""
    own = obj.neurarig
    clip, pose = compat.stored(own.retarget), compat.stored(own.neural_pose)
    found = {record.WALK: own.attachment, record.CLIP: _text(clip, "attachment"), record.POSE: _text(pose, "attachment")}
    holder = next((holder for holder, text in found.items() if text), "")
    if not holder or own.holders:
        return False
    own.attachment = _attachment(obj, found[holder])
    own.holders = {holder}
    _carry_stash(obj)
    if holder == record.CLIP and len(clip.get("origin", ())) == len(own.origin) ** 2:
        own.origin = [float(value) for value in clip["origin"]]
    walks_off = own.walk.mode == "TRAVEL" and own.walk.travel_with == "OBJECT"
    if walks_off if holder == record.WALK else holder == record.CLIP and bool(clip.get("is_carried")):
        carry.left_where_it_is(obj)
    for stored in (clip, pose):
        for name in ("attachment", "origin", "is_carried"):
            if name in stored:
                del stored[name]
    return True


def _text(stored: Any, name: str) -> str:
    value = stored.get(name, "")
    return value if isinstance(value, str) else ""


def _attachment(obj: bpy.types.Object, text: str) -> str:
    """Return an attachment with the record of bones and constraints that version 0.1 did not store."""
    found = parsed(text)
    if not isinstance(found, dict) or not isinstance(found.get("made"), dict) or not isinstance(found["made"].get("bones"), list):
        return text  # damaged, or of this version
    names, constraints = ours.recorded(obj) if found.get("kind") == LAYER else ({}, [])
    for name in found["made"]["bones"]:
        if isinstance(name, str) and name in obj.data.bones and MARK in obj.data.bones[name]:
            names[str(obj.data.bones[name][MARK])] = name
    return json.dumps(found | {"made": found["made"] | {"bones": names}, "constraints": constraints})


def _carry_stash(obj: bpy.types.Object) -> None:
    """Take the user's action out of its track, and record muted tracks and bakes by their actions."""
    data, old = obj.animation_data, parsed(obj.neurarig.stash)
    if not obj.neurarig.stash or data is None:
        return
    old = old if isinstance(old, dict) else {}
    data.use_tweak_mode = False
    track = data.nla_tracks.get(str(old.get("track") or ACTION_TRACK))
    if track is not None and len(track.strips) and track.strips[0].action is not None:
        action, slot = compat.assigned(track.strips[0])
        kept.note(obj, kept.ACTION, action, slot if old.get("slot", True) else None)
        track.lock = False
        data.nla_tracks.remove(track)
    for name in old.get("muted") or ():
        track = data.nla_tracks.get(str(name))
        if track is not None:
            kept.note(obj, kept.MUTED, next((strip.action for strip in track.strips if strip.action), None), None, track.name)
    _note_bakes(obj, data)
    obj.neurarig.stash = json.dumps(_kept(old))


def _note_bakes(obj: bpy.types.Object, data: bpy.types.AnimData) -> None:
    if data.action is not None and kept.is_bake(data.action):
        kept.note(obj, kept.BAKE, *compat.assigned(data))
    for track in data.nla_tracks:
        if track.name.startswith(bakes.BAKE_TRACK):
            for strip in track.strips:
                if strip.action is not None and kept.is_bake(strip.action):
                    kept.note(obj, kept.BAKE, *compat.assigned(strip), track.name)


def _kept(old: Mapping[str, Any]) -> dict[str, Any]:
    return {key: old[key] for key in ("had_data", "use_nla", "blending", "constraints", "pose") if key in old}
