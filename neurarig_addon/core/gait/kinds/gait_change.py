"""Gaits by speed: when the change from one to the next comes, which takes a step or two, and all of them in
one.

The share of running is one more column of the slow inputs, after those of the contract; on four legs it
counts on from gait to gait: 0 a walk, 1 a trot, 2 a gallop. There it grows evenly over a change, and
`changed` eases each of them: who speeds up quickly begins the next change before the one before has ended.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from ...character.body import LEFT, RIGHT
from ...contract.inputs import SLOW
from ...easing import smoothstep
from .contacts import TURNS, natural_phase
from .gait import Gait

MOST_CHANGES = 1000  # most changes, for a keyed speed that jitters about the limits
# Dimensionless speeds (about 2.1 m/s for an adult): a walk becomes a run at the higher, a run becomes a walk
# at the lower.
RUNS_FROM, WALKS_FROM = 0.71, 0.68
STEPS_IN_A_ROW = 4  # of two feet that a change takes in a row of gaits: animals change within two strides


Limits = tuple[float, float]


def gait_share(
    speed: np.ndarray,
    seconds: np.ndarray,
    changes: Sequence[Limits],
    steps_of: Callable[[np.ndarray], np.ndarray],
) -> np.ndarray:
    """Return how far along a row of gaits a walker is `(knots,)`, 0 for the first; see `running_share`.

    `changes`: the limits of each change from one gait to the next.
    """
    if len(changes) == 1:
        return running_share(speed, seconds, changes[0], steps_of)
    row = (running_share(speed, seconds, limits, steps_of, STEPS_IN_A_ROW, np.positive) for limits in changes)
    return np.sum(list(row), axis=0)


def running_share(
    speed: np.ndarray,
    seconds: np.ndarray,
    limits: Limits,
    steps_of: Callable[[np.ndarray], np.ndarray],
    steps: int = 1,
    eased: Callable[[np.ndarray], np.ndarray] = smoothstep,
) -> np.ndarray:
    """Return the share of running `(knots,)`, 0..1, which changes from the heel strike nearest to passing a
    limit to the next one, or the next but so many `steps`.

    A limit that is passed for less than these steps does not count.

    Args:
        speed: m/s `(knots,)` at `seconds` `(knots,)`. limits: a walk becomes a run from the first speed up; a
        run becomes a walk below the second, lower one. steps_of: returns the times of heel strikes for given
        shares. eased: how a change goes on, from 0 to 1.
    """
    fast, slow = limits
    runs = bool(speed[0] >= 0.5 * (fast + slow))
    share, settled = np.full(len(speed), float(runs)), -np.inf
    crossings = [*_crossings(speed, seconds, runs, fast, slow), np.inf]
    while len(crossings) > 1:
        when, back = crossings[:2]
        # Everything before a change is settled, so the strike at which it begins does not move.
        strikes = steps_of(share)
        first = int(np.searchsorted(0.5 * (strikes[1:] + strikes[:-1]), when))
        first = max(first, int(np.searchsorted(strikes, settled)))
        last = first + steps
        if last >= len(strikes):
            break
        if back < strikes[last]:  # too fast, or too slow, for less than these steps
            crossings = crossings[2:]
            continue
        crossings, settled = crossings[1:], strikes[last]
        begun = np.clip((seconds - strikes[first]) / (strikes[last] - strikes[first]), 0.0, 1.0)
        runs = not runs
        share = share + (1.0 if runs else -1.0) * eased(begun)
    return np.clip(share, 0.0, 1.0)


def _crossings(speed: np.ndarray, seconds: np.ndarray, runs: bool, fast: float, slow: float) -> list[float]:
    """Return when the speed passes the upper limit (from a walk) and the lower limit (from a run), in
    turn."""
    crossings: list[float] = []
    row = 0
    while len(crossings) < MOST_CHANGES:
        beyond = speed[row:] < slow if runs else speed[row:] >= fast
        if not beyond.any():
            break
        row += int(np.argmax(beyond))
        limit, before = (slow if runs else fast), max(row - 1, 0)
        change = speed[row] - speed[before]
        share = (limit - speed[before]) / change if change else 1.0
        crossings.append(float(seconds[before] + np.clip(share, 0.0, 1.0) * (seconds[row] - seconds[before])))
        runs = not runs
    return crossings


class BySpeed:
    """Shapes and law of a row of gaits, such as a walk and a run; slow inputs `(..., 10)` end in the share of
    running, 0..1, or on four legs in how far along the row a walker is.

    Without that column (`(..., 9)`) the speed decides.
    """

    contacts = TURNS

    def __init__(self, *gaits: Gait, changes_at: tuple[Limits, ...] = ((RUNS_FROM, WALKS_FROM),)) -> None:
        self.gaits, self.changes_at = gaits, changes_at
        self.runs = any(gait.law.runs for gait in gaits)
        # except in the one step of a change, where both gaits' curves are warped to another duty factor
        self.cornered = any(gait.law.cornered for gait in gaits)
        self.least_duty = min(gait.law.least_duty for gait in self.gaits)
        self.most_duty = max(gait.law.most_duty for gait in self.gaits)
        self.longest_stride = max(gait.law.longest_stride for gait in self.gaits)

    def running(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw."""
        return slow[..., SLOW] if self.runs else np.zeros(slow.shape[:-1])

    def stride(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw."""
        return self._mixed(slow, [gait.law.stride(slow) for gait in self.gaits])

    def duty(self, slow: np.ndarray, which: np.ndarray | int) -> np.ndarray:
        """See GaitLaw."""
        return self._mixed(slow, [gait.law.duty(slow, which) for gait in self.gaits])

    def lead(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw."""
        return self._mixed(slow, [gait.law.lead(slow) for gait in self.gaits])

    def sample(self, slow: np.ndarray, phase_right: np.ndarray, phase_left: np.ndarray) -> np.ndarray:
        """See GaitShape; each gait is sampled as far into its stance or swing as the mixture is."""
        changed = self._changed(slow)
        one = self.gaits[0].curve_duty
        right, left = (self.duty(slow, side) if one is None else np.array(one) for side in (RIGHT, LEFT))
        sampled = []
        weights = [1.0 - changed[0], *(one - more for one, more in pairwise(changed)), changed[-1]]
        for gait, weight in zip(self.gaits, weights, strict=True):
            if not weight.any():
                continue
            own_right, own_left = (gait.natural_duty(slow, side) for side in (RIGHT, LEFT))
            at_right, at_left = (
                natural_phase(phase_right, right, own_right),
                natural_phase(phase_left, left, own_left),
            )
            sampled.append(weight[:, None] * gait.shapes.sample(slow[..., :SLOW], at_right, at_left))
        return sum(sampled[1:], sampled[0])

    def _mixed(self, slow: np.ndarray, values: list[np.ndarray]) -> np.ndarray:
        return mixed(self._changed(slow), values)

    def _changed(self, slow: np.ndarray) -> list[np.ndarray]:
        """Return how far each change from one gait to the next has come `(...)`, 0..1."""
        return changed(slow[..., SLOW], len(self.changes_at))


def changed(share: np.ndarray, changes: int) -> list[np.ndarray]:
    """Return how far each of some changes from one gait to the next has come `(...)`, 0..1, for how far along
    the row a walker is."""
    come = [np.clip(share - number, 0.0, 1.0) for number in range(changes)]
    return come if changes == 1 else [smoothstep(one) for one in come]


def mixed(changes: Sequence[np.ndarray], values: Sequence[np.ndarray]) -> np.ndarray:
    """Return the values of a row of gaits, mixed as far as the changes between them have come."""
    found = values[0]
    for share, (value, following) in zip(changes, pairwise(values), strict=True):
        found = found + share * (following - value)
    return found
