"""Analyses a rule as a black box: its period as a law of speed and leg, and the phases at which its curves
have kinks."""

from collections.abc import Callable, Sequence

import numpy as np

from ..errors import NeuraRigError
from ..logic.profile import PERIOD, Profile
from .stream_inputs import StreamInputs
from .walk_curves import Bend, Group, PeriodClock, Pieces, RuleClock, StrideClock, WalkCurves, phases

Evaluate = Callable[[np.ndarray], np.ndarray]  # inputs (n, inputs) -> outputs (n, outputs)
Curve = Callable[[np.ndarray], np.ndarray]  # places (n,) -> values (walkers, n, channels)
# inputs (n, inputs) -> stride period of the right leg (n,) in seconds
Period = Callable[[np.ndarray], np.ndarray]

# Documented ranges of the profiles: velocity (m/s), thigh, shin (m), spacing (m).
_LOWEST = np.array([0.3, 0.25, 0.25, 0.0])
_HIGHEST = np.array([2.5, 0.60, 0.60, 0.20])
_OTHERS = 0.5, 2.0  # range of all other inputs, such as a time dilation

_ROWS = 64  # sampled walkers for finding and checking the law of the period
_SAME_PERIOD = 1e-9  # relative error of the period
_SAME_OUTPUT = 1e-6  # m, rad
_GRID = 8192  # samples per cycle
_CYCLE = (np.arange(_GRID) + 0.37) / _GRID  # offset from round numbers, where kinks usually are
_ZOOM = 64
_ZOOMED_AT_ONCE = 32  # kinks: memory does not grow with their number
_FINEST = 1e-10  # cycles
_STILL, _ROUNDING = 1e-9, 3e-13
_BODIES, _SPEEDS_SEEN, _PHASES_SEEN = 12, 512, 9
_SAME_BEND, _FEWEST_TO_BELIEVE = 1e-4, 3
# Fourth difference relative to the curve's range: 15 times that of the 8th harmonic, a tenth of that of a
# jump of curvature by 15.
_KINK = 2e-8
_SAME_KINK = 1e-5  # cycles
_SIMPLE, _NEARLY = 3000, 2e-6  # thirds and thousandths of a cycle, as people write them; cycles


def walkers(places: StreamInputs, count: int, rng: np.random.Generator) -> np.ndarray:
    """Return random inputs `(count, inputs)` over the documented ranges, with legs of different length, at
    any time of the stride."""
    rows = rng.uniform(_OTHERS[0], _OTHERS[1], (count, len(places.names)))
    low, high = _LOWEST, _HIGHEST
    rows[:, places.velocity] = rng.uniform(low[0], high[0], count)
    for n, pair in enumerate((places.thighs, places.shins, places.spacings), start=1):
        rows[:, list(pair)] = rng.uniform(low[n], high[n], (count, 2))
    rows[:, list(places.offsets)] = rng.uniform(0.0, 1.0, (count, 2))
    rows[:, places.time] = rng.uniform(0.0, 2.0, count)
    return rows


def _find_clock(places: StreamInputs, period_of: Period) -> PeriodClock:
    """Return the law of a period, or, if it is not a product of powers, a clock that evaluates the rule every
    time."""
    rng = np.random.default_rng(0)
    rows = walkers(places, _ROWS, rng)
    periods = period_of(rows)
    if not (np.isfinite(periods) & (periods > 0.0)).all():
        raise NeuraRigError(
            "The profile's T_gait is not a positive number of seconds for every walker; correct its formula."
        )
    knowns = [
        np.ones(_ROWS),
        np.log(places.speeds(rows)),
        np.log(places.legs(rows)[1]),
        *np.log(rows.T[list(places.others)]),
    ]
    law = np.linalg.lstsq(np.stack(knowns, axis=1), np.log(periods), rcond=None)[0]
    seconds, *powers = (float(value) for value in law)
    clock = StrideClock(places, float(np.exp(seconds)), powers[0], powers[1], tuple(powers[2:]))
    lawful = np.abs(clock.periods(rows)[1] / periods - 1.0).max() < _SAME_PERIOD
    return clock if lawful else RuleClock(places, period_of)


def _find_curves(clock: PeriodClock, evaluate: Evaluate, sides: Sequence[int]) -> WalkCurves:
    """Return the curves of a rule; `sides` gives for each output whether it follows the left (0) or the right
    (1) phase.

    The outputs of a binding are a block of one side; those with the same kinks form a group.
    """
    _check_phase(clock, evaluate, sides)
    blocks = _runs(sides)
    kinks_of: dict[int, tuple[float, ...]] = {}
    for side in {sides[start] for start, _ in blocks}:
        own = [(start, end) for start, end in blocks if sides[start] == side]
        kinks_of |= _kinks_of_blocks(lambda phase, s=side: _over_the_cycle(clock, evaluate, s, phase), own)
    found: dict[tuple[int, tuple[float, ...]], list[int]] = {}
    for start, end in blocks:
        found.setdefault((sides[start], kinks_of[start]), []).extend(range(start, end))
    groups = tuple(
        Group(side, Pieces.between(kinks), tuple(columns)) for (side, kinks), columns in found.items()
    )
    return WalkCurves(clock.places, clock, len(sides), groups, find_bends(clock, evaluate))


