"""Frames given by a user or script: valid for a scene, first and last in order."""

import math
from typing import Any

import bpy
import numpy as np

from ...core.errors import NeuraRigError

FARTHEST = 1_048_574  # Blender's first and last frames


def checked_frame(value: Any, what: str) -> Any:
    """Return a frame as given; raises NeuraRigError, naming `what` it is, if it is not a finite number or beyond Blender's last."""
    is_number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not is_number or value != value or value in (math.inf, -math.inf):
        raise NeuraRigError(f"The {what} '{value}' is not a frame. Use a whole number, such as 1.")
    if abs(value) > FARTHEST:
        raise NeuraRigError(f"The {what} {value} is past Blender's last frame, {FARTHEST}. Use a smaller one.")
    return value


def checked_range(first: Any, last: Any) -> tuple[int | float, int | float]:
    """Return two frames as given; None stands for the scene's.

    Raises NeuraRigError as `checked_frame`, and if the last is before the first.
    """
    scene = bpy.context.scene
    first = checked_frame(scene.frame_start if first is None else first, "start frame")
    last = checked_frame(scene.frame_end if last is None else last, "end frame")
    if last < first:
        raise NeuraRigError(f"The end frame {last} is before the start frame {first}.")
    return first, last


def frames_between(first: Any, last: Any) -> np.ndarray:
    """Return every frame `(f,)` from the first to the last; arguments and errors as `checked_range`."""
    first, last = checked_range(first, last)
    return np.arange(float(first), last + 1.0)
