"""Keys and drivers of version 0.1, for one release: they, and the paths drivers read, are moved from the old names.

`old_names` calls this.  Delete both files together.
"""

from collections.abc import Collection, Iterator

import bpy

from .animation import compat


def carry(names: Collection[str]) -> None:
    """Move all keys and drivers, and the paths drivers read, from the old `names` of the walk's settings to the new paths."""
    for curve in _all_curves():
        if _is_old(curve.data_path, names):
            curve.data_path = _new_path(curve.data_path)
        for variable in curve.driver.variables if curve.driver else ():
            for target in variable.targets:
                if isinstance(target.id, bpy.types.Object) and _is_old(target.data_path, names):
                    target.data_path = _new_path(target.data_path)


def _all_curves() -> Iterator[bpy.types.FCurve]:
    """Yield the F-curves of all editable actions, and the drivers of all editable data-blocks."""
    for action in bpy.data.actions:
        if action.is_editable:
            yield from compat.all_channels(action)
    for block in bpy.data.user_map():
        data = getattr(block, "animation_data", None)
        if data is not None and block.is_editable:
            yield from data.drivers


def _is_old(path: str, names: Collection[str]) -> bool:
    first, _, name = path.partition(".")
    return first == "neurarig" and name in names


def _new_path(path: str) -> str:
    return path.replace("neurarig.", "neurarig.walk.", 1)
