"""Writing solved channels onto pose bones."""

from collections.abc import Iterable

import bpy

from ..core.channels import Channels, Property


def apply_row(obj: bpy.types.Object, channels: Channels, row: int) -> None:
    """Pose the driven bones as in one row of `channels`."""
    apply(obj, channels.properties, channels.row(row))


def put_row(obj: bpy.types.Object, channels: Channels, row: int) -> None:
    """Pose the driven bones as `apply_row`, without a look at how they are posed: for a pose that is known to be another one."""
    bones, values = obj.pose.bones, channels.row(row)
    last = None
    for name, prop, _, columns in channels.properties:
        bone = bones.get(name)
        if bone is not None:
            bone.path_resolve(prop, False).foreach_set(values[columns])
            last = bone, prop, values[columns]
    if last is not None:
        setattr(*last)


def apply(obj: bpy.types.Object, properties: Iterable[Property], values: tuple[float, ...]) -> None:
    """Set bones' properties to their columns of `values`; what is so already is left alone, so that nothing is evaluated in vain.

    Blender is told of the change once: to be told of each property takes it several times as long as to set it.
    Bones that have gone are passed over: `controls.rig_table` says which.
    """
    bones = obj.pose.bones
    changed = None
    for name, prop, _, columns in properties:
        bone = bones.get(name)
        value = values[columns]
        if bone is not None and getattr(bone, prop)[:] != value:
            bone.path_resolve(prop, False).foreach_set(value)
            changed = bone, prop, value
    if changed is not None:
        setattr(*changed)
