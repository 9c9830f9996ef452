"""Writing solved channels onto pose bones."""

from collections.abc import Iterable

import bpy

from ..core.channels import Channels


def apply_row(obj: bpy.types.Object, channels: Channels, row: int) -> None:
    """Pose the driven bones as in one row of `channels`."""
    apply(obj, ((bone, prop, values[row]) for bone, prop, values in channels.properties))


def apply(obj: bpy.types.Object, values: Iterable[tuple[str, str, tuple[float, ...]]]) -> None:
    """Set (bone, property, value); what is so already is left alone, so that nothing is evaluated in vain.

    Bones that have gone are passed over: `controls.rig_table` says which.
    """
    bones = obj.pose.bones
    for name, prop, value in values:
        bone = bones.get(name)
        if bone is not None and getattr(bone, prop)[:] != value:
            setattr(bone, prop, value)
