"""Actions made curve by curve."""

import bpy
import numpy as np

from neurarig_addon.blender.animation import compat

SIZES = {"location": 3, "rotation_quaternion": 4, "rotation_axis_angle": 4, "rotation_euler": 3, "scale": 3}


def curve(
    action: bpy.types.Action, slot: object, path: str, index: int, values: np.ndarray, every: float = 4.0
) -> bpy.types.FCurve:
    """Return a new Bezier curve with a key on every n-th frame."""
    made = compat.ensure_channels(action, slot)[0].new(path, index=index)
    made.keyframe_points.add(len(values))
    made.keyframe_points.foreach_set(
        "co", np.stack([1.0 + every * np.arange(len(values)), values], -1).ravel()
    )
    made.update()
    return made


def new_action(
    obj: bpy.types.Object,
    rng: np.random.Generator,
    props: tuple[str, ...] = ("location", "rotation", "scale"),
) -> bpy.types.Action:
    """Return an action that shakes every bone, in its own rotation mode; quaternions are not of length
    one."""
    action, slot = compat.new_action(f"Shake {obj.name}", obj)
    for bone in obj.pose.bones:
        turned = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(
            bone.rotation_mode, "rotation_euler"
        )
        for prop in (turned if prop == "rotation" else prop for prop in props):
            path = f'pose.bones["{bpy.utils.escape_identifier(bone.name)}"].{prop}'
            even = rng.uniform(0.7, 1.4, 11)
            for index in range(SIZES[prop]):
                curve(
                    action,
                    slot,
                    path,
                    index,
                    even
                    if prop == "scale"
                    else rng.normal(scale=0.05 if prop == "location" else 1.0, size=11),
                )
    return action


def play(obj: bpy.types.Object, action: bpy.types.Action) -> None:
    compat.assign(obj.animation_data_create(), action, compat.suitable_slot(action, obj))
