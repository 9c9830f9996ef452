"""Keyed sliders: their F-curves found, fingerprinted and sampled, so that a slider is a function of the frame alone."""

from typing import Any

import bpy
import numpy as np

from ...core.gait.style import SLIDERS
from ..animation import compat
from ..character import kept

SAMPLES_A_FRAME = 4  # a speed eased over a second is followed to a tenth of a millimetre of travel
MARGIN = 250  # frames sampled before and after the scene's range; beyond it a slider stays as it is there
PATHS = {slider: f"neurarig.walk.{slider}" for slider in SLIDERS}


def find(obj: bpy.types.Object) -> dict[str, Any]:
    """Return the F-curves of the keyed sliders: of the active action, else of one in the NLA, or set aside while a walk drives.

    Blender's own objects: use them at once and keep none.
    """
    found: dict[str, Any] = {}
    for action, slot in kept.all_actions(obj):
        curves = compat.find_channels(action, slot)
        for slider, path in PATHS.items() if len(curves) else ():
            if slider not in found:
                curve = curves.find(path)
                if curve is not None and not curve.mute and len(curve.keyframe_points):
                    found[slider] = curve
    return found


def place(obj: bpy.types.Object) -> tuple:
    """Return what tells, cheaply, that `find` would look in the same places as before."""
    return tuple((action.session_uid, len(compat.find_channels(action, slot))) for action, slot in kept.all_actions(obj))


def fingerprint(curves: dict[str, Any]) -> tuple:
    """Return a value that changes when a key, handle or modifier of the curves does."""
    return tuple((slider, *_keys(curve), _modifiers(curve)) for slider, curve in curves.items())


def _keys(curve: Any) -> tuple[bytes, ...]:
    keys = curve.keyframe_points
    points = np.empty(2 * len(keys), dtype=np.float32)
    kinds = np.empty(len(keys), dtype=np.int32)
    parts = [curve.extrapolation.encode()]
    for name in ("co", "handle_left", "handle_right"):
        keys.foreach_get(name, points)
        parts.append(points.tobytes())
    keys.foreach_get("interpolation", kinds)
    parts.append(kinds.tobytes())
    return tuple(parts)


def _modifiers(curve: Any) -> tuple:
    """Name modifiers by what they do in the first seconds: they have no common settings to list."""
    if not len(curve.modifiers):
        return ()
    return tuple(round(curve.evaluate(frame), 6) for frame in range(0, 240, 24))


def sample(curve: Any, start: int, end: int) -> tuple[np.ndarray, np.ndarray]:
    """Return `(frames (n,), values (n,))` on the fixed grid from `start` to `end`, keys and margin included."""
    first, last = curve.range()
    start, end = int(min(start, first)) - MARGIN, int(max(end, last)) + MARGIN
    frames = np.arange(start * SAMPLES_A_FRAME, end * SAMPLES_A_FRAME + 1) / SAMPLES_A_FRAME
    evaluate = curve.evaluate
    return frames, np.array([evaluate(frame) for frame in frames.tolist()])
