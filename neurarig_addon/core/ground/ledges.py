"""Ledges: jumps in the height of the ground under a line, as at the noses of stairs, kerbs and gaps."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .surface import Ground

SPACING = 0.05  # leg lengths between samples of a line
LEDGE = 0.06  # leg lengths: smaller jumps are part of rough ground
EDGE = 2e-3  # leg lengths: precision of a ledge's place
STEEP = 0.7  # share of a rise that remains over a very short distance, for it to be a jump
WIDEST_GAP = 1.3  # leg lengths: wider gaps are not stepped over
DEPTH = 1.0  # leg lengths: depth that a gap counts as


@dataclass(frozen=True)
class Ledges:
    """Ledges along a line `(n,)`, in order: metres `at` which they are, heights of the ground `before` and
    `after` them.

    `gap`: whether there is no ground on one side; its height then stands for a depth.
    """

    at: np.ndarray
    before: np.ndarray
    after: np.ndarray
    gap: np.ndarray

    @property
    def rise(self) -> np.ndarray:
        """Metres up."""
        return self.after - self.before

    def outside(self, spans: np.ndarray) -> "Ledges":
        """Return the ledges outside some stretches `(n, 2)` of the line."""
        kept = ~((self.at[:, None] > spans[:, 0]) & (self.at[:, None] < spans[:, 1])).any(axis=1)
        return Ledges(self.at[kept], self.before[kept], self.after[kept], self.gap[kept])

    def repeated(self, shifts: np.ndarray) -> "Ledges":
        """Return the ledges repeated after each of the given distances, rising."""
        before, after, gap = (np.tile(values, len(shifts)) for values in (self.before, self.after, self.gap))
        return Ledges((shifts[:, None] + self.at).ravel(), before, after, gap)

    def cleared(
        self,
        distance: np.ndarray,
        ends: tuple[float, float],
        margins: tuple[float, float],
        deep: float,
        drift: np.ndarray,
    ) -> np.ndarray:
        """Return where what reaches between its `ends`, back and front of distances `(...)`, is moved to, so
        that it keeps off risers.

        No riser is then nearer than its margins, metres behind and before it. Where one is deeper in it than
        that, or in its front than
        `deep` metres, it is left. `drift` `(n,)`: how much farther each ledge is for each metre that an end
        is ahead.
        """
        for end, margin, sign, most in (
            (ends[1], margins[1], 1.0, deep),
            (ends[0], margins[0], -1.0, margins[1]),
        ):
            at = np.sort((self.at + end * drift)[sign * self.rise > 0.0])
            if not len(at):
                continue
            reach = distance + end + sign * margin
            row = np.searchsorted(at, reach) - (1 if sign > 0.0 else 0)
            over = sign * (reach - at[np.clip(row, 0, len(at) - 1)])
            distance = np.where(
                (row >= 0) & (row < len(at)) & (over > 0.0) & (over < margin + most),
                distance - sign * over,
                distance,
            )
        return distance


NO_LEDGES = Ledges(np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0, dtype=bool))


def ledges_along(
    ground: Ground, place: Callable[[np.ndarray], np.ndarray], way: tuple[float, float], leg_length: float
) -> Ledges:
    """Return the ledges of the ground between two distances along a line; `place` returns places `(n, 3)` at
    distances `(n,)`."""
    count = max(int(np.ceil((way[1] - way[0]) / (SPACING * leg_length))), 1) + 1
    distance = np.linspace(*way, count)
    height = ground.height(place(distance))
    filled = _filled(height, WIDEST_GAP * leg_length / (distance[1] - distance[0]), DEPTH * leg_length)
    rows = np.flatnonzero(np.abs(np.diff(filled)) > LEDGE * leg_length)
    low, high, before, after = distance[rows], distance[rows + 1], filled[rows], filled[rows + 1]
    gap = np.isnan(height[rows]) | np.isnan(height[rows + 1])
    jump = after - before
    while len(rows) and (high - low).max() > EDGE * leg_length:
        middle = 0.5 * (low + high)
        heights = ground.height(place(middle))
        heights = np.where(np.isnan(heights), np.where(gap, np.minimum(before, after), before), heights)
        later = np.abs(after - heights) > np.abs(heights - before)
        low, before = np.where(later, middle, low), np.where(later, heights, before)
        high, after = np.where(later, high, middle), np.where(later, after, heights)
    ledge = np.abs(after - before) > np.maximum(STEEP * np.abs(jump), LEDGE * leg_length)
    return Ledges((0.5 * (low + high))[ledge], before[ledge], after[ledge], gap[ledge])


def _filled(height: np.ndarray, widest: float, depth: float) -> np.ndarray:
    """Return heights `(n,)` with holes of up to `widest` rows filled as a depth below their surroundings,
    wider ones level."""
    missing = np.isnan(height)
    if not missing.any() or missing.all():
        return np.where(missing, 0.0, height)
    known = np.flatnonzero(~missing)
    filled = height[known[np.clip(np.searchsorted(known, np.arange(len(height)), side="right") - 1, 0, None)]]
    edges = np.flatnonzero(np.diff(missing.astype(int)))
    for first, last in zip(edges[:-1] + 1, edges[1:] + 1, strict=True):
        if missing[first] and last - first <= widest:
            filled[first:last] = min(height[first - 1], height[last]) - depth
    return filled
