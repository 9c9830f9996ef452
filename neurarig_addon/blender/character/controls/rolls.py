"""The foot pivots of a control layer (see `gait/feet/foot_roll`): at rest in a live pose; they roll the feet in a bake with few keys."""

from collections.abc import Mapping
from typing import Any

import bpy

from ....core.gait.feet.foot_roll import PIVOTS
from ....core.skeleton.roles import SIDES, sided
from . import snapshot
from .attachment import LAYER
from .rigify_roll import heels


def pivots(attachment: Mapping[str, Any]) -> dict[str, str]:
    """Return a layer's foot pivots, role -> bone, the outer ones first."""
    controls = attachment["controls"] if attachment["kind"] == LAYER else {}
    roles = [sided(pivot, side) for side in SIDES for pivot in PIVOTS]
    return {role: controls[role] for role in roles if role in controls}


def carriers(obj: bpy.types.Object, attachment: Mapping[str, Any]) -> dict[str, str]:
    """Return the carrier of each pivot at rest."""
    bones = [bone for name in pivots(attachment).values() if (bone := obj.pose.bones.get(name)) is not None]
    return {bone.name: bone.parent.name for bone in bones if bone.parent is not None}


def unroll(obj: bpy.types.Object, attachment: Mapping[str, Any]) -> None:
    """Put the pivots, and Rigify's heel controls, to rest for a live pose: a bake may have left them rotated."""
    for name in (*pivots(attachment).values(), *(heel for heel, _ in heels(obj, attachment).values())):
        bone = obj.pose.bones.get(name)
        if bone is not None and any(bone.rotation_euler):
            snapshot.neutralise(obj, [name])
