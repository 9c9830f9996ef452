"""The steps of a performance: its walked frames, and the phase of each."""

from dataclasses import dataclass, replace

import numpy as np

from ..character.body import LEFT, RIGHT
from ..easing import cubic, rising_slopes
from ..errors import NeuraRigError
from ..retarget.spans import intervals_of
from .performance import BOTH, Performance

SHORTEST_STANCE_S = 0.12  # seconds: in shorter contacts a foot only brushes the ground
SAME_PRINT = 0.08  # leg lengths: a foot that lands nearer than this to its last print never left it
STEP_S = (0.15, 2.0)  # least and most seconds from one foot's strike to the other's
AT_ONCE = 0.25  # share of too short steps above which a clip jumps
FEWEST = 3  # least number of steps of a clip
STANDS = 0.25  # share of the median speed: slower is standing
SLOWEST = 0.08  # leg lengths per second: slower hips do not walk
WALKS = 0.46  # duty factor: a run has less (contacts are detected a little late and lost a little early)
SIDEWAYS = np.radians(50.0)


@dataclass(frozen=True)
class TakeStance:
    """A foot on the ground, from row `touch` to row `lift`; `begun`, `over`: whether each is in the clip, not
    cut off by its ends."""

    side: int
    touch: float
    lift: float
    begun: bool
    over: bool


@dataclass(frozen=True)
class TakenSteps:
    """The alternating steps of a clip, from row `first` to row `last`.

    `phase` `(f,)`: of the left foot in those rows; heel strikes are whole numbers. `beat`: cycles by which
    the right foot strikes early.
    `stances`, with the `numbers` of their steps.  `left_out`: seconds of the clip before and after.
    """

    first: int
    last: int
    phase: np.ndarray
    beat: float
    stances: tuple[TakeStance, ...]
    numbers: tuple[int, ...]
    left_out: tuple[float, float]

    def phase_at(self, row: float) -> float:
        """Return the left foot's phase at a row of the clip, continued linearly beyond the ends."""
        return float(_beyond(np.array([row - self.first]), np.arange(len(self.phase)), self.phase)[0])


def steps_of(performance: Performance) -> TakenSteps:
    """Return the steps of a clip; raises NeuraRigError, saying what it shows instead, if it does not walk."""
    leg, fps = performance.character.body.leg_length, performance.fps
    speed = np.linalg.norm(np.gradient(performance.way, axis=0), axis=-1) * fps
    if np.percentile(speed, 90.0) < SLOWEST * leg:
        raise NeuraRigError("The clip does not walk: its hips do not move. Choose a clip that walks.")
    stances = _alternating([stance for side in BOTH for stance in _stances(performance, side)], fps)
    first, last = _walked_rows(stances, speed, len(performance.standing))
    stances = [
        replace(
            stance,
            begun=stance.begun and stance.touch >= first - 1,
            over=stance.over and stance.lift <= last + 1,
        )
        for stance in stances
        if stance.lift > first and stance.touch < last
    ]
    if sum(stance.begun for stance in stances) < FEWEST:
        raise NeuraRigError(
            f"The clip has fewer than {FEWEST} steps in a row. Choose a longer clip that walks."
        )
    _require_ahead(performance, first, last)
    return _phased(stances, first, last, performance)


def _stances(performance: Performance, side: int) -> list[TakeStance]:
    """Return the stances of a foot."""
    count, leg = len(performance.standing), performance.character.body.leg_length
    place, _ = performance.under
    runs: list[list[int]] = []
    for begin, end in intervals_of(performance.standing[:, side]).tolist():
        if runs and np.linalg.norm(place[begin, side] - place[runs[-1][1], side]) < SAME_PRINT * leg:
            runs[-1][1] = end
        else:
            runs.append([begin, end])
    shortest = SHORTEST_STANCE_S * performance.fps
    return [
        TakeStance(side, begin - 0.5, end + 0.5, begin > 0, end < count - 1)
        for begin, end in runs
        if end - begin >= shortest or begin == 0 or end == count - 1
    ]


def _alternating(stances: list[TakeStance], fps: float) -> list[TakeStance]:
    """Return the longest run of stances that alternate between left and right; raises NeuraRigError if it has
    too few steps."""
    stances = sorted(stances, key=lambda stance: stance.touch)
    touched = [stance for stance in stances if stance.begun]
    if not touched or len({stance.side for stance in touched}) < 2:
        if len({stance.side for stance in touched}) == 1 and len(touched) >= FEWEST:
            raise NeuraRigError(
                "The clip walks on one leg: the other foot takes no steps. Choose a clip in which both do."
            )
        raise NeuraRigError("The clip does not walk: its feet take no steps. Choose a clip that walks.")
    runs: list[list[TakeStance]] = [[]]
    for stance in stances:
        before = runs[-1][-1] if runs[-1] else None
        apart = (stance.touch - before.touch) / fps if before and before.begun else STEP_S[0]
        if before and (before.side == stance.side or not STEP_S[0] <= apart <= STEP_S[1]):
            runs.append([before] if before.side != stance.side and not before.begun else [])
        runs[-1].append(stance)
    longest = max(runs, key=lambda run: sum(stance.begun for stance in run))
    if sum(stance.begun for stance in longest) < FEWEST:
        raise NeuraRigError(_not_in_turn(touched, fps))
    return longest