def _kinks_of_blocks(curve: Curve, blocks: Sequence[tuple[int, int]]) -> dict[int, tuple[float, ...]]:
    """Return the kinks of each block of outputs by its first one; all outputs are asked for the cycle
    once."""
    values = curve(_CYCLE)
    return {
        start: find_kinks(lambda phase, a=start, b=end: curve(phase)[..., a:b], values[..., start:end])
        for start, end in blocks
    }


def _check_phase(clock: PeriodClock, evaluate: Evaluate, sides: Sequence[int]) -> None:
    """Raise NeuraRigError unless the outputs depend on the phase alone, not on the time and offset behind
    it."""
    rows = walkers(clock.places, _ROWS, np.random.default_rng(3))
    found = evaluate(rows)
    for side, phase in enumerate(phases(clock, rows)):
        same = rows.copy()
        same[:, list(clock.places.offsets)] = 0.0
        same[:, clock.places.time] = phase * clock.periods(rows)[side]
        own = np.flatnonzero(np.asarray(sides) == side)
        # One row may differ: rounding may put it on the other side of a jump.
        if np.sum(np.abs(evaluate(same) - found)[:, own].max(axis=1, initial=0.0) > _SAME_OUTPUT) > 1:
            raise NeuraRigError(
                "The profile's phase is not fmod(t_cycle / T_gait + offset, 1), the only kind that can be"
                " learned."
            )


def _runs(sides: Sequence[int], block: int = 6) -> list[tuple[int, int]]:
    return [(start, min(start + block, len(sides))) for start in range(0, len(sides), block)]


def _over_the_cycle(clock: PeriodClock, evaluate: Evaluate, side: int, phases: np.ndarray) -> np.ndarray:
    """Return outputs `(walkers, n, outputs)` of three walkers with the side at phases `(n,)`."""
    places = clock.places
    rows = walkers(places, 3, np.random.default_rng(2))
    rows[:, list(places.offsets)] = 0.0
    many = np.repeat(rows, len(phases), axis=0)
    many[:, places.time] = np.mod(np.tile(phases, 3), 1.0) * clock.periods(many)[side]
    return evaluate(many).reshape(3, len(phases), -1)


def find_bends(clock: PeriodClock, evaluate: Evaluate) -> tuple[Bend, ...]:
    """Return the speeds at which a rule changes its law: the same for all legs, or proportional to leg length
    or its square root."""
    places = clock.places
    bodies = walkers(places, _BODIES, np.random.default_rng(4))
    for left, right in (places.thighs, places.shins, places.spacings):
        bodies[:, left] = bodies[:, right]
    bodies[:, list(places.offsets)] = 0.0
    legs = places.legs(bodies)[1]
    found = [
        (speed, leg)
        for body, leg in zip(bodies, legs, strict=True)
        for speed in _bends_of(clock, evaluate, body)
    ]
    bends: list[Bend] = []
    for power in (0.0, 1.0, 0.5):
        for speed, leg in list(found):
            at_one_metre = speed / leg**power
            same = [
                other
                for other in found
                if abs(other[0] / other[1] ** power / at_one_metre - 1.0) < _SAME_BEND
            ]
            if len({leg for _, leg in same}) >= _FEWEST_TO_BELIEVE:
                simple = round(at_one_metre, 3)
                bends.append(
                    Bend(
                        float(simple if abs(simple / at_one_metre - 1.0) < _SAME_BEND else at_one_metre),
                        power,
                    )
                )
                found = [other for other in found if other not in same]
    return tuple(bends)


def _bends_of(clock: PeriodClock, evaluate: Evaluate, body: np.ndarray) -> list[float]:
    """Return the speeds at which the rule changes its law for one walker `(inputs,)`, searched at some
    phases."""
    places, phases_seen = clock.places, (np.arange(_PHASES_SEEN) + 0.41) / _PHASES_SEEN

    def at_speeds(speeds: np.ndarray) -> np.ndarray:
        many = np.repeat(body[None], len(speeds) * len(phases_seen), axis=0)
        many[:, places.velocity] = np.repeat(speeds, len(phases_seen))
        many[:, places.time] = np.tile(phases_seen, len(speeds)) * clock.periods(many)[1]
        return evaluate(many).reshape(1, len(speeds), -1)

    speeds = np.linspace(_LOWEST[0], _HIGHEST[0], _SPEEDS_SEEN)
    return _kinks_between(at_speeds, speeds, at_speeds(speeds), periodic=False)


