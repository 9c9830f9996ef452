"""Which properties F-curves and drivers move."""

from collections.abc import Iterator, Mapping
from typing import Any


def move(curves: Any, properties: Mapping[str, int]) -> bool:
    """Return whether one of some F-curves or drivers that is not muted moves one of some properties.

    `properties`: RNA paths, and how many numbers each has.  Where curves are many, Blender is asked for each of these: that finds them a
    good deal faster than Python goes through them.
    """
    known = curves if len(curves) <= len(properties) else _found(curves, properties)
    return any(not curve.mute and curve.data_path in properties for curve in known)


def _found(curves: Any, properties: Mapping[str, int]) -> Iterator[Any]:
    return filter(None, (curves.find(path, index=index) for path, count in properties.items() for index in range(count)))
