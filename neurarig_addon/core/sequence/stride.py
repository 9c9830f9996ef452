"""The last stride of a motion: how many frames ago the body was last in the phase in which it is now, and
that stride as a loop."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..geometry.rotation import TINY, norms, wrapped
from ..ikrig.encoding import ARMS, LIMBS
from .rows import (
    COLUMNS,
    PARTS,
    RATE,
    Rows,
    between,
    joined,
    moved,
    placed,
    seen_from,
    stands,
    steps_between,
    turned,
)

ALIKE = 8  # frames that are compared
SHORTEST, LONGEST = 12, 48  # frames of a stride
REMEMBERED = LONGEST + ALIKE  # frames that are looked at
# frames that tell the size of a manner; how much larger than the last stride, and how alike in speed
LATELY, _LARGER, _LIKE = 75, 1.3, 0.2
NO_STRIDE = 30  # frames that tell the pace of a motion without a stride


@dataclass(frozen=True)
class LastStride:
    """`frames`: how long the last stride took, 0 if none is seen; `off`: how unlike the same phase of both
    is, metres a column."""

    frames: int
    off: float


NONE = LastStride(0, 9.0)


def last_stride(
    rows: Rows, shortest: int = SHORTEST, longest: int = LONGEST, recent: np.ndarray | None = None
) -> LastStride:
    """Return the stride after which the last frames of a motion, or `recent` poses, look most like it did
    before."""
    poses = rows.poses
    longest = min(longest, len(poses) - ALIKE)
    if longest < shortest:
        return NONE
    # earliest first
    before = np.lib.stride_tricks.sliding_window_view(
        poses[len(poses) - ALIKE - longest : -shortest], ALIKE, axis=0
    )
    recent = poses[-ALIKE:] if recent is None else recent
    off = np.sqrt(np.mean((before.transpose(0, 2, 1) - recent) ** 2, axis=(1, 2)))
    best: Any = np.argmin(off[::-1])
    return LastStride(shortest + best, off[::-1][best])


REPEATS = 0.06  # metres a column: a motion that is farther off a stride ago repeats nothing
_SLOWEST, _QUICKEST = 75, 8  # frames of the slowest stride, and of the quickest step
_CLEARLY, _STRIDES = 0.6, 4  # share of what a stride is off; the most strides of a loop
# earlier strides belong to it that are no more than that much, or so little, off, and alike in way: share of
# the speed, and radians a frame
_AS_WELL, _SURE, _FAST, _TURNS = 1.5, 0.02, 0.1, np.radians(8.0) / RATE
_AGO, _EARLIER = 90, 0.02 / RATE  # frames that a stride may have ended ago; metres a column that each costs
STEPS = 0.5  # contacts that are surer stand
_STANDS = 0.1  # metres a second: who is slower stays where he is
_CADENCE = 0.45  # power of the speed with which people step quicker
_AHEAD = [COLUMNS[limb, "effector"].start for limb in LIMBS]  # columns that swing farther in longer strides


@dataclass(frozen=True)
class StrideLoop:
    """A stride that goes over into itself, `rows`, made by steps of `step` `(3,)` a frame, seen from the
    mean heading.

    `off` `(f, 3)`: where the body is, seen from where it would be if it moved evenly. `phase`: the row at
    which the motion that it was found in ended.
    """

    rows: Rows
    step: np.ndarray
    off: np.ndarray
    stride: int
    phase: np.ndarray | float

    def ahead(self, phase: np.ndarray | float, faster: float, turn: float, count: int) -> Rows:
        """Return the next frames after a phase, `faster` times as fast, on a way that turns by radians a
        frame: with quicker and longer strides."""
        at = phase + self.quicker(faster) * np.arange(count + 1.0)
        longer = faster / self.quicker(faster)
        rows = self.at(at)
        middle = self.rows.poses[:, _AHEAD].mean(axis=0)
        rows.poses[:, _AHEAD] = middle + longer * (rows.poses[:, _AHEAD] - middle)
        course = placed(np.broadcast_to(np.hstack([faster * self.step[:2], turn]), (count, 3)))
        course = np.vstack([np.zeros(3), course])
        return replace(rows[1:], steps=steps_between(moved(course, self.off_at(at))))

    def at(self, phases: np.ndarray) -> Rows:
        """Return the stride at phases `(n,)`; a whole row of the way for each."""
        return Rows(*(self._at(getattr(self.rows, name), phases) for name in PARTS))

    def lifts(self, foot: int) -> np.integer:
        """Return the phase in which a foot, 0 for the left, 1 for the right, leaves the ground; 0 if it does
        not."""
        on_it = stands(self.rows.contacts)[:, foot] > STEPS
        return np.argmin(np.where(np.roll(on_it, 1) & ~on_it, 0.0, 1.0))

    def quicker(self, faster: float) -> float:
        """Return how much quicker it is walked through for a speed."""
        return faster**_CADENCE

    def off_at(self, phase: float | np.ndarray) -> np.ndarray:
        """Return where the body is at phases `(...)`, seen from where it would be if it moved evenly."""
        return self._at(self.off, phase)

    def compared(self, place: np.ndarray, frames: float, turn: float) -> tuple[np.ndarray, np.ndarray]:
        """Return how many times as fast a way of some frames is that ends at a `place` `(2,)`, turned, and by
        how many radians it leads aside."""
        faster = norms(place) / np.maximum(frames * norms(self.step[:2]), TINY)
        aside = np.arctan2(place[1], place[0]) - 0.5 * turn - np.arctan2(self.step[1], self.step[0])
        return faster, np.abs(wrapped(aside))

    def near(self, past: Rows, phase: np.ndarray | float, around: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the phase, no more than `around` from one, in which a motion ends, and how far it is off."""
        tried = phase + np.arange(-around, around + 0.5)
        recent = past.poses[-ALIKE:]
        since = np.arange(1.0 - len(recent), 1.0)
        off = np.sqrt(np.mean((self._at(self.rows.poses, tried[:, None] + since) - recent) ** 2, axis=(1, 2)))
        best = np.argmin(off)
        return tried[best], off[best]

    def _at(self, values: np.ndarray, at: np.ndarray | float) -> np.ndarray:
        low = np.floor(at).astype(int)
        share, count = (at - low)[..., None], len(values)
        return (1.0 - share) * values[low % count] + share * values[(low + 1) % count]


