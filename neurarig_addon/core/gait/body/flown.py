"""What a run does to the body: it bounces as on springs, and only standing legs hold the pelvis."""

from dataclasses import replace

import numpy as np

from ...character.body import LEFT
from ..kinds.contacts import moving
from ..kinds.flight import Pushes, holding, spring_rise
from ..moments import Moments
from ..sliders.manner import BodyManner, step_manner
from ..steps.footsteps import BOTH
from ..steps.placement import duty_of
from ..walker import Walker
from ..way.strides import stance_of


def flown(walker: Walker, at: Moments, duty: np.ndarray, wish: BodyManner) -> BodyManner:
    """Return the manner with the gait's share of running added, for steps with duty factors `(f, 2)`."""
    pace = walker.rhythm
    speed, stride = pace.speed_at(at.seconds), pace.stride_at(at.seconds)
    period = np.where(speed > 1e-9, stride / np.maximum(speed, 1e-9), 0.0)
    rise = spring_rise(pace.contacts.cycles(at.phase)[:, LEFT], _pushes(walker, at), period)
    running = np.broadcast_to(walker.gait.law.running(at.slow), rise.shape)
    rise = rise * running * moving(at.vhat) * wish.bounce
    holds = 1.0 - running[:, None] * (1.0 - holding(at.phase, duty) * (pace.contacts.carried != BOTH))
    return replace(wish, crouch=wish.crouch - rise / walker.body.leg_length, holds=holds)


def _pushes(walker: Walker, at: Moments) -> Pushes:
    """Return the pushes of the legs for the speed and sliders at the given moments; they change smoothly, unlike per-step values."""
    law, contacts = walker.gait.law, walker.rhythm.contacts
    which = np.arange(2 * contacts.of_a_foot)
    wish = step_manner(walker.track, np.broadcast_to(at.frames[:, None], (len(at.frames), 2)))
    wish = replace(wish, duty_factor=wish.duty_factor * stance_of(walker.build, walker.gait, at.slow)[:, None])
    apart = np.array([0.0, walker.rhythm.feet[1] - walker.rhythm.feet[0]])
    begins, lasts = np.zeros(len(which)), np.zeros((len(at.frames), len(which)))
    for first in which[::2]:
        pair = which[first : first + 2]
        begins[pair] = contacts.strikes[first // 2] - apart
        lasts[:, pair] = contacts.spans(pair) * duty_of(law, law.duty(at.slow[:, None], first + BOTH), wish)
    return Pushes(begins, lasts, contacts.bears(which))
