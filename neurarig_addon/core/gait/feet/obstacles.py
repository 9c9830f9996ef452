"""How feet cross what lies between their prints: up before ahead, or ahead before down, clear of every nose
on the way.

Which way is easiest is judged from the side, under hips that move evenly ahead: an estimate of the knees
before the body is known.
"""

import numpy as np

from ...geometry.rotation import ON_GROUND, norms
from ...ground.ledges import EDGE, LEDGE
from ...ground.lifts import DETOURS, LOOKED_AT, Swings, detour, evenly, over_ground, within
from ..steps.footsteps import BOTH, Footsteps, Steps
from ..walker import Walker
from .stance import Z, stair_share, stood

# shares of a swing: at its start in which a foot rises, at its end in which it comes down
CLIMBS, SINKS = 0.7, 0.75
# leg lengths by which ledges are widened in mid swing; on treads feet start and land nearer to them
MARGIN = 0.035
# shares of the leg: its greatest length at both ends of a swing, and the rise of the hips in the middle
STRETCHED, VAULTS = 0.96, 0.02
TURNS_AHEAD = 0.05  # leg lengths that the hip of the landing foot is ahead of the root


def climb_first(steps: Steps, share: np.ndarray) -> np.ndarray:
    """Return how much more of their climb `(...)` feet have made than evenly: upstairs they rise early,
    downstairs they fall late."""
    early, late = within(share, 0.0, CLIMBS), within(share, 1.0 - SINKS, 1.0)
    return stair_share(steps.goes) * (np.where(steps.goes > 0.0, early, late) - evenly(share, 0.0, 1.0))


def over_ledges(
    walker: Walker, steps: Steps, following: Steps, state: np.ndarray, share: np.ndarray, needed: np.ndarray
) -> np.ndarray:
    """Return how much higher feet in states `(n, 2, 8)` must be `(detours, n, 2)` on each of DETOURS; 0 where
    not `needed` `(n, 2)`.

    The ground is sampled under each point of the sole, as ledges may be crossed askew; ledges count a little
    before and after where they are.
    """
    leg, sole = walker.body.leg_length, walker.sole
    none = np.zeros(state.shape[:-1])
    points, resting = sole.grazing(stood(state, none, none).feet)
    way = (following.place - steps.place) * ON_GROUND
    ahead = way / np.maximum(norms(way)[..., None], 1e-6)
    margin = (
        MARGIN * leg * (4.0 * share * (1.0 - share)) ** (1.0 + 1.5 * stair_share(steps.goes)) + EDGE * leg
    )
    if (
        walker.body.on_toes
    ):  # paws that stand close below the next tread are not to cross it between two looks
        margin = margin + norms(way) / len(LOOKED_AT)
    resting = np.broadcast_to(resting, points.shape[:-1])
    points, resting, way, ahead, margin, share, wish = (
        values[needed] for values in (points, resting, way, ahead, margin, share, steps.step_height)
    )
    missing = np.zeros((len(DETOURS), *needed.shape))
    for row, taken in enumerate(DETOURS):
        there = points + (detour(taken, share)[..., None] * way)[..., None, :]
        ground = _highest_near(walker, there, (margin[..., None] * ahead)[..., None, :])
        missing[row, needed] = over_ground(share, points[..., Z] - resting - ground, leg, wish)
    return missing


def _highest_near(walker: Walker, points: np.ndarray, margin: np.ndarray) -> np.ndarray:
    """Return the height of the ground under points `(..., 3)`, or of a ledge within `margin` `(..., 3)`
    before or behind them."""
    under, *beside = (walker.ground.height(points + near * margin) for near in (0.0, -1.0, 1.0))
    ledge = under + LEDGE * walker.body.leg_length
    return np.maximum.reduce([under, *(np.where(near > ledge, near, under) for near in beside)])


def from_the_side(walker: Walker, plan: Footsteps, rows: np.ndarray, state: np.ndarray) -> Swings:
    """Return the swings after the steps in `rows` `(m,)` of a plan, from foot states `(m, n, 2, 8)` at the
    shares LOOKED_AT."""
    steps, pace = plan.steps, walker.rhythm
    leg = walker.body.thigh_length + walker.body.shin_length
    lift, land = steps.lift[rows], steps.contact[rows + 1]
    between = steps.place[rows + 1] - steps.place[rows]
    way = between[..., :Z]
    length = norms(way)
    along = (way / np.maximum(length, 1e-9)[..., None])[:, None]
    distance = np.stack(
        [pace.distance_when(lift), pace.distance_when(land) + TURNS_AHEAD * walker.body.leg_length], axis=1
    )
    hips, ends = walker.path.at(distance).place, state[:, [0, -1]]
    across = ((ends[..., :Z] - hips[..., :Z]) * along).sum(axis=-1)
    height = ends[..., Z] + np.sqrt(np.maximum((STRETCHED * leg) ** 2 - across**2, (0.5 * leg) ** 2))
    height = np.minimum(height, (_other(walker, plan, rows) + STRETCHED * leg)[:, None])
    share = LOOKED_AT[:, None]
    advance, rise = ((hips[:, 1:] - hips[:, :1])[..., :Z] * along).sum(axis=-1), height[:, 1:] - height[:, :1]
    ahead = ((state[..., :Z] - hips[:, :1, :, :Z]) * along).sum(axis=-1) - share * advance
    above = state[..., Z] - height[:, :1] - share * rise - VAULTS * leg * 4.0 * share * (1.0 - share)
    return Swings(ahead, above, length, between[..., Z], leg)


def _other(walker: Walker, plan: Footsteps, rows: np.ndarray) -> np.ndarray:
    """Return the height of the other, standing ankle `(m, 2)` during the swings after steps in `rows`
    `(m,)`."""
    steps = plan.steps
    middle = walker.rhythm.of_the_other(0.5 * (steps.lift[rows] + steps.contact[rows + 1]))
    row = np.clip(np.floor(middle).astype(int) - plan.first[::-1], 0, len(steps.contact) - 1)
    return steps.place[row, BOTH[::-1], Z] + walker.sole.ankle[::-1, Z]
