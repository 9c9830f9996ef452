"""How chains follow a motion that is known for all times: a pure function of the frame.

The motion is sampled on a grid that begins at frame zero, in blocks of even length. What a block makes of a
chain at rest is found once; what a block begins with is what the blocks before it leave, back to where
nothing of them is left. So no frame depends on which was asked for before. A motion that repeats is one
block, which begins with what it ends with.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..character.motion import Motion
from ..easing import smooth_between
from .drive import MARGIN, DriveField, field_of
from .springs import FORGOTTEN, GRAVITY, Springs, SpringSteps

Sampled = Callable[[np.ndarray], Mapping[str, Motion]]
LEAST_RATE = 60.0  # samples a second, at least
BLOCK = 512  # samples of a motion that does not repeat
_KEPT = 8  # blocks


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
        self.grid, self._sampled, self._holders = grid, sampled, tuple(dict.fromkeys(holders))
        self._blocks: OrderedDict[int, dict[str, DriveField]] = OrderedDict()

    def fields(self, number: int) -> Mapping[str, DriveField]:
        """Return the fields of a block, its last sample the first one of the next."""
        self.need(number, number)
        return self._blocks[number]

    def need(self, first: int, last: int) -> None:
        """Have some blocks sampled, as far as they are not, at once."""
        missing = [number for number in range(first, last + 1) if number not in self._blocks]
        if missing:
            self._read(missing[0], last)

    def _read(self, first: int, last: int) -> None:
        grid, size = self.grid, self.grid.length
        at = np.arange(first * size - MARGIN, (last + 1) * size + MARGIN + 1)
        motions = self._sampled(at / grid.per)
        whole = {
            holder: field_of(_about_origin(motion_of(motions, holder)), grid.step) for holder in self._holders
        }
        for number in range(first, last + 1):
            rows = slice((number - first) * size, (number - first + 1) * size + 1)
            self._blocks[number] = {
                holder: DriveField(found.pushes[rows], found.blows[rows]) for holder, found in whole.items()
            }
        while len(self._blocks) > max(_KEPT, last - first + 1):
            self._blocks.popitem(last=False)


def motion_of(motions: Mapping[str, Motion], holder: str) -> Motion:
    """Return the motion of what carries a chain: of a row of bones that a pose has not, the nearest one below
    that it has."""
    stem, _, number = holder.partition(".")
    below = range(int(number) - 1, 0, -1) if number.isdigit() else ()
    names = (holder, *(f"{stem}.{at}" for at in below), stem, "pelvis")
    return motions[next(name for name in names if name in motions)]


def _about_origin(motion: Motion) -> Motion:
    """Return the same motion with the walk frame's origin as its joint, from which springs are measured."""
    origin = np.zeros(3)
    return Motion(motion.rotation, motion.carry(origin), origin)


class Answer:
    """How chains answer to drives, in one manner; `leg`: metres, `looks`: how far their bearer looks at
    something, 0 to 1."""

    def __init__(self, chains: Sequence[Springs], drives: Drives, leg: float, looks: float = 0.0) -> None:
        self._chains, self.drives, self._leg, self._looks = tuple(chains), drives, leg, looks
        self._steps = SpringSteps(np.concatenate([chain.rates for chain in chains]), drives.grid.step)
        self._ends: dict[int, np.ndarray] = {}
        self._blocks: OrderedDict[int, tuple[np.ndarray, np.ndarray]] = OrderedDict()
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
            found[here] = _between(*self._block(number), rows[here], (at - whole)[here], grid.step)
        return found.reshape(len(at), -1, 2)

    def _block(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Return bends and their speeds `(l + 1, 2 bones)` in a block."""
        if number not in self._blocks:
            self.drives.need(number if self.drives.grid.period else number - self._back, number)
            forced = self._forced(number)
            begins = self._begins(number, forced[-1])
            states = forced + self._steps.after(np.arange(len(forced))) * begins
            self._blocks[number] = self._shown(states)
            if len(self._blocks) > _KEPT:
                self._blocks.popitem(last=False)
        return self._blocks[number]

    def _begins(self, number: int, ends: np.ndarray) -> np.ndarray:
        """Return the state `(m,)` with which a block begins, given what it `ends` with if it begins at
        rest."""
        size = self.drives.grid.length
        if self.drives.grid.period:
            return ends / (1.0 - self._steps.after(np.array([size]))[0])
        left = self._steps.after(size * np.arange(self._back))
        return sum((left[at] * self._end(number - 1 - at) for at in range(self._back)), np.zeros_like(ends))

    def _end(self, number: int) -> np.ndarray:
        if number not in self._ends:
            self._forced(number)
        return self._ends[number]

    def _forced(self, number: int) -> np.ndarray:
        """Return the states `(l + 1, m)` in a block that begins at rest."""
        fields = self.drives.fields(number)
        forces = [forces_of(chain, fields[chain.holder], self._leg, self._looks) for chain in self._chains]
        states = self._steps.answer(np.concatenate(forces, axis=1))
        self._ends[number] = states[-1]
        return states

    def _shown(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the bends of joints and their speeds `(t, 2 bones)` in states `(t, m)`."""
        swings, speeds = self._steps.shown(states)
        bends, rates, first = [], [], 0
        for shapes in (chain.shapes for chain in self._chains):
            part = slice(first, first + len(shapes))
            bends.append(swings[:, part] @ shapes.T)
            rates.append(speeds[:, part] @ shapes.T)
            first = part.stop
        return np.concatenate(bends, axis=1), np.concatenate(rates, axis=1)


def forces_of(springs: Springs, field: DriveField, leg: float, looks: float) -> np.ndarray:
    """Return the forces on a chain's modes `(t, m)`."""
    manner, kind = springs.manner, springs.kind
    felt = manner.weight * field.pushes + manner.drag * field.blows
    forces = felt.reshape(len(felt), 12) @ springs.yields.T
    leans = np.zeros((len(felt), 3))
    pace = field.speed / np.sqrt(-GRAVITY[2] * leg)
    leans[:, 1] = kind.lifts * smooth_between(pace, *kind.speeds) * (1.0 - looks) + kind.pricked * looks
    leans[:, 2] = -kind.counter * field.turn
    return forces + leans @ springs.leans.T


def _between(
    values: np.ndarray, rates: np.ndarray, rows: np.ndarray, shares: np.ndarray, step: float
) -> np.ndarray:
    """Return values `(f, m)` a share `(f,)` of a step after rows `(f,)`, by a cubic through values and
    rates."""
    if not shares.any():
        return values[rows]
    at = shares[:, None]
    back = at - 1.0
    return (
        (1.0 + 2.0 * at) * back**2 * values[rows]
        + at**2 * (1.0 - 2.0 * back) * values[rows + 1]
        + step * at * back * (back * rates[rows] + at * rates[rows + 1])
    )