def find_kinks(curve: Curve, over_the_cycle: np.ndarray | None = None) -> tuple[float, ...]:
    """Return the phases at which curves `(walkers, n, channels)` over phases `(n,)` are not smooth, to 1e-10
    of a cycle at best.

    `over_the_cycle`: the curves at the phases `_CYCLE`, where these are known.
    """
    kinks: list[float] = []
    for kink in _kinks_between(
        curve, _CYCLE, curve(_CYCLE) if over_the_cycle is None else over_the_cycle, periodic=True
    ):
        simple = round(kink * _SIMPLE) / _SIMPLE
        kink = (simple if abs(simple - kink) < _NEARLY else kink) % 1.0
        if not any(abs((kink - other + 0.5) % 1.0 - 0.5) < _SAME_KINK for other in kinks):
            kinks.append(kink)
    return tuple(sorted(kinks))


def _kinks_between(curve: Curve, grid: np.ndarray, values: np.ndarray, periodic: bool) -> list[float]:
    """Return the places where curves `(walkers, n, channels)` are not smooth, each at least once; `values`:
    over an even grid `(n,)`."""
    spread = values.max(axis=(0, 1)) - values.min(axis=(0, 1))
    moving, step = np.flatnonzero(spread != 0.0), grid[1] - grid[0]
    if not len(moving):
        return []
    values, spread = values[..., moving], np.maximum(spread[moving], _STILL)
    if periodic:
        values = np.concatenate([values, values[:, :4]], axis=1)
    rough = np.abs(np.diff(values, n=4, axis=1) / spread).max(axis=(0, 2)) > _KINK
    found = np.array(_stretches(rough, periodic), dtype=float).reshape(-1, 2)
    parts = (found[start : start + _ZOOMED_AT_ONCE] for start in range(0, len(found), _ZOOMED_AT_ONCE))
    near = [(grid[0] + (part[:, 0] - 1.0) * step, grid[0] + (part[:, 1] + 5.0) * step) for part in parts]
    return [
        place
        for low, high in near
        for place in _closer(lambda places: curve(places)[..., moving], low, high, spread).tolist()
    ]


def _stretches(rough: np.ndarray, periodic: bool) -> list[tuple[int, int]]:
    """Return the first and last index of every run of true values; if periodic an end may be beyond the last
    index."""
    if rough.all() or not rough.any():
        return []
    before, after = np.roll(rough, 1), np.roll(rough, -1)
    if not periodic:
        before[0], after[-1] = False, False
    starts, ends = np.flatnonzero(rough & ~before), np.flatnonzero(rough & ~after)
    return [
        (int(start), int(next((end for end in ends if end >= start), ends[0] + len(rough))))
        for start in starts
    ]


def _closer(curve: Curve, low: np.ndarray, high: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Return the places `(kinks,)` of kinks between two places each, as precisely as rounding allows."""
    low, high, searched = low.copy(), high.copy(), np.flatnonzero(high - low > _FINEST)
    while len(searched):
        places = np.linspace(low[searched], high[searched], _ZOOM, axis=1)
        values = curve(places.reshape(-1)).reshape(-1, *places.shape, len(spread))
        bends = np.abs(np.diff(values, n=4, axis=2) / spread).max(axis=(0, 3))
        clear = np.flatnonzero(~(bends.max(axis=1) < _ROUNDING))
        searched, top = searched[clear], bends[clear].argmax(axis=1)
        low[searched] = places[clear, np.maximum(top - 1, 0)]
        high[searched] = places[clear, np.minimum(top + 5, _ZOOM - 1)]
        searched = searched[high[searched] - low[searched] > _FINEST]
    return 0.5 * (low + high)


def curves_of(profile: Profile) -> WalkCurves:
    """Return the curves of a profile's outputs; raises NeuraRigError for a profile without a cycle to learn.

    A binding named `*_l` follows the left phase, any other the right one, as in the profile's evaluation.
    """
    places = StreamInputs.named(profile.inputs)

    def period_of(inputs):
        found = profile.period(inputs)
        if found is None:
            raise NeuraRigError(
                f"The Logic of the profile '{profile.name}' has no {PERIOD}; name the seconds of a cycle so."
            )
        return found

    sides = [1] * len(profile.outputs)
    for binding in profile.bindings:
        if binding.is_left:
            sides[binding.offset : binding.offset + binding.size] = [0] * binding.size
    with np.errstate(all="ignore"):  # outputs may be infinite or NaN where a formula is not guarded
        return _find_curves(_find_clock(places, period_of), profile.evaluate, sides)
