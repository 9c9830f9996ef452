"""A path along a drawn line: smoothed over half a step, so that a body can follow it, and slower in bends.

A line is smoothed and measured once; everything else is read from a table. An open path ends with a stop, or
goes straight on; it is
entered straight on, or from standing.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..easing import hermite, piece, running
from ..errors import NeuraRigError
from .line import continued, headings_of, rounded, smoothed, spacing_of
from .marks import Mark, placed
from .path import Along, in_order
from .table import Table, bend_paces, paced, with_marks

# leg lengths: standard deviation of the smoothing of the curvature that a body responds to
BEND_SMOOTH = 0.12
STEEPEST = 2.0  # rise over run: steeper paths cannot be walked
SHARPEST = 20.0  # radians per leg length: a smoothed line that turns faster goes back on itself
# share of the full speed below which each row of the table is subdivided, and into how many parts
SLOW, FINER = 0.3, 6
GETTING_READY = 0.435  # x sqrt(leg in metres), seconds: the weight shift before the first step


@dataclass(frozen=True)
class Curve:
    """A smoothed line as a table of `places` `(n, 3)`, `spacing` metres apart as seen from above.

    `headings`, `bends` `(n,)`: heading, and the curvature a body responds to. `paces` `(n,)`: speed relative
    to a straight.
    `is_closed`: the last place is the first again, a lap later. `marks`: in order along the path. `starts`:
    from standing.
    `moves` `(n - 1,)`: whether the place changes from row to row, not only the heading; None for everywhere.
    """

    places: np.ndarray
    headings: np.ndarray
    bends: np.ndarray
    paces: np.ndarray
    spacing: float
    is_closed: bool
    marks: tuple[Mark, ...] = ()
    starts: bool = False
    moves: np.ndarray | None = None

    turns = varies = True

    @classmethod
    def through(
        cls,
        points: np.ndarray,
        leg_length: float,
        is_closed: bool = False,
        slows: bool = True,
        starts: bool = False,
        start_turn: float = 0.0,
        marks: tuple[Mark, ...] = (),
        ends: bool = True,
        spacing: float = 0.0,
    ) -> "Curve":
        """Return the path along a line through points `(n, 3)` in metres, for a leg length; `slows`: in
        bends, as people do.

        `starts`: an open path is entered from standing, turned by `start_turn` radians off the path. `ends`:
        it ends with a stop;
        otherwise it goes straight on. `spacing`: metres between points that are the table's places as they
        are.
        Marks are moved to the nearest place of the table, at most a hundredth of a leg; on long paths three
        of them.
        Raises NeuraRigError, saying what is wrong with the line or its marks, if it cannot be walked.
        """
        line = points if spacing else rounded(np.asarray(points, dtype=float), leg_length, is_closed)[0]
        spacing = spacing or spacing_of(line)
        headings = headings_of(line, is_closed)
        turning = np.gradient(continued(headings, 1, is_closed), spacing)[1:-1]
        if np.abs(turning).max() * leg_length > SHARPEST:
            raise NeuraRigError(
                "The path turns back on itself at one point; round it there, or make it a loop."
            )
        bends = smoothed(turning[:, None], BEND_SMOOTH * leg_length / spacing, is_closed, fades=True)[:, 0]
        squared = bend_paces(bends, leg_length) if slows else np.ones_like(bends)
        starts &= not is_closed
        getting_ready = (Mark(0.0, GETTING_READY * float(np.sqrt(leg_length))),) if starts else ()
        marked = getting_ready + placed(marks, line, spacing, is_closed, starts)
        table = with_marks(
            Table.of(line, headings, bends, squared),
            marked,
            spacing,
            leg_length,
            start_turn if starts else 0.0,
        )
        stops = ends and not is_closed
        halts = [round(mark.way / spacing) for mark in table.marks if mark.pause > 0.0] + [
            len(table.places) - 1
        ] * stops
        paces = paced(
            table.squared, table.moves, spacing / leg_length, np.unique(halts).astype(int), is_closed
        )
        return cls(
            table.places,
            table.headings,
            table.bends,
            paces,
            spacing,
            is_closed,
            table.marks,
            starts,
            table.moves,
        )

    @property
    def length(self) -> float:
        """Length in metres; of one lap if closed."""
        return self.spacing * (len(self.places) - 1)

    @property
    def extent(self) -> tuple[float, float]:
        """See Path."""
        return 0.0, self.length

    @property
    def lap(self) -> float:
        """See Path."""
        return self.length if self.is_closed else 0.0

    @property
    def spots(self) -> np.ndarray:
        """See Path."""
        return self._spots

    @cached_property
    def _spots(self) -> np.ndarray:
        if self.moves is None or self.moves.all():
            return np.zeros((0, 2))
        stops = [round(mark.way / self.spacing) for mark in self.marks]
        rows = np.unique(
            np.concatenate([stops, np.flatnonzero(np.diff(self.moves)) + 1, [0, len(self.moves)]])
        ).astype(int)
        between = np.stack([rows[:-1], rows[1:]], axis=-1)
        return self.spacing * between[~self.moves[between[:, 0]]]

    @property
    def drawn(self) -> "Curve":
        """Return the path itself."""
        return self

    def at(self, distance: np.ndarray) -> Along:
        """See Path; between rows of the table Hermite cubics along its headings, before and after an open
        path straight on."""
        laps, on_path, row, share = self._place(distance)
        beyond = distance - laps * self.length - on_path
        s = share[..., None]
        moves = 1.0 if self.moves is None else self.moves[row][..., None]
        place = hermite(
            s,
            self.places[row],
            moves * self._slopes[row],
            self.places[row + 1],
            moves * self._slopes[row + 1],
        )
        bend = (1.0 - share) * self.bends[row] + share * self.bends[row + 1]
        along = Along(place, self._heading(laps, row, share), np.where(beyond == 0.0, bend, 0.0))
        return along if self.is_closed else replace(along, place=place + beyond[..., None] * along.ahead)

    def heading_at(self, distance: np.ndarray) -> np.ndarray:
        """See Path."""
        laps, _, row, share = self._place(distance)
        return self._heading(laps, row, share)

    def _heading(self, laps: np.ndarray, row: np.ndarray, share: np.ndarray) -> np.ndarray:
        start, end = self.headings[row], self.headings[row + 1]
        return start + share * (end - start) + laps * (self.headings[-1] - self.headings[0])

    def _place(self, distance: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return what distances `(...)` are on the table: laps before, metres into the lap, the row before,
        and a share of the way on."""
        distance = np.asarray(distance, dtype=float)
        laps = np.floor(distance / self.length) if self.is_closed else np.zeros_like(distance)
        on_path = np.minimum(np.maximum(distance - laps * self.length, 0.0), self.length)
        row = np.minimum((on_path / self.spacing).astype(int), len(self.places) - 2)
        return laps, on_path, row, on_path / self.spacing - row

    def curvature(self, distance: np.ndarray) -> np.ndarray:
        """See Path."""
        rows = np.asarray(distance, dtype=float) / self.spacing
        at = np.arange(len(self.bends))
        return (
            np.interp(np.mod(rows, at[-1]), at, self.bends)
            if self.is_closed
            else np.interp(rows, at, self.bends, left=0.0, right=0.0)
        )

    @cached_property
    def _slopes(self) -> np.ndarray:
        """Change of places per row of the table `(n, 3)`: along the heading, with the slope of the places."""
        rise = np.gradient(continued(self.places[:, 2], 1, self.is_closed))[1:-1]
        return np.stack(
            [self.spacing * np.cos(self.headings), self.spacing * np.sin(self.headings), rise], -1
        )

    @cached_property
    def _efforts(self) -> np.ndarray:
        """The effort `(n,)` until each row: metres on a straight in the same time; exact where speed changes
        evenly with time."""
        return running(2.0 * self.spacing / (self.paces[1:] + self.paces[:-1]))

    def advance(self, distance: np.ndarray) -> np.ndarray:
        """See Path."""
        if self.moves is None or self.moves.all():
            return np.ones(np.shape(distance))
        row = np.clip(np.asarray(distance) / self.spacing, 0, len(self.moves) - 1).astype(int)
        return self.moves[row].astype(float)

    def pace(self, distance: np.ndarray) -> np.ndarray:
        """See Path."""
        if self.is_closed:
            distance = np.mod(distance, self.length)
        before = 0.0 if self.starts else 1.0
        return np.sqrt(
            np.interp(distance, self.spacing * np.arange(len(self.paces)), self.paces**2, left=before)
        )

    def distance_of(self, effort: np.ndarray) -> np.ndarray:
        """See Path."""
        effort = np.asarray(effort, dtype=float)
        lap = self._efforts[-1]
        if self.is_closed:
            laps = np.floor(effort / lap)
            return laps * self.length + self._within(effort - laps * lap)
        before = 0.0 if self.starts else np.minimum(effort, 0.0)
        after = self.paces[-1] * np.maximum(effort - lap, 0.0)
        return before + self._within(np.clip(effort, 0.0, lap)) + after

    def _within(self, effort: np.ndarray) -> np.ndarray:
        """Return the distance within one lap; between rows of the table speed changes evenly with effort."""
        row = piece(self._efforts, effort)
        share = (effort - self._efforts[row]) / (self._efforts[row + 1] - self._efforts[row])
        start, end = self.paces[row], self.paces[row + 1]
        return self.spacing * (row + (2.0 * start * share + (end - start) * share * share) / (start + end))

    def effort(self, distance: float) -> float:
        """See Path."""
        row = min(max(int(distance / self.spacing), 0), len(self._efforts) - 2)
        share = min(max(distance / self.spacing - row, 0.0), 1.0)
        return float(self._efforts[row] + share * (self._efforts[row + 1] - self._efforts[row]))

    def knots(self, start: float, end: float) -> np.ndarray:
        """See Path."""
        if not self.is_closed:
            return self._knots[(self._knots >= start) & (self._knots <= end)]
        lap = self._efforts[-1]
        laps = np.arange(np.floor(start / lap), np.ceil(end / lap))
        return (laps[:, None] * lap + self._knots[:-1]).reshape(-1)

    @cached_property
    def _knots(self) -> np.ndarray:
        """The efforts of the table's rows, subdivided where the walk sets off and stops, as short distances
        take long there."""
        slow = np.flatnonzero((self.paces[1:] < SLOW) | (self.paces[:-1] < SLOW))
        step = np.diff(self._efforts)[slow]
        between = self._efforts[slow] + np.linspace(0.0, 1.0, FINER, endpoint=False)[1:, None] * step
        return in_order(self._efforts, between.T.reshape(-1))
