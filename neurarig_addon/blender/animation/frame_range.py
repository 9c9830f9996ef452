"""Frames given by a user or script: valid for a scene, first and last in order; and those that a scene plays.

With Time Stretching the timeline and keys count frames differently: what is read, baked and asked for is in
frames of keys.
"""

import math
from typing import Any

import bpy
import numpy as np
from bpy.types import Scene

from ...core.errors import NeuraRigError

FARTHEST = 1_048_574  # Blender's first and last frames


def checked_frame(value: Any, what: str) -> Any:
    """Return a frame as given; raises NeuraRigError, naming `what` it is, if it is not a finite number or
    beyond Blender's last."""
    is_number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not is_number or value != value or value in (math.inf, -math.inf):
        raise NeuraRigError(f"The {what} '{value}' is not a frame. Use a whole number, such as 1.")
    if abs(value) > FARTHEST:
        raise NeuraRigError(
            f"The {what} {value} is past Blender's last frame, {FARTHEST}. Use a smaller one."
        )
    return value


def played_range(scene: Scene) -> tuple[int, int]:
    """Return the first and last frame of keys that a scene plays, whole ones around its range."""
    return keys_between(scene, scene.frame_start, scene.frame_end)


def keys_between(scene: Scene, first: float, last: float) -> tuple[int, int]:
    """Return the first and last frame of keys that a scene plays between two frames of its timeline, whole
    ones around them."""
    pace = scene.render.frame_map_old / scene.render.frame_map_new
    return math.floor(pace * first), math.ceil(pace * last)


def shown_between(scene: Scene, first: float, last: float) -> tuple[int, int]:
    """Return the first and last frame of a scene's timeline that play these frames of keys."""
    pace = scene.render.frame_map_new / scene.render.frame_map_old
    return math.floor(pace * first), math.ceil(pace * last)


def play_range(scene: Scene, first: float, last: float) -> None:
    """Set a scene's range so that it plays these frames of keys."""
    scene.frame_start, scene.frame_end = shown_between(scene, first, last)


def checked_range(first: Any, last: Any) -> tuple[int | float, int | float]:
    """Return two frames as given; None stands for what the scene plays.

    Raises NeuraRigError as `checked_frame`, and if the last is before the first.
    """
    played = played_range(bpy.context.scene)
    first = checked_frame(played[0] if first is None else first, "start frame")
    last = checked_frame(played[1] if last is None else last, "end frame")
    if last < first:
        raise NeuraRigError(f"The end frame {last} is before the start frame {first}.")
    return first, last


def frames_between(first: Any, last: Any) -> np.ndarray:
    """Return every frame `(f,)` from the first to the last; arguments and errors as `checked_range`."""
    first, last = checked_range(first, last)
    return np.arange(float(first), last + 1.0)
