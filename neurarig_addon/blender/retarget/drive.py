"""How a clip goes on after its end: by its settings, or as they are keyed, frame by frame."""

import bpy
import numpy as np

from ...core.sequence.continuation import FASTEST, SHARPEST_DEG, STOPS_S, Continuation
from ...core.sequence.rows import RATE
from ..walk import slider_curves
from .choices import Choices
from .options import CONTINUING

SPEED, TURN = "continue_speed", "continue_turn"
PATHS = {name: f"neurarig.retarget.{name}" for name in (SPEED, TURN)}
_WITHIN = {name: (0.0, FASTEST) if name == SPEED else (-SHARPEST_DEG, SHARPEST_DEG) for name in PATHS}


def continuation(obj: bpy.types.Object, choices: Choices, last: float, fps: float) -> Continuation | None:
    """Return how a target's clip goes on after its last frame, None if it does not; keys count where they are, wherever the clip ends."""
    seconds = float(choices["continue_for"])
    if not seconds:
        return None
    frames = last + np.arange(int(np.ceil(seconds * RATE)) + 1) * fps / RATE
    keyed = slider_curves.find(obj, PATHS)
    told = {}
    for name in PATHS:
        values = [keyed[name].evaluate(frame) for frame in frames.tolist()] if name in keyed else [choices[name]]
        told[name] = np.clip(values, *_WITHIN[name])
    speed = told[SPEED]
    if choices["continue_stand"]:
        speed = np.where(frames > frames[-1] - STOPS_S * fps, 0.0, speed)
    return Continuation(seconds, speed, np.radians(told[TURN]))


def key(obj: bpy.types.Object, choices: Choices) -> tuple:
    """Return a value that changes when what `continuation` depends on does."""
    own = tuple(choices[name] for name in CONTINUING)
    return own + slider_curves.fingerprint(slider_curves.find(obj, PATHS)) if choices["continue_for"] else ()
