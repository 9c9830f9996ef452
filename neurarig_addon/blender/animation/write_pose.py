"""Writing solved channels onto pose bones."""

from collections.abc import Sequence

import bpy
import numpy as np

from ...core.posing.channels import Channels


def apply_row(obj: bpy.types.Object, channels: Channels, row: int) -> None:
    """Pose the driven bones as in one row of `channels`."""
    _write(obj, channels, channels.views[row], changed=False)


def put_row(obj: bpy.types.Object, channels: Channels, row: int) -> None:
    """Pose the driven bones as `apply_row`, without comparing with their present pose: for a pose known to differ."""
    _write(obj, channels, channels.views[row], changed=True)


def apply(obj: bpy.types.Object, channels: Channels, values: Sequence[float] | np.ndarray) -> None:
    """Pose the driven bones by a row of values `(n,)`; if all are equal already nothing is set, which saves an evaluation."""
    _write(obj, channels, memoryview(np.asarray(values, dtype=np.float32)), changed=False)


def _write(obj: bpy.types.Object, channels: Channels, numbers: memoryview, changed: bool) -> None:
    """Set bones' properties to their columns of `numbers` `(n,)`; compared only until the first that differs, not at all if `changed`.

    Missing bones are skipped: `controls.rig_table` names them.
    """
    resolve = obj.pose.path_resolve
    for path, columns in channels.paths:
        try:
            now = resolve(path, False)
        except ValueError:  # its bone is missing
            continue
        value = numbers[columns]
        if changed or now[:] != tuple(value):
            now.foreach_set(value)
            changed = True
    if changed:
        _tell_of_change(obj)


def _tell_of_change(obj: bpy.types.Object) -> None:
    """Tag the pose for evaluation: one tag costs Blender a fraction of an update per property."""
    obj.update_tag(refresh={"DATA"})
