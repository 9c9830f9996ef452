"""The foot in the air: from the exact pose and velocity at toe-off to those at the next heel strike.

A cubic Hermite curve joins the two; the gait's own curve adds its shape, minus its own Hermite curve, so that
the addition vanishes with
its slope at both ends.  Whatever the gait's curve does, the foot leaves and lands as the contacts demand.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from ...character.motion import rows_of
from ...easing import bell, hermite, smoothstep
from ...geometry.rotation import TINY, dot, norms
from ...ground.lifts import (
    LOOKED_AT,
    Lifts,
    clearance_lift,
    detour,
    evenly,
    lift_at,
    lift_knots,
    lifts_over,
    over_ground,
    within,
)
from ...path.marks import leaps_of
from ..steps.footsteps import BOTH, Footsteps, Steps
from ..walker import Walker
from .carry import ground_between
from .obstacles import climb_first, from_the_side, over_ledges
from .stance import BEND, HEADING, OWN, PITCH, X, Y, Z, feet_of, stood
from .swing_ends import SwingEnds, own_state, swing_ends

Heights = Callable[[np.ndarray], np.ndarray]  # of the ground under points
HIGH_STEP = 0.12  # leg lengths of extra lift in mid swing per unit of step height above 1
# lengths from heel to ball, the whole sole: the ground this far around a tilted print is taken to be its
# plane
NEAR = 1.4
CATCHES_UP = 0.35  # share of the swing
# the same, while an act plays that leaps; of a swing's smooth share: what it has gone of a longer way
UNSEEN, GOES = (0.3, 0.7), 1.25
TWENTIETHS = np.linspace(0.0, 1.0, 21)  # shares of a swing at which it is looked at
# how much a foot is lifted off the floor when it is nearly down, and a peg leg, which has no toes to raise
LIFTED_LATE = 0.5, 1.0
# share of the swing after which a foot is down from a raised print: its knee then lands as from level ground
COMES_DOWN_BY = 0.87


@dataclass(frozen=True)
class Air:
    """Feet in the air, in swings from the `steps` `(f, 2)` in `rows` `(f, 2)` of a plan, as feet leave them,
    to the `following` ones.

    `share` `(f, 2)` of the swing, foot and ball channels `(f, 2, 6)`, the factor `raised` on their height.
    """

    rows: np.ndarray
    steps: Steps
    following: Steps
    share: np.ndarray
    foot: np.ndarray
    ball: np.ndarray
    raised: np.ndarray

    @classmethod
    def after(cls, walker: Walker, plan: Footsteps, rows: np.ndarray, *feet: np.ndarray) -> "Air":
        """Return feet in the air after the steps in `rows` of a plan; `feet`: share, channels and factor."""
        return cls(
            rows,
            plan.steps.take(rows).turned(walker.sole, np.ones(rows.shape)),
            plan.steps.take(rows + 1),
            *feet,
        )


def with_looks(
    walker: Walker, plan: Footsteps, rows: np.ndarray, share: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return `rows` and shares of swings `(f, 2)`, followed by those at which these swings are looked at (see
    `in_air`)."""
    looked, at = _swings(_swings_of(plan, rows)[0], TWENTIETHS if walker.ground.is_level else LOOKED_AT)
    return np.concatenate([rows, looked]), np.concatenate([share, at])


