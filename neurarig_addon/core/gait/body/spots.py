"""Turning on the spot: hips go over the foot that stands while the other steps round it, and arms swing out
and late.

Figures are those of 17 half turns of a man (CMU 105), whose hips turn by 185 degrees a second at the peak.
"""

from dataclasses import replace

import numpy as np

from ..sliders.idle import ADULT_LEG
from ..sliders.manner import BodyManner, Posture
from ..steps.placement import SIDE_SIGN
from ..steps.situation import Situation
from ..walker import Walker

STANDS = 0.34  # cycles after its heel strike at which a foot alone carries the body
FOLLOWS = 1.2  # share of the way to that foot which the hips would go if they had the time
AROUND = np.array([[-1], [0], [1]])  # steps that count, the one under way in the middle
# Arms are held out by so many radians at so many radians a second, and that much later in seconds, for an
# adult.
HELD_OUT, FAST, LATER = np.radians(6.0), np.radians(185.0), 0.25
# Radians by which the arm on the outside is behind, and the one on the inside ahead, for each radian a second
# by which the turn has become faster since: a pendulum that is moved along.
BEHIND, SINCE = 0.045, 0.4
FELT = 2.0  # leg lengths before and after a turn within which anything of it is left
OFTEN = 0.1  # seconds on both sides over which the speed of a turn is seen


def on_the_spot(wish: BodyManner, here: Situation) -> BodyManner:
    """Return the manner with what turning on the spot adds."""
    walker, at = here.walker, here.body
    away = np.array([-FELT, FELT]) * walker.body.leg_length
    near = (at.distance[:, None, None] > walker.path.spots + away).sum(axis=-1) == 1
    if not (near.any() and walker.gait.law.contacts.takes_turns):
        return wish
    over, along = _over_the_standing_foot(here), walker.along_at(at.seconds, at.distance)
    ahead, aside = (np.einsum("fi,fi->f", over, way) for way in (along.ahead, along.left))
    tempo = float(np.sqrt(walker.body.leg_length / ADULT_LEG))
    before, now = (
        _turning(walker, at.seconds - late * tempo, OFTEN * tempo) for late in (LATER + SINCE, LATER)
    )
    behind = BEHIND * tempo * (now - before)
    return replace(
        wish,
        posture=wish.posture + Posture.of(len(at.frames), ahead=ahead, aside=aside),
        arms_apart=wish.arms_apart + (HELD_OUT * (now * tempo / FAST) ** 2)[:, None],
        arms_forward=wish.arms_forward + SIDE_SIGN * behind[:, None],
    )


def _over_the_standing_foot(here: Situation) -> np.ndarray:
    """Return metres `(f, 3)` from the path to the foot that the hips are over: a cubic B-spline through the
    prints on the spot."""
    walker, at, plan = here.walker, here.body, here.body_steps
    rows = plan.under_way(at.phase) + AROUND[:, None]
    steps = plan.steps.take(rows).turned(walker.sole, np.full(rows.shape, 0.5))
    away = np.abs(at.phase - steps.contact - STANDS) / 0.5
    weight = (np.maximum(2.0 - away, 0.0) ** 3 - 4.0 * np.maximum(1.0 - away, 0.0) ** 3) / 6.0
    stands, _ = walker.rhythm.rests.within(*map(walker.rhythm.phase_when, (steps.contact, steps.lift)))
    weight = FOLLOWS * weight * ((walker.path.advance(steps.distance) == 0.0) & ~stands)
    return np.einsum("rfs,rfsi->fi", weight, steps.place - walker.path.at(steps.distance).place)


def _turning(walker: Walker, seconds: np.ndarray, around: float) -> np.ndarray:
    """Return radians a second `(f,)` by which the path turns on the spot, at times and over some seconds
    around them."""
    way = walker.rhythm.distance_at(seconds + around * np.array([[-1.0], [1.0]]))
    turned = sum(walker.path.drawn.heading_at(np.clip(way, *spot)) for spot in walker.path.spots)
    return np.diff(turned, axis=0)[0] / (2.0 * around)
