"""Paths that walks are tested on: circles, an S, corners."""

from typing import Any

import numpy as np

from neurarig_addon.core.path.curve import Curve
from tests.core.walkers import BODY

LEG = BODY.leg_length


def line(*points: tuple[float, ...], **options: Any) -> Curve:
    """Return the path of an adult through points, level where they have no height."""
    return Curve.through(np.array([[*point, 0.0][:3] for point in points]), LEG, **options)


def circle(radius: float, **options: bool) -> Curve:
    """Return a circle to the left from the origin, headed along x."""
    angle = np.linspace(0.0, 2.0 * np.pi, 96, endpoint=False)
    return line(
        *zip(radius * np.sin(angle), radius - radius * np.cos(angle), strict=True), is_closed=True, **options
    )


def corner(degrees: float) -> Curve:
    """Return four metres ahead and four to the left, by an angle."""
    turn = np.radians(degrees)
    return line((0.0, 0.0), (4.0, 0.0), (4.0 + 4.0 * np.cos(turn), 4.0 * np.sin(turn)))


_ALONG = np.linspace(0.0, 10.0, 80)
PATHS = {
    "circle of 0.7 m": circle(0.7),
    "circle of 2 m": circle(2.0),
    "S": line(*zip(_ALONG, 1.2 * np.sin(0.9 * _ALONG), strict=True)),
    "corner of 90 degrees": corner(90.0),
    "corner of 135 degrees": corner(-135.0),
}
