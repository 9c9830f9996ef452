"""How feet cross ledges: up before ahead, or ahead before down, clear of every nose on the way."""

import numpy as np

from ...ground.clearance import over_ground
from ...ground.ledges import EDGE, LEDGE
from ...ground.lifts import DETOURS, detour, evenly, within
from ..steps.footsteps import Steps
from ..steps.stair_feet import stair_share
from ..walker import Walker
from .stance import Z, stood

CLIMBS, SINKS = 0.7, 0.75  # shares of a swing: at its start in which a foot rises, at its end in which it comes down
MARGIN = 0.035  # leg lengths by which ledges are widened in mid swing; on treads feet start and land nearer to them


def climb_first(steps: Steps, share: np.ndarray) -> np.ndarray:
    """Return how much more of their climb `(...)` feet have made than evenly: upstairs they rise early, downstairs they fall late."""
    early, late = within(share, 0.0, CLIMBS), within(share, 1.0 - SINKS, 1.0)
    return stair_share(steps.goes) * (np.where(steps.goes > 0.0, early, late) - evenly(share, 0.0, 1.0))


def over_ledges(walker: Walker, steps: Steps, following: Steps, state: np.ndarray, share: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Return how much higher feet in states `(n, 2, 8)` must be `(detours, n, 2)` on each of DETOURS; 0 where not `asked` `(n, 2)`.

    The ground is sampled under each point of the sole, as ledges may be crossed askew; ledges count a little before and after where
    they are.
    """
    leg, sole = walker.body.leg_length, walker.sole
    none = np.zeros(state.shape[:-1])
    points, resting = sole.grazing(stood(state, none, none).feet)
    way = (following.place - steps.place) * np.array([1.0, 1.0, 0.0])
    ahead = way / np.maximum(np.linalg.norm(way, axis=-1, keepdims=True), 1e-6)
    margin = MARGIN * leg * (4.0 * share * (1.0 - share)) ** (1.0 + 1.5 * stair_share(steps.goes)) + EDGE * leg
    resting = np.broadcast_to(resting, points.shape[:-1])
    points, resting, way, ahead, margin, share, wish = (
        values[asked] for values in (points, resting, way, ahead, margin, share, steps.step_height)
    )
    missing = np.zeros((len(DETOURS), *asked.shape))
    for row, taken in enumerate(DETOURS):
        there = points + (detour(taken, share)[..., None] * way)[..., None, :]
        ground = _highest_near(walker, there, (margin[..., None] * ahead)[..., None, :])
        missing[row, asked] = over_ground(share, points[..., Z] - resting - ground, leg, wish)
    return missing


def _highest_near(walker: Walker, points: np.ndarray, margin: np.ndarray) -> np.ndarray:
    """Return the height of the ground under points `(..., 3)`, or of a ledge within `margin` `(..., 3)` before or behind them."""
    under, *beside = (walker.ground.height(points + near * margin) for near in (0.0, -1.0, 1.0))
    ledge = under + LEDGE * walker.body.leg_length
    return np.maximum.reduce([under, *(np.where(near > ledge, near, under) for near in beside)])
