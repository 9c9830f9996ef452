"""From channels with a key on every frame to few keys, as many as the evaluated character needs to stay where it was.

First each track is changed a little, and the motion of joints and soles gives each curve's limit of deviation.  Then the character is
played with the fitted curves, and on frames where joints deviate, turn or slip more than allowed, the limits of that limb's curves are
tightened, until the bound is kept.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import bpy
import numpy as np

from ...core.character.character import Character
from ...core.keys.carrying import Carrying
from ...core.keys.deviation import TRUNK, Seen, deviation, limb_of_bones
from ...core.keys.track import SHORTEST_EVEN
from ...core.retarget.spans import kept
from ..animation import keyframes
from ..animation.curve_pose import split_path
from ..animation.keyframes import Channel, Keyed
from ..character.controls.probing.bench import bench
from .carriers import read_carrying, read_prediction
from .fitting import Fitting, Limits, Moments
from .trial import RADIANS_PER_METRE, SLIP_PER_METRE, KeyTrial, Steps, Straying, worst

Value = TypeVar("Value")

MOST = 4.0  # multiple of the bound that a location may deviate if hardly anything follows it: poles
AT_FIRST = 1.0  # share of a curve's own limit to start from
MAKING_UP = 0.5  # the same where bones make up for those that carry them, for which they need room
SHIN, ABOVE_SHIN = 0.4, 4.0  # shares of a curve's own limit because of planted feet: of a shin, which makes up for those above it
THINNED = 3  # rounds in which keys of a recorded motion are also removed; of a walk in all of them
ROUNDS = 30  # of tightening; what still deviates is then keyed on every frame
SAFELY = 0.98  # share of the bound towards which a limb is tightened
KEPT = 0.01  # share of a foot's limit where its control is nearly kept
TIGHTER = (0.6, 0.95)  # factors on a limit per round: the least and the greatest
INNOCENT = (0.6, 0.5, 0.4, 0.3, 0.3, 0.2, 0.1, 0.0)  # by rounds: share of its limit up to which a curve is left alone
AROUND = 2  # frames tightened on either side
SHARE_OF_TRUNK = (1.0, 1.0, 1.0, 1.0, 1.0, 0.6, 0.3, 0.0)  # by rounds: share of the bound past which a trunk is tightened for its limbs


@dataclass(frozen=True)
class Reduction:
    """Few keys, the numbers of few and dense keys, and the greatest deviations: millimetres, degrees, millimetres of slip."""

    keyed: list[Keyed]
    keys: int
    dense: int
    off_mm: float
    off_degrees: float
    slip_mm: float


def reduce_steps(
    obj: bpy.types.Object,
    character: Character,
    frames: np.ndarray,
    channels: Sequence[Channel],
    moments_of: Callable[[Seen], Moments],
    metres: float,
) -> Generator[float, None, Reduction]:
    """Return few keys for channels of a character at `frames` `(f,)`; yields the share done, and changes nothing.

    `moments_of`: returns the moments from the character as seen with dense keys.  `metres`: allowed deviation of a joint.
    """
    limbs = limb_of_bones(character)
    with bench(obj) as copy:
        trial = KeyTrial(copy, obj, character, {split_path(channel.path)[0] for channel in channels})
        dense = [channel.values for channel in channels]
        wanted = yield from _sharing(trial.play(channels, dense), 0.0)
        moments = moments_of(wanted)
        fitting = Fitting(obj, character, frames, channels, moments)
        bound = metres, metres * RADIANS_PER_METRE
        carrying = read_carrying(obj, character, channels, (trial.bones, wanted), moments.planted, bound)
        predicted = read_prediction(obj, carrying, trial, wanted, channels)
        rows = _samples(moments, len(frames))
        play = partial(trial.play, channels) if predicted is None else predicted.only(rows).played
        alone = yield from _sharing(_allowed(play, fitting, rows, metres), 0.1)
        if not moments.recorded:
            carrying = Carrying([], dense, *bound)
        limits = [_limits(each, moments, carrying.above_foot(piece.channel)) for each, piece in zip(alone, fitting.pieces, strict=True)]
        straying = Straying(trial, predicted, channels, wanted, moments.planted)
        for number in range(ROUNDS + 2):
            keyed = fitting.keyed(carrying, limits, thin=number < THINNED or not moments.recorded)
            steps = straying.past(fitting.values(keyed), [limbs[name] for name in trial.bones[: trial.measured]], metres)
            past = {limb: np.zeros(len(frames)) for limb in limbs.values()} | (yield from _sharing(steps, 0.2 + 0.05 * number))
            if worst(past) <= 1.0:
                break
            limits = _tightened(limits, fitting, past, number)
        off = straying.off
    keyed = [*keyed, *fitting.single()]
    return Reduction(
        keyed,
        keyframes.count(keyed),
        keyframes.count(fitting.dense()),
        1e3 * float(off.metres.max(initial=0.0)),
        float(off.degrees.max(initial=0.0)),
        1e3 * float(off.slip.max()),
    )


def _sharing(steps: Generator[None, None, Value], share: float) -> Generator[float, None, Value]:
    """Run steps that yield no share of their own, yielding `share`."""
    try:
        while True:
            next(steps)
            yield share
    except StopIteration as finished:
        return finished.value


def _samples(moments: Moments, count: int) -> list[int]:
    """Return the rows at which tracks are changed: a contact of each foot, when both are on the ground, else the quarters."""
    return moments.contacts[:2].tolist() if len(moments.contacts) >= 2 else [count // 4, (3 * count) // 4]


def _allowed(
    play: Callable[[list[np.ndarray]], Steps], fitting: Fitting, rows: list[int], metres: float
) -> Generator[None, None, list[tuple[float, np.ndarray]]]:
    """Return each piece's limit by itself, in metres or radians: for the joints, and `(2, 3)` for each point of the feet while planted,
    infinite where it hardly moves with the piece."""
    channels = fitting.channels
    at = [channel.values[rows if len(channel.values) > 1 else slice(None)] for channel in channels]
    base = yield from play(at)
    found = []
    for piece in fitting.pieces:
        step = metres * (RADIANS_PER_METRE if piece.turns else 1.0)
        pushed = piece.track.pushed(step)[rows]
        strayed, slipped = 0.0, np.zeros((2, 3))
        for column in range(len(piece.columns)):
            tried = list(at)
            tried[piece.channel] = at[piece.channel].copy()
            tried[piece.channel][:, list(piece.columns)] = pushed[:, column]
            seen = yield from play(tried)
            strayed = max(strayed, float(deviation(base, seen, np.zeros((len(rows), 2, 3), dtype=bool)).metres.max()))
            slipped = np.maximum(slipped, np.linalg.norm(seen.feet - base.feet, axis=-1).max(axis=0))
        most = step * (1.0 if piece.turns else MOST)
        feet = step * SLIP_PER_METRE * metres / np.maximum(slipped, 1e-9)
        found.append((min(most, step * metres / max(strayed, 1e-9)), np.where(feet < most, feet, np.inf)))
    return found


def _limits(allowed: tuple[float, np.ndarray], moments: Moments, above_foot: int) -> Limits:
    """Return a piece's limits: smaller while a planted point of a foot moves with it, unless bones further down the leg make up for it.

    Controls of feet rolled by pivots move evenly while planted; if planted too briefly for that to be detected, they are nearly kept.
    """
    joints, feet = allowed
    at_first = MAKING_UP if moments.recorded else AT_FIRST
    share = at_first if above_foot < 0 else SHIN if above_foot == 0 else ABOVE_SHIN
    tight = np.where(moments.planted, 1.0, np.inf) * share
    if moments.rolled:
        shortly = moments.planted & ~kept(moments.planted, SHORTEST_EVEN)
        tight = np.where(shortly & (feet < joints), KEPT, 1.0) * tight
    return Limits(at_first * joints, (feet * tight).min(axis=(1, 2)), np.ones(len(tight)))


def _tightened(limits: list[Limits], fitting: Fitting, past: dict[str, np.ndarray], number: int) -> list[Limits]:
    """Return tighter limits for the curves of limbs on frames past the bound; after the last round all limits are zero."""
    if number >= ROUNDS:
        return [replace(limit, share=np.zeros_like(limit.share)) for limit in limits]
    level = min(number, len(INNOCENT) - 1)
    worst = np.max(list(past.values()), axis=0)
    found = []
    for piece, limit, used in zip(fitting.pieces, limits, fitting.used, strict=True):
        over = _widened(np.where((piece.limb == TRUNK) & (past[TRUNK] > SHARE_OF_TRUNK[level]), worst, past[piece.limb]))
        less = np.clip(np.minimum(used, 1.0) * SAFELY / np.maximum(over, 1.0), *TIGHTER)
        found.append(replace(limit, share=limit.share * np.where((over > 1.0) & (used > INNOCENT[level]), less, 1.0)))
    return found


def _widened(values: np.ndarray) -> np.ndarray:
    """Return the maximum of values `(f,)` around each frame."""
    around = np.pad(values, AROUND, mode="edge")
    return np.lib.stride_tricks.sliding_window_view(around, 2 * AROUND + 1).max(axis=1)
