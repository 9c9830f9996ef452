"""Swings seen from the side, under hips that move evenly ahead: an estimate of the knees before the body is known."""

import numpy as np

from ...ground.lifts import LOOKED_AT, Swings
from ..steps.footsteps import BOTH, Footsteps
from ..walker import Walker
from .stance import Z

STRETCHED, VAULTS = 0.96, 0.02  # shares of the leg: its greatest length at both ends of a swing, and the rise of the hips in the middle
TURNS_AHEAD = 0.05  # leg lengths that the hip of the landing foot is ahead of the root


def from_the_side(walker: Walker, plan: Footsteps, rows: np.ndarray, state: np.ndarray) -> Swings:
    """Return the swings after the steps in `rows` `(m,)` of a plan, from foot states `(m, n, 2, 8)` at the shares LOOKED_AT."""
    steps, pace = plan.steps, walker.rhythm
    leg = walker.body.thigh_length + walker.body.shin_length
    lift, land = steps.lift[rows], steps.contact[rows + 1]
    between = steps.place[rows + 1] - steps.place[rows]
    way = between[..., :Z]
    length = np.linalg.norm(way, axis=-1)
    along = (way / np.maximum(length, 1e-9)[..., None])[:, None]
    distance = np.stack([pace.distance_when(lift), pace.distance_when(land) + TURNS_AHEAD * walker.body.leg_length], axis=1)
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
    """Return the height of the other, standing ankle `(m, 2)` during the swings after steps in `rows` `(m,)`."""
    steps = plan.steps
    middle = walker.rhythm.of_the_other(0.5 * (steps.lift[rows] + steps.contact[rows + 1]))
    row = np.clip(np.floor(middle).astype(int) - plan.first[::-1], 0, len(steps.contact) - 1)
    return steps.place[row, BOTH[::-1], Z] + walker.sole.ankle[::-1, Z]
