"""Which properties F-curves and drivers move."""

from collections.abc import Iterator, Mapping
from typing import Any


def move(curves: Any, properties: Mapping[str, int]) -> bool:
    """Return whether any unmuted one of some F-curves or drivers moves any of some properties.

    `properties`: RNA paths, with the number of components of each.  With many curves Blender looks up each property, which is much
    faster than a loop over the curves in Python.
    """
    known = curves if len(curves) <= len(properties) else _found(curves, properties)
    return any(not curve.mute and curve.data_path in properties for curve in known)


def _found(curves: Any, properties: Mapping[str, int]) -> Iterator[Any]:
    return filter(None, (curves.find(path, index=index) for path, count in properties.items() for index in range(count)))
