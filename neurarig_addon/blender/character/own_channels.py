"""What a character's own action does to its object while something else poses it: a bake that replaces the action has to do it too."""

from collections.abc import Collection

import bpy
import numpy as np

from ..animation import compat
from ..animation.curve_pose import sampled
from ..animation.keyframes import Channel
from . import kept, turning

GROUP = "Object Transforms"
_PLACES = ("location", "delta_location")


def own_channels(obj: bpy.types.Object, frames: np.ndarray, taken: Collection[str] = ()) -> list[Channel]:
    """Return how the active action moves, rotates and scales the object at `frames` `(n,)`, keyed even where constant.

    `taken`: properties that the bake moves itself.  Of an earlier bake of ours, only rotation and scale are the user's.
    """
    found: dict[str, np.ndarray] = {}
    data = obj.animation_data
    action, slot = compat.assigned(data) if data else (None, None)
    for curve in compat.find_channels(action, slot):
        is_place = curve.data_path in _PLACES and not curve.mute and not kept.is_bake(action)
        if curve.data_path not in taken and (is_place or turning.turns(curve)):
            now = np.array(getattr(obj, curve.data_path))
            values = found.setdefault(curve.data_path, np.tile(now, (len(frames), 1)))
            values[:, curve.array_index] = sampled(curve, frames)
    return [Channel(path, values, np.full(values.shape[1], np.inf), GROUP) for path, values in found.items()]
