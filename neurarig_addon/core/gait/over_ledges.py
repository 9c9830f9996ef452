"""How feet get over ledges: up before they go ahead, or ahead before they go down, and clear of every nose on the way."""

import numpy as np

from ..ground.clearance import over_ground
from ..ground.ledges import EDGE, LEDGE
from ..ground.lifts import DETOURS, detour, evenly, within
from .footsteps import Steps
from .stair_feet import stair_share
from .stance import Z, stood
from .walker import Walker

CLIMBS, SINKS = 0.7, 0.75  # of a swing: so long a foot goes up, and so long, in the last of it, down
MARGIN = 0.035  # leg lengths that ledges count before and after where they are, in mid swing; on treads feet start and land nearer to them


def climb_first(steps: Steps, share: np.ndarray) -> np.ndarray:
    """Return how much more of their way up or down `(...)` feet have made than evenly: up they go early on stairs, down they go late."""
    early, late = within(share, 0.0, CLIMBS), within(share, 1.0 - SINKS, 1.0)
    return stair_share(steps.goes) * (np.where(steps.goes > 0.0, early, late) - evenly(share, 0.0, 1.0))


def over_ledges(walker: Walker, steps: Steps, following: Steps, state: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return how much higher feet in states `(n, 2, 8)` must be `(detours, n, 2)` if they take each of DETOURS.

    Ledges count a little before and after where they are.
    """
    leg, sole = walker.body.leg_length, walker.sole
    none = np.zeros(state.shape[:-1])
    points, resting = sole.grazing(stood(state, none, none).feet)
    way = (following.place - steps.place)[..., :Z]
    length = np.maximum(np.sum(way * way, axis=-1), 1e-12)[..., None]
    off = points[..., :Z] - steps.place[..., None, :Z]
    along = np.einsum("...pi,...i->...p", off, way) / length
    left = np.einsum("...pi,...i->...p", off, np.stack([-way[..., 1], way[..., 0]], axis=-1)) / np.sqrt(length)
    here = steps.distance[..., None] + along * (following.distance - steps.distance)[..., None]
    here = here - walker.treads.askew(here) * left
    # Without the ledges the ground goes evenly from print to print; where it is asked right at a ledge, nobody knows which side is told.
    middle = 0.5 * (sole.heel + sole.ball)[:, 0]
    start, end = (one.place[..., Z] - _risen(walker, one.distance + middle) for one in (steps, following))
    even = start[..., None] + np.clip(along, 0.0, 1.0) * (end - start)[..., None]
    ground = np.clip(walker.ground.height(points) - _risen(walker, here), even - LEDGE * leg, even + LEDGE * leg)
    heights = points[..., Z] - resting - ground
    margin = (MARGIN * leg * (4.0 * share * (1.0 - share)) ** (1.0 + 1.5 * stair_share(steps.goes)) + EDGE * leg)[..., None]
    found = []
    for taken in DETOURS:
        there = here + (detour(taken, share) * (following.distance - steps.distance))[..., None]
        highest = np.maximum.reduce([_risen(walker, there + near) for near in (-margin, 0.0, margin)])
        found.append(over_ground(share, heights - highest, leg, steps.step_height))
    return np.stack(found)


def _risen(walker: Walker, distance: np.ndarray) -> np.ndarray:
    """Return how much the ground has gone up at all ledges before distances `(n, 2, ...)` beside the path, in metres."""
    return np.stack([ledges.risen(distance[:, side]) for side, ledges in enumerate(walker.treads.beside)], axis=1)
