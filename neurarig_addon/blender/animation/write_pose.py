"""Writing solved channels onto pose bones."""

from collections.abc import Sequence

import bpy
import numpy as np

from ...core.posing.channels import Channels


def apply_row(obj: bpy.types.Object, channels: Channels, row: int) -> None:
    """Pose the driven bones as in one row of `channels`."""
    _write(obj, channels, channels.views[row], changed=False)


def put_row(obj: bpy.types.Object, channels: Channels, row: int) -> None:
    """Pose the driven bones as `apply_row`, without a look at how they are posed: for a pose that is known to be another one."""
    _write(obj, channels, channels.views[row], changed=True)


def apply(obj: bpy.types.Object, channels: Channels, values: Sequence[float] | np.ndarray) -> None:
    """Pose the driven bones by a row of values `(n,)`; where all are so already nothing is set, so that nothing is evaluated in vain."""
    _write(obj, channels, memoryview(np.asarray(values, dtype=np.float32)), changed=False)


def _write(obj: bpy.types.Object, channels: Channels, numbers: memoryview, changed: bool) -> None:
    """Set bones' properties to their columns of `numbers` `(n,)`: without a look from the first that is another on, or if `changed`.

    Bones that have gone are passed over: `controls.rig_table` says which.
    """
    resolve = obj.pose.path_resolve
    for path, columns in channels.paths:
        try:
            now = resolve(path, False)
        except ValueError:  # its bone has gone
            continue
        value = numbers[columns]
        if changed or now[:] != tuple(value):
            now.foreach_set(value)
            changed = True
    if changed:
        _tell_of_change(obj)


def _tell_of_change(obj: bpy.types.Object) -> None:
    """Have the pose evaluated anew: to be told once takes Blender a fraction of what it takes to be told of each property."""
    obj.update_tag(refresh={"DATA"})
