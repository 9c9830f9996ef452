"""Speeding up and braking: the trunk leans into a change of speed, a moment before feet show it."""

from dataclasses import replace

import numpy as np

from ...easing import within
from ..kinds.natural import GRAVITY
from ..sliders.idle import ADULT_LEG
from ..sliders.manner import BodyManner
from ..steps.situation import Situation
from ..timing.speed import braked

# Share of the angle at which weight and push balance, by which trunks of walkers and of runners lean; limits
# forward and back.
WALKERS, RUNNERS = 0.5, 1.0
MOST_FORWARD, MOST_BACK = np.radians([16.0, 11.0])
# seconds before the change that the trunk leans and the hips sink, for an adult
EARLY, SINKS_EARLY = 0.12, 0.17
# g beyond an easy stop at which somebody brakes as hard as he can; by how much more the trunk goes back then,
# and its limit; how much lower the hips are, in leg lengths
HARD, HARDER, HARDEST_BACK, CROUCH = 0.2, 2.2, np.radians(34.0), 0.245
# Leg lengths for each g by which animals gather, lower on their legs, to change their speed; g that hardly
# count
GATHERS, HARDLY = 0.2, 0.02


def speeding(wish: BodyManner, here: Situation) -> BodyManner:
    """Return the manner with the lean of changes of speed, as far as they go where the body faces."""
    walker, at, pace = here.walker, here.body, here.walker.rhythm
    if pace.is_steady:
        return wish
    slower = float(np.sqrt(walker.body.leg_length / ADULT_LEG)) * walker.track.at("anticipation", at.frames)
    push, later = (pace.push_at(at.seconds + early * slower) for early in (EARLY, SINKS_EARLY))
    hard, brakes = (
        np.minimum(braked(each) / HARD, 1.0)
        * (walker.gait.law.contacts.takes_turns and not walker.body.on_toes)
        for each in (push, later)
    )
    lean = (
        (WALKERS + walker.gait.law.running(at.slow) * (RUNNERS - WALKERS) + hard * HARDER)
        * walker.track.at("lean_into", at.frames)
        * np.arctan(push / GRAVITY)
        * np.cos(walker.facing_at(at.seconds))
    )
    back = within(lean, MOST_BACK + hard * (HARDEST_BACK - MOST_BACK))
    gathers = GATHERS * walker.body.on_toes * (np.hypot(later / GRAVITY, HARDLY) - HARDLY)
    return replace(
        wish,
        lean=wish.lean + np.where(lean > 0.0, within(lean, MOST_FORWARD), back),
        crouch=wish.crouch + CROUCH * brakes + gathers,
    )