def _not_in_turn(touched: list[TakeStance], fps: float) -> str:
    gaps = np.diff([stance.touch for stance in touched]) / fps
    if len(touched) >= FEWEST and (gaps < STEP_S[0]).mean() > AT_ONCE:
        return "The clip jumps: both feet land at about the same time. Choose a clip that walks."
    return f"The clip has fewer than {FEWEST} steps of left and right in turn. Choose a clip that walks."


def _walked_rows(stances: list[TakeStance], speed: np.ndarray, count: int) -> tuple[int, int]:
    """Return the first and last walked row of the clip: around the steps, while the body moves on."""
    touches = [stance.touch for stance in stances if stance.begun]
    step = (touches[-1] - touches[0]) / max(len(touches) - 1, 1)
    begin = 0 if not stances[0].begun else int(np.ceil(max(touches[0] - step, 0.0)))
    end = (
        count - 1
        if not stances[-1].over
        else int(min(max(stances[-1].lift, touches[-1] + 2.0 * step), count - 1.0))
    )
    begin, end = max(begin, int(touches[0] - 2.0 * step)), min(end, int(np.ceil(touches[-1] + 2.0 * step)))
    walks = speed > STANDS * np.median(speed[int(touches[0]) : int(touches[-1]) + 1])
    middle = int(0.5 * (touches[0] + touches[-1]))
    stands = np.flatnonzero(~walks)
    before, after = stands[stands < middle], stands[stands > middle]
    return max(begin, int(before.max(initial=-1)) + 1), min(end, int(after.min(initial=count)) - 1)


def _require_ahead(performance: Performance, first: int, last: int) -> None:
    """Raise NeuraRigError if a clip goes backward or sideways."""
    rows = slice(first, last + 1)
    ahead = np.gradient(performance.way, axis=0)[rows]
    faces = performance.motions["pelvis"].rotation[rows, :2, 0]
    off = np.abs(
        np.arctan2(faces[:, 0] * ahead[:, 1] - faces[:, 1] * ahead[:, 0], (faces * ahead).sum(axis=-1))
    )
    usual = float(np.median(off))
    if usual > np.pi - SIDEWAYS:
        raise NeuraRigError(
            "The clip walks backward, or its left and right are swapped. Choose one that walks forward, or"
            " correct its bones."
        )
    if usual > SIDEWAYS:
        raise NeuraRigError("The clip walks sideways. Choose a clip that walks forward.")


def _phased(stances: list[TakeStance], first: int, last: int, performance: Performance) -> TakenSteps:
    """Return the steps with their phases: whole at left strikes, half way between, but for the beat, at right
    strikes."""
    lead = next(number for number, stance in enumerate(stances) if stance.side == LEFT)
    numbers = tuple((number - lead + (stance.side == RIGHT)) // 2 for number, stance in enumerate(stances))
    touches = np.array([stance.touch if stance.begun else np.nan for stance in stances])
    share = (touches[1:-1] - touches[:-2]) / (touches[2:] - touches[:-2])
    beat = 0.5 - float(
        np.nanmean(np.where([stance.side == RIGHT for stance in stances[1:-1]], share, 1.0 - share))
    )
    phases = np.array(
        [
            number - (0.5 + beat if stance.side == RIGHT else 0.0)
            for stance, number in zip(stances, numbers, strict=True)
        ]
    )
    known = np.isfinite(touches)
    rows, at = touches[known], phases[known]
    whole = [stance for stance in stances if stance.begun and stance.over]
    cycle = 1.0 / np.polyfit(rows, at, 1)[0]
    duties = [(stance.lift - stance.touch) / cycle for stance in whole]
    if duties and np.median(duties) < WALKS:
        raise NeuraRigError(
            "The clip runs: no foot is on the ground between its steps. Choose a clip that walks."
        )
    phase = _beyond(np.arange(first, last + 1.0), rows, at)
    left_out = first / performance.fps, (len(performance.standing) - 1 - last) / performance.fps
    return TakenSteps(first, last, phase, beat, tuple(stances), numbers, left_out)


def _beyond(x: np.ndarray, knots: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return a smooth rising curve through knots at `x`, continued linearly beyond them."""
    slope = rising_slopes(knots, values)
    inside = cubic(knots, values, slope, x)
    return inside + np.minimum(x - knots[0], 0.0) * slope[0] + np.maximum(x - knots[-1], 0.0) * slope[-1]
