"""How a clip goes on after its end: by its settings, or as they are keyed, frame by frame, and where it is
led."""

import bpy
import numpy as np

from ...core.ikrig.encoding import Encoding
from ...core.retarget.travel import unit_of
from ...core.sequence.continuation import FASTEST, SHARPEST_DEG, STOPS_S, Continuation, require_seconds
from ...core.sequence.rows import RATE
from ..animation.frame_range import played_range
from ..walk import slider_curves
from . import lead
from .choices import Choices
from .clip import Target
from .settings import CONTINUING

SPEED, TURN = "continue_speed", "continue_turn"
PATHS = {name: f"neurarig.retarget.{name}" for name in (SPEED, TURN)}
_WITHIN = {name: (0.0, FASTEST) if name == SPEED else (-SHARPEST_DEG, SHARPEST_DEG) for name in PATHS}


def goes_on(choices: Choices) -> bool:
    """Return whether a clip is to go on after its end."""
    return bool(choices["continue_until_end"] or choices["continue_for"])


def continuation(
    obj: bpy.types.Object, scene: bpy.types.Scene, choices: Choices, clip: Encoding, target: Target
) -> Continuation | None:
    """Return how a target's clip goes on after its last frame, None if it does not; keys count where they
    are, wherever the clip ends."""
    last, fps = float(clip.frames[-1]), clip.fps
    seconds = float(choices["continue_for"])
    if choices["continue_until_end"]:
        seconds = max(played_range(scene)[1] - last, 0.0) / fps
    if not seconds:
        return None
    require_seconds(seconds)
    frames = last + np.arange(int(np.ceil(seconds * RATE)) + 1) * fps / RATE
    keyed = slider_curves.find(obj, PATHS)
    told = {}
    for name in PATHS:
        values = (
            [keyed[name].evaluate(frame) for frame in frames.tolist()] if name in keyed else [choices[name]]
        )
        told[name] = np.clip(values, *_WITHIN[name])
    speed = told[SPEED]
    if choices["continue_stand"]:
        speed = np.where(frames > frames[-1] - STOPS_S * fps, 0.0, speed)
    thing = choices.continue_to
    to = thing and lead.route(
        obj, scene, thing, target, unit_of(clip, target.character, choices.options), frames
    )
    return Continuation(seconds, speed, np.radians(told[TURN]), to)


def key(obj: bpy.types.Object, scene: bpy.types.Scene, choices: Choices) -> tuple:
    """Return a value that changes when what `continuation` depends on does."""
    if not goes_on(choices):
        return ()
    own = tuple(choices[name] for name in CONTINUING)
    end = (played_range(scene)[1],) if choices["continue_until_end"] else ()
    return (
        own
        + end
        + slider_curves.fingerprint(slider_curves.find(obj, PATHS))
        + lead.key(obj, choices.continue_to)
    )