def in_air(walker: Walker, plan: Footsteps, air: Air, count: int) -> np.ndarray:
    """Return the states `(count, 2, 8)` of the first feet in the air; the others are those of
    `with_looks`."""
    ends = swing_ends(walker, plan.steps, air.rows)
    state = _over_level(walker, air, ends.take(air.rows))
    swings, index = _swings_of(plan, air.rows[:count])
    apart = ~(air.steps.lies_level & air.following.lies_level)[:count]
    share, raised = air.share[:count], air.raised[:count]
    if walker.ground.is_level:
        leg, heights = walker.body.leg_length, _sole_heights(walker, state, walker.ground.height)
        knots = _lift_knots(walker, heights[count:], (air.steps.step_height * air.raised)[count:])
        lifted = lift_at(knots[index, BOTH], share)
        lifted = lifted + clearance_lift(share, heights[:count] + lifted[..., None], leg)
        state = state[:count]
        state[..., Z] += np.where(apart, 0.0, lifted)
        if not apart.any():
            return state
        lifts = _lifts_off_level(walker, plan, ends, swings)
    else:
        looked, flies = slice(count, None), np.zeros((len(swings), 2), dtype=bool)
        flies[index[share > 0.0], np.nonzero(share > 0.0)[1]] = True
        lifts = _lifts(walker, plan, swings, flies, rows_of(air, looked), state[looked])
        state = state[:count]
    lifts = lifts.take(index, BOTH)
    lifted = np.minimum(raised, 1.0) * lifts.at(share)
    state[..., Z] += np.where(apart, lifted, 0.0) if walker.ground.is_level else lifted
    state[..., :Z] += (
        detour(lifts.detour, share)[..., None] * (air.following.place - air.steps.place)[:count, :, :Z]
    )
    return state


def _lift_knots(walker: Walker, heights: np.ndarray, wish: np.ndarray) -> np.ndarray:
    """Return the knots `(steps, 2, n)` of lifts off a level floor for soles at `heights` `(steps * looks, 2,
    3)`, looked at per step.

    So toes that come up, and heels that come down, leave no corner in it.
    """
    looks, leg, late = (
        len(TWENTIETHS),
        walker.body.leg_length,
        np.where(walker.sole.toe[:, 0] > walker.sole.heel[:, 0], *LIFTED_LATE),
    )
    heights, wish = heights.reshape(-1, looks, *heights.shape[1:]), wish.reshape(-1, looks, 2)
    return np.stack(
        [lift_knots(TWENTIETHS, heights[:, :, side], leg, wish[:, :, side], late[side]) for side in (0, 1)],
        axis=1,
    )


def heights_unguarded(walker: Walker, plan: Footsteps, air: Air) -> np.ndarray:
    """Return the heights of `_sole_heights` `(f, 2, 3)` of feet in the air, where nothing keeps them off
    level ground."""
    state = _over_level(walker, air, swing_ends(walker, plan.steps, air.rows).take(air.rows))
    return _sole_heights(walker, state, walker.ground.height)


def _over_level(walker: Walker, air: Air, ends: SwingEnds) -> np.ndarray:
    """Return feet from print to print, before any lift over what lies between."""
    steps, following, share = air.steps, air.following, air.share
    state = hermite(share[..., None], *ends.foot)
    state[..., OWN] += _own_shape(walker, air, ends)
    state[..., : Z + 1] += _caught_up(walker, ends, share)
    if len(walker.path.spots):
        state[..., :Z] += _round_the_other(walker, air)
    if any(mark.act >= 0 for mark in walker.path.marks):
        state[..., :Z] += _leapt_over(walker, air)
    if steps.moved.any():
        state[..., :Z] += (smoothstep(share) - within(share, 0.0, 1.0))[..., None] * _made_up(
            steps.moved, following.moved
        )
    rise = (following.place - steps.place)[..., Z]
    state[..., Z] += climb_first(steps, share) * rise
    if walker.ground.is_level:
        state[..., Z] += (within(share, 0.0, COMES_DOWN_BY) - smoothstep(share)) * np.minimum(rise, 0.0)
    ground = evenly(share, steps.place[..., Z], following.place[..., Z])
    flat = ground + walker.sole.ankle[:, 2]
    state[..., Z] = flat + (state[..., Z] - flat) * air.raised
    state[..., [PITCH, BEND]] *= air.raised[..., None]
    return state


def _made_up(moved: np.ndarray, next_moved: np.ndarray) -> np.ndarray:
    """Return how far a print was moved `(..., 2)` beyond what the same foot's next one was moved the same
    way.

    A foot makes that up more softly at the end than the cubic between prints: the leg is nearly straight
    then, and its knee feels every millimetre.
    """
    kept = dot(moved, next_moved) / np.maximum(dot(moved, moved), TINY)
    return moved * (1.0 - np.clip(kept, 0.0, 1.0))[..., None]


