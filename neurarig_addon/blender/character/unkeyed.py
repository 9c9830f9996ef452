"""The placement and pose of an animated character, including changes without keys, which any evaluation would undo."""

from typing import Any

import bpy

from .controls.snapshot import POSE_PROPERTIES, restore_pose, take_pose


def take(obj: bpy.types.Object) -> dict[str, Any]:
    """Return an object's own channels and its pose; nothing for an object without animation, which stays as it is."""
    if obj.animation_data is None:
        return {}
    return {"own": {name: getattr(obj, name)[:] for name in POSE_PROPERTIES}, "pose": take_pose(obj, obj.pose.bones.keys())}


def restore(obj: bpy.types.Object, taken: dict[str, Any]) -> None:
    """Restore an object's channels and pose; bones that are gone are skipped."""
    if not taken:
        return
    bpy.context.view_layer.update()  # an evaluation after this would return it to its keys
    for name, values in taken["own"].items():
        if getattr(obj, name)[:] != values:
            setattr(obj, name, values)
    restore_pose(obj, taken["pose"])
