"""Both ends of a swing: where the foot is at toe-off and at the next heel strike, and how it moves there."""

from dataclasses import dataclass, replace

import numpy as np

from ...character.motion import rows_of
from ..sliders.variation import varies
from ..steps.footsteps import BOTH, Steps
from ..walker import Walker
from .stance import OWN, PITCH, Z, feet_of, on_prints

# Runners' feet land with this share of the speed of the gait's own curve, in these columns: downward and in
# pitch.
LANDS, COMES_DOWN = 0.7, [Z, PITCH]
NUDGE = 1e-3  # cycles: step for the slopes of the gait's curves at toe-off and heel strike
CORNER = 1e-7  # cycles: step for curves with corners, to stay on one side


@dataclass(frozen=True)
class SwingEnds:
    """Swings' values at toe-off, slopes there, values at the next heel strike, and slopes there.

    `foot` `(4, ..., 2, 8)`: of its state; `own` `(4, ..., 2, 6)`: of the gait's own curve. `first`: the
    plan's row for the first of them.
    """

    first: int
    foot: np.ndarray
    own: np.ndarray

    def take(self, rows: np.ndarray) -> "SwingEnds":
        """Return the ends of the swings after the steps in rows `(..., 2)` of the plan."""
        at = np.s_[:, rows - self.first, BOTH]
        return SwingEnds(0, self.foot[at], self.own[at])


def swing_ends(walker: Walker, plan: Steps, rows: np.ndarray) -> SwingEnds:
    """Return both ends of the swings after the steps of a plan, from the first to the last of `rows` `(...,
    2)`.

    The last step of the plan has no successor and repeats itself.
    """
    first = int(rows.min())
    steps = rows_of(plan, slice(first, int(rows.max()) + 2))
    count = len(steps.contact)
    following = np.broadcast_to(np.minimum(np.arange(count) + 1, count - 1)[:, None], (count, 2))
    # A swing ends where the next stance begins, so its end is found with that step's landing.
    lifts, came = steps.order + steps.natural, walker.gait.law.contacts.order(steps.contact - 1.0) + 1.0
    lifted, landed = _edges(walker, steps, np.stack([lifts, came]), np.stack([lifts, steps.order + 1.0]))
    air, natural_air = (1.0 - steps.duty)[..., None], (1.0 - steps.natural)[..., None]
    pace = (steps.natural / steps.duty)[..., None]
    arrive = (landed.rate * pace / steps.takes[..., None])[following, BOTH] * air * steps.takes[..., None]
    if walker.gait.law.runs:
        lands = (
            LANDS
            * walker.gait.law.running(walker.inputs.for_law(walker.rhythm.seconds_when(steps.contact)))[
                following, BOTH, None
            ]
        )
        arrive[..., COMES_DOWN] += lands * (landed.net_rate * natural_air - arrive[..., OWN])[..., COMES_DOWN]
    foot = np.stack([lifted.state, lifted.rate * pace * air, landed.state[following, BOTH], arrive])
    return SwingEnds(
        first,
        foot,
        np.stack([lifted.net, lifted.net_rate * natural_air, landed.net, landed.net_rate * natural_air]),
    )


def own_state(foot: np.ndarray, ball: np.ndarray) -> np.ndarray:
    """Return a gait's foot as a state `(..., 6)`: place relative to the root, pitch, yaw and toe bend."""
    return np.concatenate([foot[..., :5], ball[..., 3:4]], axis=-1)


@dataclass(frozen=True)
class _Edges:
    """Feet as they leave or touch the ground: states on their prints `(steps, 2, 8)`, the gait's own `(steps,
    2, 6)`, and their slopes.

    Slopes are per cycle of natural phase.
    """

    state: np.ndarray
    rate: np.ndarray
    net: np.ndarray
    net_rate: np.ndarray


def _edges(walker: Walker, steps: Steps, natural: np.ndarray, in_swing: np.ndarray) -> tuple[_Edges, _Edges]:
    """Return the feet as they leave and as they touch the ground in every step `(steps, 2)`.

    `natural` `(2, steps, 2)`: their natural phases then; `in_swing`: those at that end of the swing after the
    step.
    """
    cornered = walker.gait.law.cornered
    swings = np.array([1.0, -1.0])  # the swing lies after toe-off and before heel strike
    into_swing = (
        swings[:, None] * CORNER * [1.0, 1.0, 2.0] if cornered else np.tile([-NUDGE, 0.0, NUDGE], (2, 1))
    )
    into_stance = -into_swing if cornered else into_swing
    pace = steps.duty / steps.natural  # foot phase per natural phase on the ground
    slow = walker.inputs.at(
        walker.rhythm.seconds_when(_beside(np.stack([steps.lift, steps.contact]), into_stance, pace))
    )
    rows = np.broadcast_to(
        np.arange(len(pace))[:, None, None], (*into_stance.shape[:1], len(pace), into_stance.shape[1], 2)
    )
    beside = steps.take(rows)
    leaves = swings[:, None, None, None] > 0.0
    climb = np.where(leaves, beside.goes, beside.came)
    # where a step lands, the one before it ends
    ends = replace(beside, contact=np.where(leaves, beside.contact, beside.contact - 1.0))
    foot, ball = feet_of(walker, ends, slow, _beside(natural, into_stance), climb)
    state, _ = on_prints(
        walker,
        beside,
        foot,
        ball,
        np.where(leaves, 1.0 + into_stance[:, None, :, None] / steps.natural[:, None], 0.0),
    )
    one = walker.gait.law.contacts.of_a_foot == 1
    alike = one and walker.inputs.is_steady and not varies(walker.track)
    if cornered or not alike or (steps.came != steps.goes).any():
        slow = walker.inputs.at(walker.rhythm.seconds_when(steps.lift))
        slow = slow if walker.inputs.is_steady else slow[:, None]
        foot, ball = feet_of(walker, beside, slow, _beside(in_swing, into_swing), beside.goes)
    net = own_state(foot, ball)
    rate, net_rate = _slope(state, into_stance), _slope(net, into_swing)
    lifted, landed = (_Edges(state[row, :, 1], rate[row], net[row, :, 1], net_rate[row]) for row in (0, 1))
    return lifted, landed


def _beside(values: np.ndarray, nudges: np.ndarray, pace: np.ndarray | None = None) -> np.ndarray:
    """Return values `(2, steps, 2)` plus nudges `(2, n)`, times a pace `(steps, 2)`: `(2, steps, n, 2)`."""
    steps = nudges[:, None, :, None]
    return values[:, :, None] + (steps if pace is None else steps * pace[:, None])


def _slope(states: np.ndarray, nudges: np.ndarray) -> np.ndarray:
    """Return the slopes `(2, steps, 2, n)` of states `(2, steps, 3, 2, n)` at nudges `(2, 3)`."""
    return (states[:, :, 2] - states[:, :, 0]) / (nudges[:, 2] - nudges[:, 0])[:, None, None, None]
