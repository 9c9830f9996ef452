"""Actions that stand in for live characters during export, for exporters that look for actions and then play
their frames.

An action holds the object's motion; the bones are posed live on every frame that the exporter plays.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from bpy.types import Action, Object, Scene

from ...core.posing.channels import rotation_path
from ..animation import compat
from ..animation.frame_range import played_range
from ..animation.keyframes import Channel, write_channels
from ..animation.scratch import same_frame_after, show
from ..character import record


@dataclass(frozen=True)
class _Stood:
    """What an object played before an action stood in for it."""

    obj: Object
    had_data: bool
    action: Action | None
    slot: Any
    stand_in: Action


_standing_in: list[_Stood] = []


def begin(scene: Scene) -> None:
    """Assign stand-in actions to the scene's live characters, over its frame range."""
    end()
    objects = [obj for obj in scene.objects if record.is_posed(obj) and not obj.library]
    first, last = played_range(scene)
    frames = np.arange(first, last + 1.0)
    ways = _ways(scene, objects, frames)
    for obj, channels in zip(objects, ways, strict=True):
        _standing_in.append(_stand_in(obj, frames, channels))


def end() -> None:
    """Restore the actions from before and remove the stand-ins."""
    while _standing_in:
        stood = _standing_in.pop()
        try:
            compat.assign(stood.obj.animation_data, stood.action, stood.slot)
            if not stood.had_data:
                stood.obj.animation_data_clear()
            bpy.data.actions.remove(stood.stand_in)
        except ReferenceError:  # deleted meanwhile, or another file was opened
            pass


@contextmanager
def standing_in(scene: Scene) -> Iterator[None]:
    """Use stand-in actions within the block."""
    begin(scene)
    try:
        yield
    finally:
        end()


def _ways(scene: Scene, objects: list[Object], frames: np.ndarray) -> list[list[Channel]]:
    """Return the location and rotation channels of each object on frames of keys `(f,)`."""
    paths = [("location", rotation_path(obj.rotation_mode)) for obj in objects]
    rows: list[list[list]] = [[[], []] for _ in objects]
    with same_frame_after(scene):
        for frame in frames if objects else ():
            show(scene, frame)
            for obj, names, found in zip(objects, paths, rows, strict=True):
                for values, name in zip(found, names, strict=True):
                    values.append(getattr(obj, name)[:])
    return [
        _way(names, [np.array(values) for values in found]) for names, found in zip(paths, rows, strict=True)
    ]


def _way(paths: tuple[str, str], values: list[np.ndarray]) -> list[Channel]:
    """Return the location, keyed on every frame so that the action is as long as the scene, and the rotation
    if it changes."""
    shown = [at for at in range(len(paths)) if at == 0 or np.ptp(values[at], axis=0).any()]
    return [
        Channel(paths[at], values[at], np.full(values[at].shape[1], np.inf), "Object Transforms", still=-1.0)
        for at in shown
    ]


def _stand_in(obj: Object, frames: np.ndarray, channels: list[Channel]) -> _Stood:
    data = obj.animation_data
    had_data = data is not None
    before = compat.assigned(data) if data else (None, None)
    action, slot = compat.copied_action(*before) if before[0] else compat.new_action(f"{obj.name} Live", obj)
    curves, _ = compat.ensure_channels(action, slot)
    own = {curve.data_path for curve in curves}
    write_channels(action, slot, frames, [channel for channel in channels if channel.path not in own])
    compat.assign(data or obj.animation_data_create(), action, slot)
    return _Stood(obj, had_data, *before, action)
