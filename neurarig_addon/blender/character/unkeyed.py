"""How an animated character stands and is posed, keyed or not: to be evaluated takes it back to its keys."""

from typing import Any

import bpy

from .controls.snapshot import POSE_PROPERTIES, restore_pose, take_pose


def take(obj: bpy.types.Object) -> dict[str, Any]:
    """Return an object's own channels and its pose; of one that nothing animates nothing, for that stays as it is."""
    if obj.animation_data is None:
        return {}
    return {"own": {name: getattr(obj, name)[:] for name in POSE_PROPERTIES}, "pose": take_pose(obj, obj.pose.bones.keys())}


def restore(obj: bpy.types.Object, taken: dict[str, Any]) -> None:
    """Have an object stand and be posed as it was; bones that have gone are passed over."""
    if not taken:
        return
    bpy.context.view_layer.update()  # evaluated after this, it would go back to its keys
    for name, values in taken["own"].items():
        if getattr(obj, name)[:] != values:
            setattr(obj, name, values)
    restore_pose(obj, taken["pose"])
