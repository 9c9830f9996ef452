"""What a walk changes on a rig besides adding to it, noted so that it can be restored.

Each `take_...`/`mute_...` function returns plain JSON values; the `restore_...` function of the same noun
restores them and returns the names of what it could not find.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import bpy
import numpy as np
from bpy.types import Constraint, Object, PoseBone
from mathutils import Matrix

from ...animation import compat
from ...animation.curve_pose import moved_by
from ...animation.keyframes import bone_path
from ..stored_json import is_number, list_of

# and their sizes
POSE_PROPERTIES = {
    "location": 3,
    "rotation_quaternion": 4,
    "rotation_euler": 3,
    "rotation_axis_angle": 4,
    "scale": 3,
}
# the only properties of constraints that a stored walk may set
CONSTRAINT_SWITCHES = ("use_stretch", "influence")
DATA = "data"  # stands for the armature, in place of a constraint, for switches without a bone
NEUTRAL_POSE = {
    "location": (0.0, 0.0, 0.0),
    "rotation_quaternion": (1.0, 0.0, 0.0, 0.0),
    "rotation_euler": (0.0, 0.0, 0.0),
    "rotation_axis_angle": (0.0, 0.0, 1.0, 0.0),
}


def take_pose(obj: Object, bones: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the pose of bones: bone -> property -> values."""
    found: dict[str, dict[str, Any]] = {}
    for name in bones:
        bone = obj.pose.bones[name]
        found[name] = {key: list(getattr(bone, key)) for key in POSE_PROPERTIES} | {
            "rotation_mode": bone.rotation_mode
        }
    return found


def is_pose(value: Any) -> bool:
    """Return whether a value is what `take_pose` returns for a bone."""
    return (
        isinstance(value, dict)
        and str(value.get("rotation_mode")) in PoseBone.bl_rna.properties["rotation_mode"].enum_items
        and all(
            list_of(is_number)(value.get(key)) and len(value[key]) == size
            for key, size in POSE_PROPERTIES.items()
        )
    )


def take_motion(obj: Object, bone: str) -> list[float]:
    """Return a root bone's motion from rest, as the 16 numbers of a rigid motion in armature space."""
    rest, basis = obj.data.bones[bone].matrix_local, obj.pose.bones[bone].matrix_basis
    location, turn, _ = (rest @ basis).decompose()
    motion = Matrix.LocRotScale(location, turn, None) @ rest.inverted()
    return [value for row in motion for value in row]


def put_motion(obj: Object, bone: str, motion: Sequence[float]) -> None:
    """Move a root bone from rest by the 16 numbers of a rigid motion in armature space."""
    rest = obj.data.bones[bone].matrix_local
    obj.pose.bones[bone].matrix_basis = rest.inverted() @ Matrix(np.array(motion).reshape(4, 4)) @ rest


def take_shown(obj: Object, bones: Iterable[str]) -> dict[str, Matrix]:
    """Return for each bone the `matrix_basis` that would reproduce its evaluated pose without constraints."""
    shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    found = [shown.pose.bones[name] for name in bones if name in shown.pose.bones]
    return {
        bone.name: shown.convert_space(
            pose_bone=bone, matrix=bone.matrix, from_space="POSE", to_space="LOCAL"
        )
        for bone in found
    }


def bones_between(obj: Object, bones: set[str]) -> set[str]:
    """Return the bones between two of the given ones in the hierarchy, which the closed form needs to be
    still."""
    found: set[str] = set()
    for name in bones:
        above = [parent.name for parent in obj.pose.bones[name].parent_recursive]
        held = [at for at, parent in enumerate(above) if parent in bones]
        found.update(above[: held[0]] if held else ())
    return found


def neutralise(obj: Object, bones: Iterable[str]) -> None:
    """Put bones to rest, keeping their scale."""
    for name in bones:
        for key, value in NEUTRAL_POSE.items():
            setattr(obj.pose.bones[name], key, value)


def restore_pose(obj: Object, pose: dict[str, dict[str, Any]]) -> list[str]:
    """Restore a taken pose."""
    for name, values in pose.items():
        bone = obj.pose.bones.get(name)
        if bone:
            bone.rotation_mode = values["rotation_mode"]
            for key in POSE_PROPERTIES:
                setattr(bone, key, values[key])
    return [name for name in pose if name not in obj.pose.bones]


