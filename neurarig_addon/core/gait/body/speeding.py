"""Speeding up and braking: the trunk leans into a change of speed, a moment before feet show it."""

from dataclasses import replace

import numpy as np

from ...easing import within
from ..kinds.natural import GRAVITY
from ..sliders.idle import ADULT_LEG
from ..sliders.manner import BodyManner
from ..steps.situation import Situation

# Share of the angle at which weight and push balance, by which trunks of walkers and of runners lean; limits
# forward and back.
WALKERS, RUNNERS = 0.5, 1.0
MOST_FORWARD, MOST_BACK = np.radians([16.0, 11.0])
EARLY = 0.12  # seconds before the change, for an adult


def speeding(wish: BodyManner, here: Situation) -> BodyManner:
    """Return the manner with the lean of changes of speed, as far as they go where the body faces."""
    walker, at, pace = here.walker, here.body, here.walker.rhythm
    if pace.is_steady:
        return wish
    early = (
        EARLY
        * float(np.sqrt(walker.body.leg_length / ADULT_LEG))
        * walker.track.at("anticipation", at.frames)
    )
    after, before = (
        pace.felt_speed_at(at.seconds + early + around) for around in (pace.answer, -pace.answer)
    )
    push = np.arctan((after - before) / (2.0 * pace.answer * GRAVITY)) * np.cos(walker.facing_at(at.seconds))
    lean = (
        (WALKERS + walker.gait.law.running(at.slow) * (RUNNERS - WALKERS))
        * walker.track.at("lean_into", at.frames)
        * push
    )
    return replace(
        wish, lean=wish.lean + np.where(lean > 0.0, within(lean, MOST_FORWARD), within(lean, MOST_BACK))
    )
