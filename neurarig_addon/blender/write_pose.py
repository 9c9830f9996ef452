"""Writing solved channels onto pose bones."""

import bpy

from ..core.channels import Channels


def apply_row(obj: bpy.types.Object, channels: Channels, row: int) -> None:
    """Pose the driven bones as in one row of `channels`; what is so already is left alone, so that nothing is evaluated in vain.

    Bones that have gone are passed over: `controls.rig_table` says which.
    """
    bones = obj.pose.bones
    for name, prop, values in channels.properties:
        bone = bones.get(name)
        if bone is not None and getattr(bone, prop)[:] != values[row]:
            setattr(bone, prop, values[row])
