"""How chains follow a motion that is known for all times: a pure function of the frame.

The motion is sampled on a grid that begins at frame zero, in blocks of even length. What a block makes of a
chain at rest is found once; what a block begins with is what the blocks before it leave, back to where
nothing of them is left. So no frame depends on which was asked for before. A motion that repeats is one
block, which begins with what it ends with.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..character.motion import Motion
from ..easing import hermite, smooth_between
from .drive import MARGIN, DriveField, field_of
from .springs import FORGOTTEN, GRAVITY, Springs, SpringSteps

Sampled = Callable[[np.ndarray], Mapping[str, Motion]]
LEAST_RATE = 60.0  # samples a second, at least
BLOCK = 512  # samples of a motion that does not repeat
_KEPT = 4  # blocks


class Grid(NamedTuple):
    """The times at which a motion is sampled: `per` a frame, of `fps` frames a second; `period`: samples
    after which it repeats, 0 if it does not."""

    fps: float
    per: int
    period: int = 0

    @classmethod
    def of(cls, fps: float, period_frames: float = 0.0) -> "Grid":
        """Return the grid for a frame rate; a period that is no whole number of samples counts as none."""
        per = int(np.ceil(LEAST_RATE / fps))
        period = round(period_frames * per)
        return cls(fps, per, period if abs(period - period_frames * per) < 1e-6 else 0)

    @property
    def step(self) -> float:
        """Seconds between two samples."""
        return 1.0 / (self.fps * self.per)

    @property
    def length(self) -> int:
        """Samples of a block."""
        return self.period or BLOCK


class Drives:
    """The fields of what chains hang on, block by block; `sampled` returns the motions in the world of roles
    at frames `(f,)`."""

    def __init__(self, sampled: Sampled, holders: Sequence[str], grid: Grid) -> None:
        self.grid, self._sampled, self._holders = grid, sampled, frozenset(holders)
        self.fields = lru_cache(_KEPT)(self._fields)

    def _fields(self, number: int) -> Mapping[str, DriveField]:
        """Return the fields of a block, its last sample the first one of the next."""
        grid, size = self.grid, self.grid.length
        at = np.arange(number * size - MARGIN, (number + 1) * size + MARGIN + 1)
        motions = self._sampled(at / grid.per)
        return {
            # springs are measured from the walk frame's origin
            holder: field_of(motion_of(motions, holder).about(np.zeros(3)), grid.step)
            for holder in self._holders
        }


def motion_of(motions: Mapping[str, Motion], holder: str) -> Motion:
    """Return the motion of what carries a chain: of a row of bones that a pose has not, the nearest one below
    that it has."""
    stem, _, number = holder.partition(".")
    below = range(int(number) - 1, 0, -1) if number.isdigit() else ()
    names = (holder, *(f"{stem}.{at}" for at in below), stem, "pelvis")
    return motions[next(name for name in names if name in motions)]


class Answer:
    """How chains answer to drives, in one manner; `leg`: metres, `looks`: how far their bearer looks at
    something, 0 to 1."""

    def __init__(self, chains: Sequence[Springs], drives: Drives, leg: float, looks: float = 0.0) -> None:
        self._chains, self.drives, self._leg, self._looks = tuple(chains), drives, leg, looks
        self._steps = SpringSteps(np.concatenate([chain.rates for chain in chains]), drives.grid.step)
        self._forced, self._block = map(lru_cache(_KEPT), (self._forced_block, self._shown_block))
        self._parts = np.cumsum([len(chain.rates) for chain in chains])[:-1]
        lasts = np.log(1.0 / FORGOTTEN) / -np.real(self._steps.rates).max()
        self._back = int(np.ceil(lasts / (drives.grid.step * drives.grid.length)))

    def bends(self, frames: np.ndarray) -> np.ndarray:
        """Return how far each joint of all chains is bent `(f, bones, 2)` at frames `(f,)`, radians about the
        axes of its springs."""
        grid = self.drives.grid
        at = np.asarray(frames, dtype=float) * grid.per
        near = np.rint(at)
        at = np.where(np.abs(at - near) < 1e-6, near, at)
        whole = np.floor(at).astype(int)
        numbers, rows = np.divmod(whole, grid.length)
        numbers = np.zeros_like(numbers) if grid.period else numbers
        found = np.empty((len(at), len(self._steps.rates)))
        for number in np.unique(numbers).tolist():
            here = numbers == number
            ends = [rows[here], rows[here] + 1]
            (start, end), (leave, arrive) = (each[ends] for each in self._block(number))
            share = (at - whole)[here, None]
            found[here] = hermite(share, start, grid.step * leave, end, grid.step * arrive)
        return found.reshape(len(at), -1, 2)

    def _shown_block(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Return bends and their speeds `(l + 1, 2 bones)` in a block."""
        forced = self._forced(number)
        begins = self._begins(number, forced[-1])
        states = forced + self._steps.after(np.arange(len(forced))) * begins
        swings, speeds = (np.split(each, self._parts, axis=1) for each in self._steps.shown(states))
        shapes = [chain.modes.shapes.T for chain in self._chains]
        return np.hstack([*map(np.matmul, swings, shapes)]), np.hstack([*map(np.matmul, speeds, shapes)])

    def _begins(self, number: int, ends: np.ndarray) -> np.ndarray:
        """Return the state `(m,)` with which a block begins, given what it `ends` with if it begins at
        rest."""
        size = self.drives.grid.length
        if self.drives.grid.period:
            return ends / (1.0 - self._steps.after(np.array([size]))[0])
        before = np.stack([self._forced(number - 1 - at)[-1] for at in range(self._back)])
        return (self._steps.after(size * np.arange(self._back)) * before).sum(axis=0)

    def _forced_block(self, number: int) -> np.ndarray:
        """Return the states `(l + 1, m)` in a block that begins at rest."""
        fields = self.drives.fields(number)
        forces = [forces_of(chain, fields[chain.holder], self._leg, self._looks) for chain in self._chains]
        return self._steps.answer(np.concatenate(forces, axis=1))


def forces_of(springs: Springs, field: DriveField, leg: float, looks: float) -> np.ndarray:
    """Return the forces on a chain's modes `(t, m)`."""
    manner, kind = springs.manner, springs.kind
    felt = manner.weight * field.pushes + manner.drag * field.blows
    forces = felt.reshape(len(felt), 12) @ springs.yields.T
    leans = np.zeros((len(felt), 3))
    pace = field.blows[:, 0, 3] / np.sqrt(-GRAVITY[2] * leg)  # forward
    leans[:, 1] = kind.lifts * smooth_between(pace, *kind.speeds) * (1.0 - looks) + kind.pricked * looks
    leans[:, 2] = 0.5 * kind.counter * (field.blows[:, 0, 1] - field.blows[:, 1, 0])  # against a turn
    return forces + leans @ springs.leans.T
