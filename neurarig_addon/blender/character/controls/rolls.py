"""The pivots of a control layer's feet, see `gait/feet/foot_roll`: unturned in a live pose, they roll the feet of a bake with few keys."""

from collections.abc import Mapping
from typing import Any

import bpy

from ....core.gait.feet.foot_roll import PIVOTS
from ....core.skeleton.roles import SIDES, sided
from . import snapshot
from .attachment import LAYER


def pivots(attachment: Mapping[str, Any]) -> dict[str, str]:
    """Return the pivots of a layer's feet, role -> bone, the outer ones first; none where an older version built the layer."""
    controls = attachment["controls"] if attachment["kind"] == LAYER else {}
    roles = [sided(pivot, side) for side in SIDES for pivot in PIVOTS]
    return {role: controls[role] for role in roles if role in controls}


def carriers(obj: bpy.types.Object, attachment: Mapping[str, Any]) -> dict[str, str]:
    """Return what each pivot hangs on, and turns with while it is unturned itself."""
    bones = [bone for name in pivots(attachment).values() if (bone := obj.pose.bones.get(name)) is not None]
    return {bone.name: bone.parent.name for bone in bones if bone.parent is not None}


def unroll(obj: bpy.types.Object, attachment: Mapping[str, Any]) -> None:
    """Have the pivots unturned, as a live pose takes them to be: a bake that played may have left them turned."""
    for name in pivots(attachment).values():
        bone = obj.pose.bones.get(name)
        if bone is not None and any(bone.rotation_euler):
            snapshot.neutralise(obj, [name])
