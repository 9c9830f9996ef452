"""What is missing between two parts of a motion: curves that leave and reach them as they move, the stride of
each in phase with the other, and what a network adds, which sees both parts."""

from dataclasses import dataclass

import numpy as np

from ..easing import hermite, smootherstep, straight
from .network import (
    AHEAD,
    COMPONENTS,
    GAP_SLOWNESS,
    GAP_WAVES,
    PLANTED,
    SLOW,
    WAY,
    SequenceNetwork,
    SequenceWish,
    coming_in,
    fading,
)
from .rows import WIDTH, Rows, seen_from, turned
from .stride import ALIKE, last_stride

# how much quicker a stride is walked through so that it is in phase at the other end; metres a column that a
# logarithm of it would cost
_TEMPI, _IN_TIME = np.exp(np.linspace(-0.28, 0.28, 29)), 0.05
_SHORT = 14.0  # frames: in longer gaps velocities fade before they have led from end to end
WAYS = 0.1  # metres, and radians, of places for which an answer is 1


class _Side:
    """A part that ends at a gap, or begins there and is seen backwards, and the way `(3,)` from its end to
    that of the other one."""

    def __init__(self, rows: Rows, way: np.ndarray) -> None:
        self.rows, self.way, self.stride = rows, way, last_stride(rows)
        self.pose, step = rows.poses[-1], rows.steps[-1]
        # a frame: how it changes at its end, and how it moves, seen from there
        self.leaves, self.moves = (
            self.pose - rows.poses[-2:][0],
            np.hstack([turned(step[:2], -step[2]), step[2]]),
        )

    def repeated(self, other: Rows, frames: float, at: np.ndarray) -> np.ndarray:
        """Return its last stride `(n, WIDTH)` some frames `(n,)` after its end, in phase with the end of the
        other part after all `frames`, where it arrives."""
        first, once = len(self.rows) - 1 - self.stride.frames, max(self.stride.frames, 1)
        ahead = self.rows.poses[first + np.arange(int(frames * _TEMPI[-1]) + ALIKE + 2) % once]
        there, ends = other.poses[::-1][:ALIKE], frames * _TEMPI
        tried = straight(ahead, (ends[:, None] + np.arange(len(there))).ravel())
        off = np.sqrt(np.mean((tried.reshape(len(ends), *there.shape) - there) ** 2, axis=(1, 2)))
        best = int(np.argmin(off + _IN_TIME * np.abs(np.log(_TEMPI))))
        begins, arrives = self.pose - ahead[0], there[0] - straight(ahead, ends[best : best + 1])[0]
        fades = hermite((at / frames)[:, None], begins, 0.0 * begins, arrives, 0.0 * arrives)
        return straight(ahead, _TEMPI[best] * at) + fades


@dataclass(frozen=True)
class GapSight:
    """What a network sees of frames in a gap: of both `sides` `(2 * INPUTS,)`, and of their `times` `(n,
    GAP_INPUTS - 2 * INPUTS)`; `curves` `(n, WIDTH + 3)`, of poses and places; `strides` `(n, 2, COMPONENTS)`:
    how far both strides are from these; `within` `(n, 1)`: how far the frames are from both ends, 0 to 1."""

    sides: np.ndarray
    times: np.ndarray
    curves: np.ndarray
    strides: np.ndarray
    within: np.ndarray


class Gap:
    """What is missing between two parts at RATE, `before` and `after`, whose first row is `apart` `(3,)` and
    `frames` from the last before."""

    def __init__(self, before: Rows, after: Rows, apart: np.ndarray, frames: float) -> None:
        self._frames = frames
        self._before = _Side(before, apart)
        self._after = _Side(after.reversed(), seen_from(apart, np.zeros(3)))

    def filled(self, network: SequenceNetwork, at: np.ndarray) -> np.ndarray:
        """Return poses, places as seen from the last row before, and contacts `(n, WIDTH + 3 + 4)` at
        (fractional) frames `(n,)` after that."""
        seen = self.seen(network, at)
        told = np.column_stack([np.tile(seen.sides, (len(at), 1)), seen.times]).astype(np.float32)
        found = network.gap.forward(told).astype(float)
        trusts = 1.0 / (1.0 + np.exp(-found[:, : 2 * COMPONENTS].reshape(len(at), 2, COMPONENTS)))
        added = found[:, 2 * COMPONENTS :]
        poses = np.sum(trusts * seen.strides, axis=1) + added[:, :COMPONENTS]
        poses = (poses * network.weights.scale[:COMPONENTS]) @ network.weights.basis
        track = seen.curves + seen.within * np.concatenate([poses, WAYS * added[:, WAY]], axis=1)
        return np.concatenate([track, np.clip(added[:, PLANTED], 0.0, 1.0)], axis=1)

    def seen(self, network: SequenceNetwork, at: np.ndarray) -> GapSight:
        """Return what a network sees of frames `(n,)`."""
        one, other, back, weights = self._before, self._after, self._frames - at, network.weights
        curves = self.curves(at)
        strides = [one.repeated(other.rows, self._frames, at), other.repeated(one.rows, self._frames, back)]
        away = (np.stack(strides, axis=1) - curves[:, None, :WIDTH]) @ weights.basis.T
        away /= weights.scale[:COMPONENTS]
        sides = np.concatenate(
            [
                network.told(side.rows, side.stride, SequenceWish(side.way[:2], side.way[2]))[0]
                for side in (one, other)
            ]
        )
        waves = np.pi * GAP_WAVES * (at / self._frames)[:, None]
        times = np.column_stack(
            [
                away.reshape(len(at), -1),
                np.exp(-at[:, None] / GAP_SLOWNESS),
                np.exp(-back[:, None] / GAP_SLOWNESS),
                np.sin(waves),
                np.cos(waves),
                np.full(len(at), self._frames / AHEAD),
            ]
        )
        within = coming_in(SLOW, at) * coming_in(SLOW, back)
        return GapSight(sides, times, curves, away, within[:, None])

    def curves(self, at: np.ndarray) -> np.ndarray:
        """Return poses and places `(n, WIDTH + 3)` on curves that leave the first part and arrive at the
        second as these move."""
        one, other, frames, share = self._before, self._after, self._frames, (at / self._frames)[:, None]
        joins = hermite(share, one.pose, frames * one.leaves, other.pose, -frames * other.leaves)
        leaves = one.pose + fading(at)[:, None] * one.leaves
        arrives = other.pose + fading(frames - at)[:, None] * other.leaves
        coasts = leaves + smootherstep(share) * (arrives - leaves)
        poses = coasts + np.exp(-((frames / _SHORT) ** 2)) * (joins - coasts)
        comes = np.hstack([turned(other.moves[:2], one.way[2]), other.moves[2]])
        places = hermite(share, 0.0 * one.way, frames * one.moves, one.way, -frames * comes)
        return np.concatenate([poses, places], axis=1)