def _caught_up(walker: Walker, ends: SwingEnds, share: np.ndarray) -> np.ndarray:
    """Return metres `(..., 2, 3)` to add: feet unlike an adult's leave the ground elsewhere, and soon swing
    alike."""
    left, sooner = ends.foot[0], (1.0 - smoothstep(share / CATCHES_UP)) - (1.0 - smoothstep(share))
    ahead, up = np.moveaxis(walker.build.let_go(left[..., PITCH]) * sooner[..., None], -1, 0)
    heading = left[..., HEADING]
    return np.stack([np.cos(heading) * ahead, np.sin(heading) * ahead, up], axis=-1)


def _round_the_other(walker: Walker, air: Air) -> np.ndarray:
    """Return metres `(..., 2, 2)` to add in turns on the spot: feet go from print to print on an arc, clear
    of the foot that stands."""
    steps, following, share = air.steps, air.following, air.share
    way, turn = (following.place - steps.place)[..., :Z], following.heading - steps.heading
    on_the_spot = walker.path.advance(0.5 * (steps.distance + following.distance)) == 0.0
    out = 0.5 * np.tan(0.25 * turn) * on_the_spot * bell(share)
    return out[..., None] * np.stack([way[..., 1], -way[..., 0]], axis=-1)


def _leapt_over(walker: Walker, air: Air) -> np.ndarray:
    """Return metres `(..., 2, 2)` to add in swings over what is leapt over: by how much they are longer than
    a stride is gone while nobody sees them."""
    steps, following, share = air.steps, air.following, air.share
    way, leaps = (following.place - steps.place)[..., :Z], leaps_of(walker.path.marks).mean(axis=1)
    over = [(steps.distance < at) & (at < following.distance) for at in leaps]
    stride = walker.rhythm.stride_at(walker.rhythm.seconds_when(steps.contact))
    more = np.any(over, axis=0) * np.maximum(1.0 - stride / np.maximum(norms(way), TINY), 0.0)
    return (more * (within(share, *UNSEEN) - smoothstep(share) ** GOES))[..., None] * way