def loop_of(past: Rows) -> StrideLoop | None:
    """Return the last stride of a motion that is the one before again, or where that is much clearer a step
    and its mirror image, None if there is neither."""
    best, cost, found = past, REPEATS, NONE
    for ago in range(0, min(_AGO, len(past) - ALIKE) + 1, 2):
        known = past[: len(past) - ago]
        stride = last_stride(known, longest=_SLOWEST)
        is_whole = 0 < stride.frames < len(known) - ALIKE
        if is_whole and stride.off + ago * _EARLIER < cost:
            best, cost, found = known, stride.off + ago * _EARLIER, stride
    image = past.mirrored()
    step = last_stride(past, _QUICKEST, _SLOWEST // 2, image.poses[-ALIKE:])
    if step.frames and step.off < _CLEARLY * cost:
        best, found = joined(image, past[-step.frames :]), LastStride(2 * step.frames, step.off)
    if not found.frames:
        return None
    once = found.frames
    for times in range(2, _STRIDES + 1):
        around = round(times * found.frames / (times - 1.0))
        more = last_stride(best, around - 4, around + 4)
        if not more.frames or more.off > max(_AS_WELL * found.off, _SURE) or not _alike(best, found, more):
            break
        found = LastStride(more.frames, found.off)
    count, end = found.frames, len(best)
    rows = best[end - count :]
    mixed = min(once // 2, end - count)
    share = np.zeros((count, 1))
    share[count - mixed :, 0] = (np.arange(mixed) + 1.0) / (mixed + 1.0)
    before = best[end - 2 * count + np.maximum(np.arange(count), count - mixed)]
    rows = between(rows, before, share)
    for limb in ARMS:  # one stride swings less than several that differ
        columns = COLUMNS[limb, "effector"]
        swings = (np.sqrt(np.var(one.poses[:, columns], axis=0).sum()) for one in (past[-LATELY:], rows))
        size = np.clip(next(swings) / max(next(swings), TINY), 1.0, _LARGER)
        rows.poses[:, columns] += (size - 1.0) * (
            rows.poses[:, columns] - rows.poses[:, columns].mean(axis=0)
        )
    places = placed(rows.steps)
    step, first = _pace(places)
    off = seen_from(moved(np.array([0.0, 0.0, first]), placed(np.tile(step, (count, 1)))), places)
    off -= off.mean(axis=0)
    loop = StrideLoop(rows, step, off, once, count - 1.0)
    ago = max(len(past) - end, 0)
    if float(norms(step[:2])) * RATE < _STANDS:
        return None
    return replace(loop, phase=loop.near(past, count - 1.0 + ago, once // 2 if ago else 0.0)[0])


def _alike(rows: Rows, one: LastStride, other: LastStride) -> bool:
    """Say whether a motion went as fast and turned as much in its last strides."""
    ways = (placed(rows.steps[-stride.frames :])[-1] / stride.frames for stride in (one, other))
    (fast, turn), (faster, turns) = ((float(norms(way[:2])), way[2]) for way in ways)
    return abs(faster - fast) < _FAST * fast and abs(turns - turn) < _TURNS


def last_pace(rows: Rows) -> tuple[np.ndarray, float]:
    """Return the mean step `(3,)` of the last stride, seen from its mean heading, and the course that it
    leaves the last frame on.

    Hips turn to and fro in every stride, so the body's own heading is none. A motion without a stride: of its
    last second at most.
    """
    if loop := loop_of(rows):
        step, faster = loop.step.copy(), _speed(rows[-LATELY:]) / _speed(loop.rows)
        step[:2] *= faster if abs(faster - 1.0) < _LIKE else 1.0
        return step, -float(loop.off_at(loop.phase)[2])
    step, first = _pace(placed(rows.steps[-NO_STRIDE:]))
    return step, first + min(len(rows), NO_STRIDE) * step[2]


def _speed(rows: Rows) -> float:
    """Return metres a frame, by how far it is over a step's part."""
    way = placed(rows.steps)[:, :2]
    return float(norms(way[ALIKE:] - way[:-ALIKE]).mean()) / ALIKE


def _pace(places: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the mean step `(3,)` of a way through places `(f, 3)`, seen from its course, and the course at
    its beginning."""
    turn, count = float(places[-1, 2]) / len(places), len(places)
    first = float(np.mean(places[:, 2])) - 0.5 * turn * (count + 1.0)
    middle = first + 0.5 * turn * count
    return np.array([*turned(places[-1, :2] / count, -middle), turn]), first


def repeated(rows: Rows, stride: LastStride, count: int) -> Rows:
    """Return the next frames as the last stride has them; a motion without one stays as it is, and goes on as
    it last went."""
    if stride is NONE:
        return rows[np.full(count, len(rows) - 1)]
    return rows[len(rows) - stride.frames + np.arange(count) % stride.frames]
