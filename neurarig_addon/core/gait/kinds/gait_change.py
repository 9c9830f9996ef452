"""Walk or run by speed: when the change comes, which takes one step, and both gaits in one.

The share of running is one more column of the slow inputs, after those of the contract.
"""

from collections.abc import Callable

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


def running_share(
    speed: np.ndarray,
    seconds: np.ndarray,
    limits: tuple[float, float],
    steps_of: Callable[[np.ndarray], np.ndarray],
) -> np.ndarray:
    """Return the share of running `(knots,)`, 0..1, which changes from the heel strike nearest to passing a
    limit to the next one.

    A limit that is passed for less than that step does not count.

    Args:
        speed: m/s `(knots,)` at `seconds` `(knots,)`. limits: a walk becomes a run from the first speed up; a
        run becomes a walk below the second, lower one. steps_of: returns the times of heel strikes for given
        shares.
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
        if first + 1 >= len(strikes):
            break
        if back < strikes[first + 1]:  # too fast, or too slow, for less than a step
            crossings = crossings[2:]
            continue
        crossings, settled = crossings[1:], strikes[first + 1]
        begun = (seconds - strikes[first]) / (strikes[first + 1] - strikes[first])
        runs = not runs
        share = share + (1.0 if runs else -1.0) * smoothstep(begun)
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
    """Shapes and law of a walk and a run; slow inputs `(..., 10)` end in the share of running, 0..1.

    Without that column (`(..., 9)`) the speed decides.
    """

    # except in the one step of a change, where both gaits' curves are warped to another duty factor
    cornered = False
    runs = True
    changes_at = RUNS_FROM, WALKS_FROM
    contacts = TURNS

    def __init__(self, walk: Gait, run: Gait) -> None:
        self.gaits = walk, run
        self.least_duty = min(gait.law.least_duty for gait in self.gaits)
        self.most_duty = max(gait.law.most_duty for gait in self.gaits)
        self.longest_stride = max(gait.law.longest_stride for gait in self.gaits)

    def running(self, slow: np.ndarray) -> np.ndarray:
        """See GaitLaw."""
        return slow[..., SLOW]

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
        share = self.running(slow)
        right, left = (self.duty(slow, side) for side in (RIGHT, LEFT))
        sampled = []
        for gait, weight in zip(self.gaits, (1.0 - share, share), strict=True):
            if not weight.any():
                continue
            own_right, own_left = (gait.law.duty(slow, side) for side in (RIGHT, LEFT))
            at_right, at_left = (
                natural_phase(phase_right, right, own_right),
                natural_phase(phase_left, left, own_left),
            )
            sampled.append(weight[:, None] * gait.shapes.sample(slow[..., :SLOW], at_right, at_left))
        return sum(sampled[1:], sampled[0])

    def _mixed(self, slow: np.ndarray, values: list[np.ndarray]) -> np.ndarray:
        share = self.running(slow)
        return values[0] + share * (values[1] - values[0])
