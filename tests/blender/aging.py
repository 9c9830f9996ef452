"""Characters stored as version 0.1 stored them."""

import json
from typing import Any

import bpy

from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.character.record import CLIP, HOLDERS, WALK


def age_settings(obj: bpy.types.Object) -> None:
    """Store the settings of a walk as version 0.1 did, with the paths of its keys and drivers."""
    walk, settings = compat.stored(obj.neurarig.walk), compat.stored(obj.neurarig)
    for name in list(walk.keys()):
        value: Any = walk[name]
        settings[name] = [dict(item.items()) for item in value] if name == "profile_constants" else value
        del walk[name]
    for action, slot in compat.all_actions(obj):
        for curve in compat.find_channels(action, slot):
            curve.data_path = curve.data_path.replace("neurarig.walk.", "neurarig.")


def age_attachment(obj: bpy.types.Object, holder: str) -> None:
    """Store how a character is attached, and the action and track that made way, as version 0.1 did."""
    own, data = obj.neurarig, obj.animation_data
    made = json.loads(own.attachment)
    made["made"]["bones"] = list(made["made"]["bones"].values())
    del made["constraints"]
    old = json.loads(own.stash) | {"track": "", "slot": compat.HAS_SLOTS, "muted": []}
    for item in own.kept:
        if item.kind == "ACTION":
            track = data.nla_tracks.new()
            track.name = old["track"] = "NeuraRig: your action"
            compat.assign(track.strips.new("Own", 1, item.action), item.action, compat.slot_of_handle(item.action, item.slot))
            track.mute = track.lock = True
        elif item.kind == "MUTED":
            old["muted"].append(item.track)
    own.kept.clear()
    own.stash, own.holders, own.attachment = json.dumps(old), set(), json.dumps(made) if holder == WALK else ""
    stored = compat.stored(own)
    for name in ("holders", "kept", "step", "is_carried"):
        if name in stored:
            del stored[name]
    if holder == WALK:
        age_settings(obj)
        return
    feature = compat.stored(getattr(own, HOLDERS[holder].settings))
    feature["attachment"] = json.dumps(made)
    if holder == CLIP:
        feature["origin"] = [value for column in own.origin.col for value in column]
        feature["is_carried"] = True
        del stored["origin"]