def mute_constraints(obj: Object, bones: set[str]) -> list[list[str]]:
    """Mute the constraints that move any of these bones and return them as (bone, constraint).

    An IK constraint moves its whole chain, so it counts wherever it is.
    """
    found = [
        (bone, constraint)
        for bone in obj.pose.bones
        for constraint in bone.constraints
        if not constraint.mute and not bones.isdisjoint(moved_by(bone, constraint))
    ]
    for _, constraint in found:
        constraint.mute = True
    return [[bone.name, constraint.name] for bone, constraint in found]


def restore_constraints(obj: Object, muted: list[list[str]]) -> list[str]:
    """Unmute constraints."""
    lost = []
    for bone_name, constraint_name in muted:
        bone = obj.pose.bones.get(bone_name)
        constraint = bone.constraints.get(constraint_name) if bone else None
        if constraint:
            constraint.mute = False
        else:
            lost.append(bone_name)
    return lost


def mute_drivers(
    obj: Object,
    bones: set[str],
    constraints: Iterable[list[str]] = (),
    switches: Iterable[tuple[str, str, str, Any]] = (),
) -> list[list]:
    """Mute the drivers of these bones' transforms, of `switches` to be set, and those that would unmute
    constraints.

    Returns them as (path, index).
    """
    muted = []
    wanted = {bone_path(name, key) for name in bones for key in POSE_PROPERTIES}
    wanted |= {
        switch_path(bone, constraint, key) for bone, constraint in constraints for key in ("mute", "enabled")
    }
    wanted |= {switch_path(bone, constraint, key) for bone, constraint, key, _ in switches}
    for driver in compat.drivers(obj):
        if driver.data_path in wanted and not driver.mute:
            driver.mute = True
            muted.append([driver.data_path, driver.array_index])
    return muted


def restore_drivers(obj: Object, muted: list[list]) -> list[str]:
    """Unmute drivers."""
    lost = []
    for path, index in muted:
        driver = obj.animation_data.drivers.find(path, index=index) if obj.animation_data else None
        if driver:
            driver.mute = False
        else:
            lost.append(path)
    return lost


def set_switches(obj: Object, wanted: list[tuple[str, str, str, Any]]) -> list[list]:
    """Set switches (bone, constraint or '', property, value) and return the changed ones as (bone,
    constraint, property, before, now).

    Without a constraint the property is a custom property of the bone; without a bone, of the object or its
    armature (DATA).
    """
    changed = []
    for bone, constraint, key, value in wanted:
        before = switch_value(obj, bone, constraint, key)
        if before is not None and before != value:
            # Keep the type: a float stays a float and a switch a switch, or the rig's drivers and sliders
            # change their kind.
            changed.append([bone, constraint, key, before, type(before)(value)])
    try:
        for bone, constraint, key, _, now in changed:
            put_switch(obj, bone, constraint, key, now)
    except BaseException:
        restore_switches(obj, changed)
        raise
    obj.update_tag()
    return changed


def restore_switches(obj: Object, changed: list[list]) -> list[str]:
    """Restore changed switches."""
    lost = []
    for bone, constraint, key, before, _ in changed:
        if switch_value(obj, bone, constraint, key) is None:
            lost.append(bone)
        else:
            put_switch(obj, bone, constraint, key, before)
    obj.update_tag()
    return lost


def switch_path(bone: str, constraint: str, key: str) -> str:
    """Return the RNA path of a switch, as an F-curve needs it."""
    if not bone:
        return f'{"data" if constraint == DATA else ""}["{bpy.utils.escape_identifier(key)}"]'
    path = f'pose.bones["{bpy.utils.escape_identifier(bone)}"]'
    if constraint:
        return f'{path}.constraints["{bpy.utils.escape_identifier(constraint)}"].{key}'
    return f'{path}["{bpy.utils.escape_identifier(key)}"]'


def switch_value(obj: Object, bone: str, constraint: str, key: str) -> Any:
    """Return a switch's value, None if the rig has no such switch."""
    holder = _holder(obj, bone, constraint)
    if isinstance(holder, Constraint):
        return getattr(holder, key, None) if key in CONSTRAINT_SWITCHES else None
    return holder.get(key) if holder is not None else None


def put_switch(obj: Object, bone: str, constraint: str, key: str, value: Any) -> None:
    """Set a switch if the rig has it."""
    holder = _holder(obj, bone, constraint)
    if isinstance(holder, Constraint):
        setattr(holder, key, value)
    else:
        holder[key] = value


def _holder(obj: Object, bone: str, constraint: str) -> Any:
    if not bone:
        return obj.data if constraint == DATA else obj
    holder = obj.pose.bones.get(bone)
    return holder.constraints.get(constraint) if holder is not None and constraint else holder
