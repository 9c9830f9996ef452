"""In step with what is ahead: strides adjusted so that a walker reaches a place at a wanted phase."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...easing import cubic, rising_slopes

# Distances on a path -> how far the root is ahead of the print at mid-stance, and the duty factor.
Stance = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]

LONGER = 0.12  # most that strides are lengthened for it; where that is not enough, they are shortened
# cycles that may be saved between marks close to one another: steps beside flights are short, on landings few
LONGER_BETWEEN = 0.36
PEAK = 1.5  # x the mean: peak of the change, in the middle strides
AT_REST = 1e-4  # metres from a standstill
LEAST_MAKES_UP = 1.0  # cycles: least length of the adjustment, even right after the start
MAKES_UP = 2.0  # cycles in which half a cycle is made up


@dataclass(frozen=True)
class Marks:
    """Distances `at` `(n,)` on a path, rising, and the wanted left-foot `phase` `(n,)` when the root is
    there.

    `every`: cycles that may be added to it: one half where either foot will do. `follows`: the mark is
    `every` after the one before.
    `within`: cycles before it in which the difference is made up; None for MAKES_UP.
    """

    at: np.ndarray
    phase: np.ndarray
    every: np.ndarray
    follows: np.ndarray
    within: np.ndarray | None = None

    @property
    def begins(self) -> np.ndarray:
        """Cycles before the marks `(n,)` at which steps begin to be adjusted."""
        return 2.0 * MAKES_UP * self.every if self.within is None else self.within

    def and_those(self, others: "Marks") -> "Marks":
        """Return both, merged in order."""
        columns = zip(
            *((one.at, one.phase, one.every, one.follows, one.begins) for one in (self, others)), strict=True
        )
        at, *others_columns = (np.concatenate(column) for column in columns)
        order = np.argsort(at, kind="stable")
        return Marks(at[order], *(column[order] for column in others_columns))

    def soft_ones_off(self, start: float, end: float, margin: float) -> "Marks":
        """Return the marks without single-foot ones closer than a margin to standstills at `start` and `end`,
        except for `end` itself."""
        return self._rows(
            (self.every < 1.0)
            | ((self.at > start + margin) & (self.at < end - margin))
            | (self.at > end - AT_REST)
        )

    def between(self, start: float, end: float) -> "Marks":
        """Return the marks after `start`, up to `end`."""
        return self._rows((self.at > start) & (self.at < end + AT_REST))

    def after(self, least: float, phase: np.ndarray, distance: np.ndarray) -> "Marks":
        """Return the marks reached at phase `least` or later; `phase`, `distance` `(knots,)`."""
        return self._rows(np.interp(self.at, distance, phase) >= least)

    def _rows(self, rows: np.ndarray) -> "Marks":
        return Marks(self.at[rows], self.phase[rows], self.every[rows], self.follows[rows], self.begins[rows])


NO_MARKS = Marks(np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0, dtype=bool))


def in_step(
    marks: Marks, phase: np.ndarray, distance: np.ndarray, begun: float, goes: bool = True
) -> np.ndarray:
    """Return left-foot phases `(knots,)` that meet the marks; phases before `begun` stay.

    If the walk already `goes` then, a very near mark may move the beginning earlier.

    `phase`, `distance` `(knots,)`: without marks. Differences are made up in the cycles before each mark, by
    a cubic that does not stop at
    marks on the way: the time of a step changes as little as it can.
    """
    natural = np.interp(marks.at, distance, phase)
    rises = np.diff(natural, prepend=-np.inf) > 0.0  # nothing can be made up between marks at one place
    marks, natural = marks._rows(rises), natural[rises]
    before = np.concatenate([[min(begun, natural[0] - LEAST_MAKES_UP) if goes else begun], natural[:-1]])
    begins = np.maximum(before, natural - marks.begins)
    shift = np.zeros(len(natural) + 1)
    for row, every in enumerate(marks.every):
        if row and marks.follows[row]:
            shift[row + 1] = natural[row - 1] + shift[row] + every - natural[row]
            continue
        lacking = np.mod(marks.phase[row] - natural[row] - shift[row], every)
        saved = every - lacking
        close = row > 0 and natural[row] - natural[row - 1] < MAKES_UP
        longer = saved <= LONGER_BETWEEN if close else PEAK * saved <= LONGER * (natural[row] - begins[row])
        shift[row + 1] = shift[row] + (-saved if longer else lacking)
    begin = (begins > before) | (np.arange(len(natural)) == 0)
    knots, added = np.concatenate([begins[begin], natural]), np.concatenate([shift[:-1][begin], shift[1:]])
    order = np.argsort(knots, kind="stable")
    knots, added = knots[order], added[order]
    slope = rising_slopes(knots, knots + added) - 1.0
    # where a difference begins to be made up, and at the last mark
    slope[np.append(order[:-1] < begin.sum(), True)] = 0.0
    return phase + cubic(knots, added, slope, phase)
