"""Writing solved channels onto pose bones."""

from collections.abc import Iterable

import bpy

from ...core.posing.channels import Channels, Property


def apply_row(obj: bpy.types.Object, channels: Channels, row: int) -> None:
    """Pose the driven bones as in one row of `channels`."""
    apply(obj, channels.properties, channels.row(row))


def put_row(obj: bpy.types.Object, channels: Channels, row: int) -> None:
    """Pose the driven bones as `apply_row`, without a look at how they are posed: for a pose that is known to be another one."""
    bones, values = obj.pose.bones, channels.row(row)
    for name, prop, _, columns in channels.properties:
        bone = bones.get(name)
        if bone is not None:
            bone.path_resolve(prop, False).foreach_set(values[columns])
    _tell_of_change(obj)


def apply(obj: bpy.types.Object, properties: Iterable[Property], values: tuple[float, ...]) -> None:
    """Set bones' properties to their columns of `values`; where all are so already nothing is set, so that nothing is evaluated in vain.

    From the first that is another on they are set without a look.  Bones that have gone are passed over: `controls.rig_table` says which.
    """
    bones = obj.pose.bones
    changed = False
    for name, prop, _, columns in properties:
        bone = bones.get(name)
        if bone is None:
            continue
        value = values[columns]
        now = bone.path_resolve(prop, False)
        if changed or now[:] != value:
            now.foreach_set(value)
            changed = True
    if changed:
        _tell_of_change(obj)


def _tell_of_change(obj: bpy.types.Object) -> None:
    """Have the pose evaluated anew: to be told once takes Blender a fraction of what it takes to be told of each property."""
    obj.update_tag(refresh={"DATA"})
