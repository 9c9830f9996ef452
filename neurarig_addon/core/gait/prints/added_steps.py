"""Added steps: one more stride on the same way in the same time, with shorter and quicker strides around it.

A stride is one print of each foot, so the foot that comes next stays the same, and everything after it is as
it was.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...character.body import LEFT, RIGHT
from ...easing import smooth_between
from ...errors import NeuraRigError
from ..inputs.print_edits import Print
from ..kinds.contacts import require_turns
from ..timing.course import extended
from ..timing.rhythm import Rhythm
from ..walker import Walker

Key = tuple[int, int]  # side and number of a print
# cycles of the original walk that make room for one more: preferred, and at least
IN_CYCLES, LEAST_CYCLES = 4.0, 1.5
KNOTS = 96  # samples per cycle
BEYOND_S = 1.0  # seconds before and after, where a rhythm is extrapolated
SAME_S = 1e-6  # knots nearer to one another are merged


def with_added(walker: Walker, added: Sequence[Key]) -> Walker:
    """Return a walker with more steps: prints `added`, ordered by their numbers, which count the added ones
    before them.

    Prints without room are not added (see `without_room`).
    """
    return _taking(walker, added)[0]


def without_room(walker: Walker, added: Sequence[Key]) -> tuple[Key, ...]:
    """Return those of the prints `added` that there is no room for."""
    return _taking(walker, added)[1]


def _taking(walker: Walker, added: Sequence[Key]) -> tuple[Walker, tuple[Key, ...]]:
    pace, facing, none = walker.rhythm, walker.facing, []
    for key in added:
        where = _between(walker, pace, key)
        if where is None:
            none.append(key)
            continue
        if facing is not None and not facing.is_constant:
            facing = replace(facing, phases=_taken(facing.phases, where))
        pace = _quickened(pace, where)
    taken = (
        walker
        if pace is walker.rhythm
        else replace(walker, rhythm=pace, facing=facing, unadded=walker.rhythm)
    )
    return taken, tuple(none)


def require_room(walker: Walker, key: Key) -> None:
    """Raise NeuraRigError, with the reason, for a print that cannot be added to those that exist."""
    limit = "cannot take one more step: its feet do not take turns evenly"
    require_turns(walker.gait.law.contacts, limit, "Edit the steps that there are")
    if not walker.gait.planted:
        raise NeuraRigError(
            "This gait does not plant its feet, so it has no steps to add to. Turn on Keep Feet Planted."
        )
    if walker.rhythm.lap:
        raise NeuraRigError(
            "Steps repeat in laps here, so none can be added. Open the path, or set Variation and Look Around"
            " to 0."
        )
    if _between(walker, walker.rhythm, key) is None:
        raise NeuraRigError(
            f"There is no room for a step before the {Print(*key)}: the walk stands there. Choose one in"
            " mid-walk."
        )


def moved_back(walker: Walker, added: Key, other: Key) -> Key:
    """Return the key of print `other` once the print `added` exists; unchanged if `other` comes first."""
    side, number = other
    return side, number + int(
        _phase(walker, other) + 1e-9 >= _phase(walker, added) - (0.5 if side != added[0] else 0.0)
    )


def moved_up(walker: Walker, added: Key, other: Key) -> Key:
    """Return the key of print `other` once the print `added`, which comes before it, is gone."""
    side, number = other
    return side, number - int(_phase(walker, other) > _phase(walker, added) + 1e-9)


def _phase(walker: Walker, key: Key) -> float:
    """Return the phase of a print's contact, before `feet` are added."""
    side, number = key
    return number - float(walker.girdles[side // 2].rhythm.feet[side % 2])


def _between(walker: Walker, pace: Rhythm, key: Key) -> tuple[float, float] | None:
    """Return the phases of a rhythm between which one more cycle is taken, with print `key` in the middle;
    None without room."""
    if (
        pace.lap
        or not walker.gait.law.contacts.takes_turns
        or not walker.gait.planted
        or key[0] not in (LEFT, RIGHT)
    ):
        return None
    middle, still = _phase(walker, key) - 0.5, pace.rests.phase
    low = max(middle - 0.5 * IN_CYCLES, still[still <= middle].max(initial=-np.inf))
    high = min(middle + 0.5 * IN_CYCLES, still[still > middle].min(initial=np.inf))
    ends = pace.phase[[0, -1]]
    stands = (pace.speed[0] <= 0.0 and middle <= ends[0]) or (pace.speed[-1] <= 0.0 and middle >= ends[1])
    return None if stands or high - low < LEAST_CYCLES else (float(low), float(high))


def _taken(phase: np.ndarray, where: tuple[float, float]) -> np.ndarray:
    """Return phases `(...)` with one more cycle between two of them."""
    low, high = where
    return phase + smooth_between(phase, low, high)


def _quickened(pace: Rhythm, where: tuple[float, float]) -> Rhythm:
    """Return a rhythm with one more cycle between two phases."""
    low, high = where
    inside = pace.seconds_at_phase(np.linspace(low, high, round(KNOTS * (high - low)) + 1))
    knots = np.concatenate([[inside[0] - BEYOND_S], inside, [inside[-1] + BEYOND_S]])
    near = np.abs(
        pace.seconds[np.clip(np.searchsorted(pace.seconds, knots), 1, len(pace.seconds) - 1) - [[1], [0]]]
        - knots
    ).min(axis=0)
    seconds = np.union1d(pace.seconds, knots[near > SAME_S])
    before = extended(seconds, pace.seconds, pace.phase)
    phase, distance = _taken(before, where), extended(seconds, pace.seconds, pace.distance)
    share = np.clip((before - low) / (high - low), 0.0, 1.0)
    quicker = 1.0 + 6.0 * share * (1.0 - share) / (high - low)
    return replace(
        pace,
        seconds=seconds,
        phase=phase,
        distance=distance,
        speed=np.interp(seconds, pace.seconds, pace.speed),
        stride=np.interp(seconds, pace.seconds, pace.stride) / quicker,
        moved=distance if pace.moved is pace.distance else extended(seconds, pace.seconds, pace.moved),
        running=None if pace.running is None else np.interp(seconds, pace.seconds, pace.running),
    )
