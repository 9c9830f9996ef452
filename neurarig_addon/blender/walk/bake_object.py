"""The armature object in a bake: its path, and the turns and sizes that its own action gave it, which the bake takes the place of."""

from collections.abc import Generator

import bpy
import numpy as np

from ..animation import compat
from ..animation.alone import alone
from ..animation.curve_pose import sampled
from ..animation.keyframes import Channel
from ..animation.seen_pose import seen
from ..character import standing
from . import travel
from .source import WalkSource

GROUP = "Object Transforms"


def object_channels(
    context: bpy.types.Context, obj: bpy.types.Object, source: WalkSource, frames: np.ndarray, metres: np.ndarray
) -> Generator[float, None, list[Channel]]:
    """Return the object's channels at `frames` `(n,)`, on which it has travelled `metres` `(n,)`; yields the share done."""
    channels = _own_turns(obj, frames)
    if source.travels_with == "OBJECT":
        turned = (yield from _seen_axes(context, obj, frames)) if standing.is_turned_by_animation(obj) else None
        stands = np.array(travel.path(obj, source, np.zeros(1))[0])
        channels.append(Channel("location", travel.path(obj, source, metres, turned), stands, GROUP))
    return channels


def _own_turns(obj: bpy.types.Object, frames: np.ndarray) -> list[Channel]:
    """Return what the active action turns and resizes, keyed also where it rests: the action makes way for the bake."""
    found: dict[str, np.ndarray] = {}
    data = obj.animation_data
    for curve in compat.find_channels(*compat.assigned(data)) if data else ():
        if standing.turns(curve):
            now = np.array(getattr(obj, curve.data_path))
            values = found.setdefault(curve.data_path, np.tile(now, (len(frames), 1)))
            values[:, curve.array_index] = sampled(curve, frames)
    return [Channel(path, values, np.full(values.shape[1], np.inf), GROUP) for path, values in found.items()]


def _seen_axes(context: bpy.types.Context, obj: bpy.types.Object, frames: np.ndarray) -> Generator[float, None, np.ndarray]:
    """Return the object's own axes `(n, 3, 3)` as they are animated."""
    axes = np.empty((len(frames), 3, 3))
    with alone(context.scene, obj) as passing:
        for row, frame in enumerate(frames):
            axes[row] = seen(passing, obj, frame).matrix_basis.to_3x3()
            yield (row + 1) / len(frames)
    return axes
