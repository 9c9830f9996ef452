"""Keyed speeds as a body can follow them: it gets going and slows down within a few steps, not within a frame."""

from dataclasses import replace

import numpy as np

from ..kinds.natural import GRAVITY, speed_of
from ..sliders.style import Clock, StyleTrack

# Greatest change of speed in g up to a brisk walk, 1.3 m/s^2: people reach their speed with the third step.  Above it runners hasten.
STEPS_OUT, HASTENS, BRISK = 0.13, 0.35, 0.5  # the last: vhat
OFTEN_S, MOST_SAMPLES = 1.0 / 24.0, 20_000
ROUNDING = 1e-6  # seconds


def within_reach(track: StyleTrack, clock: Clock, leg_length: float) -> StyleTrack:
    """Return the sliders with a speed that changes no faster than a person's, and is never higher than keyed.

    So standstills last as long as they are keyed: who stands until a frame sets off then, and who stands from a frame has slowed down
    before.  A statue (no idle at the start) has its speed as keyed, however suddenly it changes.
    """
    if "speed" not in track.curves or track.at("idle", np.array(clock.start)) <= 0.0:
        return track
    frames, speed = track.curves["speed"]
    seconds, takes = frames / clock.fps, _seconds_to(speed, leg_length)
    sudden = np.flatnonzero(np.abs(np.diff(takes)) > np.diff(seconds) + ROUNDING)
    if not len(sudden):
        return track
    reach = float(takes.max())
    begin, end = seconds[sudden[0]] - reach, seconds[sudden[-1] + 1] + reach
    seconds = np.union1d(seconds, np.linspace(begin, end, int(min((end - begin) / OFTEN_S, MOST_SAMPLES)) + 2))
    takes = _seconds_to(track.at("speed", seconds * clock.fps), leg_length)
    takes = np.minimum.accumulate(takes - seconds) + seconds
    takes = np.minimum.accumulate((takes + seconds)[::-1])[::-1] - seconds
    return replace(track, curves={**track.curves, "speed": (seconds * clock.fps, _speed_after(np.maximum(takes, 0.0), leg_length))})


def _seconds_to(speed: np.ndarray, leg_length: float) -> np.ndarray:
    """Return the seconds `(n,)` in which a person gets from a standstill to speeds in m/s `(n,)`."""
    walk = np.clip(speed, 0.0, speed_of(BRISK, leg_length))
    return (walk / STEPS_OUT + (np.maximum(speed, 0.0) - walk) / HASTENS) / GRAVITY


def _speed_after(seconds: np.ndarray, leg_length: float) -> np.ndarray:
    """Return the speeds in m/s `(n,)` that a person reaches in seconds `(n,)`: the inverse of `_seconds_to`."""
    walks = np.minimum(seconds, speed_of(BRISK, leg_length) / (STEPS_OUT * GRAVITY))
    return GRAVITY * (STEPS_OUT * walks + HASTENS * (seconds - walks))
