"""The bones that an action plays beside those that a holder poses: fingers, a face, a prop; noted with their
pose from before."""

import json
from collections.abc import Mapping
from typing import Any

import bpy

from ..animation import compat
from ..animation.curve_pose import PROPERTIES, split_path
from . import own_animation, record
from .controls import snapshot

SETTING = "blend_action"  # property of a holder that plays an action


def held(obj: bpy.types.Object) -> Mapping[str, Any]:
    """Return the bones that are played: bone -> its pose from before."""
    return record.attachment(obj).get("played", {})


def taken(obj: bpy.types.Object, attachment: Mapping[str, Any], settings: Any) -> dict[str, Any]:
    """Return the bones that a holder with these settings plays, as in the attachment."""
    action = getattr(settings, SETTING, None)
    if action is None:
        return {}
    body = own_animation.body_paths(obj, attachment)
    curves = compat.find_channels(action, compat.suitable_slot(action, obj))
    named = [split_path(curve.data_path) for curve in curves if not curve.data_path.startswith(body)]
    bones = dict.fromkeys(bone for bone, prop in named if prop in PROPERTIES and bone in obj.pose.bones)
    fingers = {bone: pose for poses in attachment.get("fingers", {}).values() for bone, pose in poses.items()}
    return snapshot.take_pose(obj, bones) | {bone: pose for bone, pose in fingers.items() if bone in bones}


def follow(obj: bpy.types.Object, settings: Any) -> None:
    """Restore and take the bones of an attached character as its holder's settings now ask."""
    made = record.checked(obj)
    snapshot.restore_pose(obj, dict(held(obj)))
    found = taken(obj, made, settings)
    if found != held(obj):
        obj.neurarig.attachment = json.dumps({**made, "played": found})
        record.changes.tell(obj)