def _swings_of(plan: Footsteps, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows `(n,)` of a plan that are among `rows` `(f, 2)` and have a successor, and which of them
    each is `(f, 2)`."""
    swings, index = np.unique(np.minimum(rows, len(plan.steps.contact) - 2), return_inverse=True)
    return swings, index.reshape(rows.shape)


def _swings(swings: np.ndarray, looks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return rows of a plan and shares of the swings after them `(n * looks, 2)`: each row in `swings` `(n,)`
    at each of the `looks`."""
    share = np.tile(looks, len(swings))
    both = len(share), 2
    return np.broadcast_to(np.repeat(swings, len(looks))[:, None], both), np.broadcast_to(
        share[:, None], both
    )


def _lifts_off_level(walker: Walker, plan: Footsteps, ends: SwingEnds, swings: np.ndarray) -> Lifts:
    """Return the lifts of `_lifts` where only prints, not the ground, are raised or tilted."""
    rows, share = _swings(swings, LOOKED_AT)
    steps = plan.steps.take(rows)
    slow = walker.inputs.at(walker.rhythm.seconds_when(steps.lift))
    foot, ball = feet_of(walker, steps, slow, steps.order + steps.natural + share * (1.0 - steps.natural))
    air = Air.after(walker, plan, rows, share, foot, ball, np.ones(share.shape))
    return _lifts(
        walker,
        plan,
        swings,
        np.ones((len(swings), 2), dtype=bool),
        air,
        _over_level(walker, air, ends.take(rows)),
    )


def _lifts(
    walker: Walker, plan: Footsteps, swings: np.ndarray, flies: np.ndarray, looks: Air, state: np.ndarray
) -> Lifts:
    """Return how feet are lifted over whatever lies between their prints, in the swings after the steps in
    rows `swings` `(n,)` of a plan.

    `flies` `(n, 2)`: whether anybody asks about that swing. Each is looked at LOOKED_AT times, once per step,
    so that nothing jumps:
    `looks`, with the foot's `state`.
    """
    steps, following, share = looks.steps, looks.following, looks.share
    flies = np.repeat(flies, len(LOOKED_AT), axis=0)
    if not len(walker.treads.ledges.at):
        under = beyond = _under_prints(walker, steps, following, share)
        if not walker.ground.is_level:
            known = ground_between(walker, steps, share, flies)
            under = partial(_known_or_beyond, known, beyond, flies)
        heights = _sole_heights(walker, state, under, len(LOOKED_AT))
        missing = over_ground(share, heights, walker.body.leg_length, steps.step_height)[None]
    else:
        missing = over_ledges(walker, steps, following, state, share, flies)
    shape = (len(swings), len(LOOKED_AT), 2)
    missing = missing.reshape(len(missing), *shape)
    return lifts_over(
        missing, from_the_side(walker, plan, swings, state.reshape(*shape, -1)), walker.body.leg_length
    )


def _own_shape(walker: Walker, air: Air, ends: SwingEnds) -> np.ndarray:
    """Return what the gait adds to the cubics `(f, 2, 6)`: its curve minus its own cubic, turned to the legs'
    heading."""
    steps, share = air.steps, air.share
    added = own_state(air.foot, air.ball) - hermite(share[..., None], *ends.own)
    added[..., X] *= steps.stride
    added[..., Z] = added[..., Z] * np.minimum(steps.step_height, 1.0) + _high_step(
        share, walker.body.leg_length, steps.step_height
    )
    added[..., BEND] *= walker.sole.bends
    if walker.path.turns or walker.facing is not None:
        course = evenly(share, steps.course, air.following.course)
        cos, sin, ahead, left = np.cos(course), np.sin(course), added[..., X].copy(), added[..., Y].copy()
        added[..., X], added[..., Y] = cos * ahead - sin * left, sin * ahead + cos * left
    return added


def _sole_heights(
    walker: Walker, state: np.ndarray, under: Callable[[np.ndarray], np.ndarray], looks: int = 0
) -> np.ndarray:
    """Return the height of heel, toe joint and tip `(f, 2, 3)` above their height in a standing foot, for
    states `(f, 2, 8)`.

    `under`: gives the ground's height under points. `looks`: that many consecutive states make up a swing,
    and the points half way
    to the states before and after are added `(f, 2, 9)`: a ridge can be narrower than the distance between
    two states.
    """
    none = np.zeros(state.shape[:-1])
    points = walker.sole.pivots(stood(state, none, none).feet)
    if looks:
        swing = points.reshape(-1, looks, *points.shape[1:])
        half = 0.5 * (swing[:, 1:] + swing[:, :-1])
        beside = np.concatenate([swing[:, :1], half], axis=1), np.concatenate([half, swing[:, -1:]], axis=1)
        points = np.concatenate([points, *(each.reshape(points.shape) for each in beside)], axis=2)
    rest = np.tile(walker.sole.resting_pivots, points.shape[2] // walker.sole.resting_pivots.shape[1])
    return points[..., Z] - rest - under(points)


def _known_or_beyond(known: Heights, beyond: Heights, needed: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return the ground's height under points `(f, 2, n, 3)`, where none is known that of the prints' planes;
    NaN of some feet that are not `needed` `(f, 2)`."""
    heights = known(points)
    lacks = np.isnan(heights)
    return np.where(lacks, beyond(points), heights) if lacks[needed].any() else heights


def _under_prints(
    walker: Walker, steps: Steps, following: Steps, share: np.ndarray
) -> Callable[[np.ndarray], np.ndarray]:
    """Return the ground's height under points `(f, 2, n, 3)` of swinging feet as a function: blended from the
    planes of both prints."""
    near = NEAR * walker.sole.length
    return lambda points: (
        points[..., Z]
        - evenly(share[..., None], steps.prints.above(points, near), following.prints.above(points, near))
    )


def _high_step(share: np.ndarray, leg_length: float, wish: np.ndarray) -> np.ndarray:
    """Return metres `(...)` to lift the foot beyond the natural step, for a step height of `wish` times
    natural.

    Highest in mid swing, so that the knee comes up in front; people's own path is highest just after toe-off,
    and scaling that would only kick the heel up behind.
    """
    return HIGH_STEP * leg_length * np.maximum(wish - 1.0, 0.0) * bell(share)
