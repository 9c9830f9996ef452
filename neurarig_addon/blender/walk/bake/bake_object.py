"""The armature object in a bake: its path, and the motion of its own action, which the bake replaces."""

from collections.abc import Generator

import bpy
import numpy as np

from ....core.character.motion import Motion
from ...animation.evaluated_pose import seen
from ...animation.keyframes import Channel
from ...animation.scratch import alone
from ...character import carry, turning
from ...character.own_animation import GROUP, own_channels
from .. import travel
from ..ground import deck
from ..walk import WalkSource


def object_channels(
    context: bpy.types.Context, obj: bpy.types.Object, source: WalkSource, frames: np.ndarray, root: Motion
) -> Generator[float, None, list[Channel]]:
    """Return the object's channels at `frames` `(n,)` for the given motion of the root; yields the share done."""
    moved: list[Channel] = []
    if source.rides:
        moved = _moved(obj, (yield from _ridden(context, obj, source, frames, root)))
    elif source.travels_with == "OBJECT" and source.turns:
        moved = _moved(obj, carry.steps(root, source.walk_to_armature))
    elif source.travels_with == "OBJECT":
        turned = (yield from _seen_axes(context, obj, frames)) if turning.is_animated(obj) else None
        stands = travel.way(obj, np.zeros((1, 3)))[0]
        moved = [Channel("location", travel.way(obj, source.carried(root.position), turned), stands, GROUP)]
    return moved + own_channels(obj, frames, {channel.path for channel in moved})


def _ridden(
    context: bpy.types.Context, obj: bpy.types.Object, source: WalkSource, frames: np.ndarray, root: Motion
) -> Generator[float, None, np.ndarray]:
    """Return the steps K `(n, 4, 4)` of an object on what carries it."""
    steps = carry.steps(root, source.walk_to_armature)
    steps = steps if source.travels_with == "OBJECT" else np.tile(np.eye(4), (len(frames), 1, 1))
    carrier = obj.neurarig.walk.stand_on
    with alone(context.scene, carrier) as passing:
        for row, frame in enumerate(frames):
            steps[row] = deck.step_of(obj, np.array(seen(passing, carrier, frame).matrix_world)) @ steps[row]
            yield (row + 1) / len(frames)
    return steps


def _moved(obj: bpy.types.Object, steps: np.ndarray) -> list[Channel]:
    """Return the channels of an object that moves and turns by K `(n, 4, 4)`."""
    locations, prop, turns = carry.channels(obj, steps)
    always = [np.full(values.shape[1], np.inf) for values in (locations, turns)]
    return [
        Channel("location", locations, always[0], GROUP),
        Channel(prop, turns, always[1], GROUP, together=turns.shape[1] == 4),
    ]


def _seen_axes(context: bpy.types.Context, obj: bpy.types.Object, frames: np.ndarray) -> Generator[float, None, np.ndarray]:
    """Return the object's own axes `(n, 3, 3)` as they are animated."""
    axes = np.empty((len(frames), 3, 3))
    with alone(context.scene, obj) as passing:
        for row, frame in enumerate(frames):
            axes[row] = seen(passing, obj, frame).matrix_basis.to_3x3()
            yield (row + 1) / len(frames)
    return axes
