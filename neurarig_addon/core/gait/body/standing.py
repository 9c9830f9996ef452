"""Standing, setting off and stopping: idling, the weight over the standing leg, knees that give.

Everything depends on the time since a standstill began and until it ends (see `rests`).
"""

from dataclasses import replace

import numpy as np

from ...character.body import LEFT, RIGHT
from ...easing import smoothstep
from ..sliders.idle import ADULT_LEG, Idle, idle_loop
from ..sliders.manner import BodyManner, Posture
from ..steps.placement import SIDE_SIGN
from ..steps.situation import Situation
from ..walker import Moments, Walker

# Seconds, for an adult: idling fades in, fades out before the first step; the weight shifts before a foot is
# lifted, and back to rest.
SETTLES, LEAVES, READY, AT_EASE = 1.2, 0.8, 0.35, 0.5
# How far the hips shift over the standing leg when the first foot is lifted, and when the last one closes, in
# leg lengths.
SETS_OFF, CLOSES = 0.03, 0.015
CROUCHES = 0.01  # leg lengths of crouch from which hips do not rise beside a standstill
RISES_WITHIN = 1.8  # leg lengths from a standstill within which hips rise to their standing height
FOREVER = 1e9  # seconds
STEP_BEFORE_AND_AFTER = np.array([[-1.0], [1.0]])  # cycles


def standing(wish: BodyManner, here: Situation) -> BodyManner:
    """Return the manner with what standing, setting off and stopping add."""
    walker, at = here.walker, here.body
    if not (walker.rhythm.closes and len(walker.rhythm.rests)):
        return wish
    tempo = float(np.sqrt(walker.body.leg_length / ADULT_LEG))
    if not _is_near(walker, at, tempo):
        return wish
    aside = walker.body.leg_length * _shifted(walker, at, tempo)
    added = idling(walker, at.frames, _stands(walker, at, tempo)) + Posture.of(len(at.frames), aside=aside)
    away = np.abs(at.distance[:, None] - walker.rhythm.rests.distance).min(axis=1) / (
        RISES_WITHIN * walker.body.leg_length
    )
    stands = (np.maximum(1.0 - away**2, 0.0) * np.clip(1.0 - wish.crouch / CROUCHES, 0.0, 1.0)) ** 2
    return replace(wish, posture=wish.posture + added, stands=stands)


def idling(walker: Walker, frames: np.ndarray, still: np.ndarray) -> Posture:
    """Return what idling adds on frames `(f,)` to a body that is so `still` `(f,)`."""
    leg = walker.body.leg_length
    idle = Idle(walker.track.seed, idle_loop(walker.clock, leg), leg)
    return idle.at(walker.clock.seconds(frames), still * walker.track.at("idle", frames))


def _is_near(walker: Walker, at: Moments, tempo: float) -> bool:
    """Return whether any of the moments is near enough to a standstill to feel it: at most a step before and
    after it."""
    rests = walker.rhythm.rests
    before, after = walker.rhythm.seconds_at_phase(rests.phase + STEP_BEFORE_AND_AFTER)
    begin, end = (
        np.minimum(before, rests.begin - READY * tempo),
        np.maximum(after, rests.end + AT_EASE * tempo),
    )
    seconds, distance = at.seconds[:, None], at.distance[:, None]
    by_time = (seconds > begin) & (seconds < end)
    return bool((by_time | (np.abs(distance - rests.distance) < RISES_WITHIN * walker.body.leg_length)).any())


def _stands(walker: Walker, at: Moments, tempo: float) -> np.ndarray:
    """Return 1 while the walk stands, 0 while it moves `(f,)`, smoothly."""
    rests, seconds = walker.rhythm.rests, at.seconds[:, None]
    return (
        smoothstep((seconds - rests.begin) / (SETTLES * tempo))
        * smoothstep((rests.end - seconds) / (LEAVES * tempo))
    ).max(axis=1)


def _shifted(walker: Walker, at: Moments, tempo: float) -> np.ndarray:
    """Return the shift of the hips over the standing leg `(f,)`, left positive, in leg lengths, at the first
    and the last step."""
    rests, pace, seconds = walker.rhythm.rests, walker.rhythm, at.seconds[:, None]
    begin, end = np.clip([rests.begin, rests.end], -FOREVER, FOREVER)
    still = walker.inputs.at_rest()
    phase = pace.feet_when(np.stack([rests.phase, rests.phase], axis=-1))
    number = np.floor(phase)
    duty = np.broadcast_to(walker.gait.law.duty(still, pace.contacts.which(number)), number.shape)
    # the foot that has stood longer leaves first, and did not land last
    first = np.argmax(phase - number, axis=1)
    lift, land = pace.seconds_when(number + duty), pace.seconds_when(number + 1.0)
    left, came = pace.seconds_when(number - 1.0 + duty), pace.seconds_when(number)
    rows = np.arange(len(rests))
    begins = end - READY * tempo
    off = _hat(seconds, begins, np.maximum(lift[rows, first], begins), land[rows, first])
    last = 1 - first
    ease = begin + AT_EASE * tempo
    on = _hat(seconds, left[rows, last], np.minimum(came[rows, last], ease), ease)
    towards = np.where(first == LEFT, SIDE_SIGN[RIGHT], SIDE_SIGN[LEFT])
    # The foot that leaves first stood while the other closed, and vice versa.
    return ((SETS_OFF * off - CLOSES * on) * towards).sum(axis=1)


def _hat(seconds: np.ndarray, begin: np.ndarray, top: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return 0 until `begin`, 1 at `top`, 0 after `end`, smoothly `(f, n)`."""
    return smoothstep((seconds - begin) / np.maximum(top - begin, 1e-6)) * smoothstep(
        (end - seconds) / np.maximum(end - top, 1e-6)
    )
