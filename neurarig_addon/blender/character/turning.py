"""What rotates or scales an object from frame to frame: its own keys, strips and drivers."""

from collections.abc import Iterator, Mapping
from typing import Any

from bpy.types import AnimData, FCurve, Object, bpy_prop_collection

from ..animation import compat

# The RNA paths that rotate or scale an object, and the length of each.
_TURNING = {
    "rotation_euler": 3, "rotation_quaternion": 4, "rotation_axis_angle": 4, "scale": 3,
    "delta_rotation_euler": 3, "delta_rotation_quaternion": 4, "delta_scale": 3,
}  # fmt: skip


def is_animated(obj: Object) -> bool:
    """Return whether keys, strips or drivers rotate or scale an object."""
    data = obj.animation_data
    return data is not None and (is_driven(data.drivers) or is_keyed(data))


def is_driven(drivers: bpy_prop_collection) -> bool:
    """Return whether any of the drivers rotates or scales its object."""
    return move(drivers, _TURNING)


def is_keyed(data: AnimData) -> bool:
    """Return whether keys or strips rotate or scale the object with this animation."""
    return any(move(compat.find_channels(*playing), _TURNING) for playing in _playing(data))


def turns(curve: FCurve) -> bool:
    """Return whether a curve or driver rotates or scales its object."""
    return not curve.mute and curve.data_path in _TURNING


def _playing(data: AnimData) -> Iterator[tuple]:
    """Yield the `(action, slot)` pairs that play."""
    if data.action is not None:
        yield compat.assigned(data)
    for track in data.nla_tracks if data.use_nla else ():
        for strip in track.strips if not track.mute else ():
            if strip.action is not None and not strip.mute:
                yield compat.assigned(strip)


def move(curves: Any, properties: Mapping[str, int]) -> bool:
    """Return whether any unmuted one of some F-curves or drivers moves any of some properties.

    `properties`: RNA paths, with the number of components of each. With many curves Blender looks up each
    property, which is much
    faster than a loop over the curves in Python.
    """
    known = curves if len(curves) <= len(properties) else _found(curves, properties)
    return any(not curve.mute and curve.data_path in properties for curve in known)


def _found(curves: Any, properties: Mapping[str, int]) -> Iterator[Any]:
    return filter(
        None, (curves.find(path, index=index) for path, count in properties.items() for index in range(count))
    )
