"""Which axis is up, of figures and files, and the rotations that put it up."""

import numpy as np

from .rotation import about_x, about_y

# Upward axis -> rotation into z up: y up is turned about x, as importers do; x up about y. Cameras have y
# down.
_TURNS = {
    "z": (about_x, 0.0),
    "y": (about_x, 90.0),
    "-z": (about_x, 180.0),
    "-y": (about_x, -90.0),
    "x": (about_y, -90.0),
    "-x": (about_y, 90.0),
}
TO_Z_UP = {axis: np.round(about(np.radians(degrees))) for axis, (about, degrees) in _TURNS.items()}


def axis_along(direction: np.ndarray) -> str:
    """Return the axis (`"z"`, `"-y"` ...) that a direction `(3,)` is nearest to."""
    axis = int(np.argmax(np.abs(direction)))
    return f"{'-' if direction[axis] < 0.0 else ''}{'xyz'[axis]}"
