"""When a walk changes to a run and back, each in one step."""

from collections.abc import Callable

import numpy as np

from ...easing import smoothstep

MOST_CHANGES = 1000  # most changes, for a keyed speed that jitters about the limits


def running_share(
    speed: np.ndarray, seconds: np.ndarray, limits: tuple[float, float], steps_of: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """Return the share of running `(knots,)`, 0..1, which changes from one heel strike to the next.

    Args:
        speed: m/s `(knots,)` at `seconds` `(knots,)`.
        limits: a walk becomes a run from the first speed up; a run becomes a walk below the second, lower one.
        steps_of: returns the times of heel strikes for given shares.
    """
    fast, slow = limits
    runs = bool(speed[0] >= 0.5 * (fast + slow))
    share = np.full(len(speed), float(runs))
    for when in _crossings(speed, seconds, runs, fast, slow):
        # Everything before a change is settled, so the strike at which it begins does not move.
        strikes = steps_of(share)
        first = int(np.searchsorted(strikes, when))
        if first + 1 >= len(strikes):
            break
        begun = np.clip((seconds - strikes[first]) / (strikes[first + 1] - strikes[first]), 0.0, 1.0)
        runs = not runs
        share = share + (1.0 if runs else -1.0) * smoothstep(begun)
    return np.clip(share, 0.0, 1.0)


def _crossings(speed: np.ndarray, seconds: np.ndarray, runs: bool, fast: float, slow: float) -> list[float]:
    """Return when the speed passes the upper limit (from a walk) and the lower limit (from a run), in turn."""
    found: list[float] = []
    row = 0
    while len(found) < MOST_CHANGES:
        beyond = speed[row:] < slow if runs else speed[row:] >= fast
        if not beyond.any():
            break
        row += int(np.argmax(beyond))
        limit, before = (slow if runs else fast), max(row - 1, 0)
        change = speed[row] - speed[before]
        share = (limit - speed[before]) / change if change else 1.0
        found.append(float(seconds[before] + np.clip(share, 0.0, 1.0) * (seconds[row] - seconds[before])))
        runs = not runs
    return found
