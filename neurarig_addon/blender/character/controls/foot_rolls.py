"""What rolls a foot that stays on its print: the pivots of our control layer (see `gait/feet/foot_roll`), or
Rigify's heel control.

At rest in a live pose; they roll the feet in a bake with few keys.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from bpy.types import Object, PoseBone

from ....core.gait.feet.foot_roll import PIVOTS, HeelControl
from ....core.geometry.vectors import transformed
from ....core.skeleton.roles import SIDES, sided
from . import snapshot
from .attachment import BY_ROTATION, LAYER, RIGIFY

EULER = "ZXY"  # the rotation mode of heel controls that roll the foot about their x axis


def heels(obj: Object, attachment: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Return, by side, the heel control of a foot that the walk drives, and the bone that it turns about the
    heel."""
    if attachment["kind"] != RIGIFY:
        return {}
    controls = {
        side: attachment["controls"].get(sided("foot", side), "").replace("foot_ik", "foot_heel_ik")
        for side in SIDES
    }
    there = {
        side: bone
        for side, control in controls.items()
        if (bone := obj.pose.bones.get(control)) and bone.rotation_mode == EULER
    }
    turned: dict[str, str] = {}  # by the control
    for bone in obj.pose.bones if there else ():
        for control in _rolled_by(bone):
            turned.setdefault(control, bone.name)
    return {side: (bone.name, turned[bone.name]) for side, bone in there.items() if bone.name in turned}


def carried(obj: Object, attachment: Mapping[str, Any]) -> dict[str, str]:
    """Return the mechanism bones that carry the toes of rolled feet, and what carries these."""
    ends = {side: heel.removeprefix("foot_heel_ik") for side, (heel, _) in heels(obj, attachment).items()}
    return {f"MCH-toe_ik_parent{ends[side]}": turned for side, (_, turned) in heels(obj, attachment).items()}


def drives(obj: Object, attachment: Mapping[str, Any]) -> list[list]:
    """Return the drives of heel controls, and of what they turn about the heel: `[bone, role, uses location,
    uses rotation]`."""
    return [
        [bone, sided(role, side), *BY_ROTATION]
        for side, pair in heels(obj, attachment).items()
        for bone, role in zip(pair, ("roll", "heel"), strict=True)
    ]


def heel_controls(
    obj: Object, attachment: Mapping[str, Any], walk_to_armature: np.ndarray
) -> dict[str, HeelControl]:
    """Return, by side, how a foot's heel control rolls it."""
    found, to_walk = {}, np.linalg.inv(walk_to_armature)
    for side, (control, turned) in heels(obj, attachment).items():
        bones = obj.data.bones
        axis = to_walk[:3, :3] @ np.array(bones[control].matrix_local)[:3, 0]
        joint = next(
            child for child in bones[turned].children_recursive if child.name in _copies(obj, control)
        )
        heel, ball = (transformed(np.array(bone.head_local), to_walk) for bone in (bones[turned], joint))
        found[side] = HeelControl(heel, ball, axis / np.linalg.norm(axis))
    return found


def _copies(obj: Object, control: str) -> set[str]:
    """Return the bones that turn as the heel control does."""
    return {
        bone.name
        for bone in obj.pose.bones
        if any(
            each.type == "COPY_ROTATION" and each.subtarget == control and each.owner_space == "POSE"
            for each in bone.constraints
        )
    }


def _rolled_by(bone: PoseBone) -> Iterator[str]:
    """Yield the controls about whose x axis a bone turns as they do."""
    for constraint in bone.constraints:
        is_local = constraint.type == "COPY_ROTATION" and constraint.owner_space == "LOCAL"
        if is_local and (constraint.use_x, constraint.use_y, constraint.use_z) == (True, False, False):
            yield constraint.subtarget


def pivots(attachment: Mapping[str, Any]) -> dict[str, str]:
    """Return a layer's foot pivots, role -> bone, the outer ones first."""
    controls = attachment["controls"] if attachment["kind"] == LAYER else {}
    roles = [sided(pivot, side) for side in SIDES for pivot in PIVOTS]
    return {role: controls[role] for role in roles if role in controls}


def carriers(obj: Object, attachment: Mapping[str, Any]) -> dict[str, str]:
    """Return the carrier of each pivot at rest."""
    bones = [bone for name in pivots(attachment).values() if (bone := obj.pose.bones.get(name)) is not None]
    return {bone.name: bone.parent.name for bone in bones if bone.parent is not None}


def unroll(obj: Object, attachment: Mapping[str, Any]) -> None:
    """Put the pivots, and Rigify's heel controls, to rest for a live pose: a bake may have left them
    rotated."""
    for name in (*pivots(attachment).values(), *(heel for heel, _ in heels(obj, attachment).values())):
        bone = obj.pose.bones.get(name)
        if bone is not None and any(bone.rotation_euler):
            snapshot.neutralise(obj, [name])
