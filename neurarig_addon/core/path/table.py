"""A path as rows at equal distances: how fast people take bends and stops, and the turns on the spot.

A turn on the spot is a stretch of path as long as its steps, along which only the heading changes, as a
bell-shaped rate: the foot on the inside steps out, the other one round it, and the first beside that.
"""

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ..easing import running, smooth_between
from .marks import Mark

# Curvature that halves the energy left for speed, in radians a leg length: 1.1 rad/m for a leg of 0.92 m to
# the sole, 0.845 to the ankle.
TIGHT = 1.1 * 0.845
# Leg lengths of stopping and of getting going: 0.8 m/s^2 at a usual speed. A walk that stops again after a
# short way
# gets going faster: with this, short walks have the mean speeds of people, v0 (1 - exp(-(d / 3.3 m)^0.55))
# (Seethapathi and Srinivasan).
BRAKING, SHORT_BRAKING, SHORT = 1.2, 0.7, 1.1
TURNING = 0.25  # the same for turns on the spot
BRIEFLY = 0.16  # x sqrt(leg in metres): seconds of standing before and after a turn on the spot
# Leg lengths of path in a step of a turn on the spot: half a second at a usual speed, as in recorded people's
# turns.
SPOT_STEP = 0.8
# share of a turn made faster than the rest, in the middle step, and between which shares of the way
AT_ONCE, ONCE = 0.4, (0.3, 0.7)
# Radians turned in a step at most, and by both feet side by side; farther on, one of them has to step out
# first.
MOST_A_STEP, SIDE_BY_SIDE = np.radians([62.0, 20.0])


def bend_paces(bends: np.ndarray, leg_length: float) -> np.ndarray:
    """Return squared relative speeds `(n,)` in bends of a curvature `(n,)`: 1 / (1 + (k / k0)^2)."""
    return 1.0 / (1.0 + (bends * leg_length / TIGHT) ** 2)


def paced(
    squared: np.ndarray, moves: np.ndarray, spacing: float, halts: np.ndarray, is_closed: bool
) -> np.ndarray:
    """Return relative speeds `(n,)` at rows `spacing` leg lengths apart, which move or only turn `(n - 1,)`.

    Their squares never exceed `squared` `(n,)`, are 0 at the rows `halts`, and change with limited
    acceleration.
    """
    count = len(squared)
    squared = squared.copy()
    squared[halts] = 0.0
    if is_closed:
        laps = np.concatenate([squared[:-1], squared, squared[1:]])
        ramp = spacing / BRAKING * np.arange(len(laps))
    else:
        laps, ramp = squared, running(_changes(moves, spacing, halts))
    speeding = np.minimum.accumulate(laps - ramp) + ramp
    slowing = np.minimum.accumulate((laps + ramp)[::-1])[::-1] - ramp
    paces = np.sqrt(np.maximum(np.minimum(speeding, slowing), 0.0))
    paces[halts] = 0.0
    return paces[count - 1 :][:count] if is_closed else paces


def _changes(moves: np.ndarray, spacing: float, halts: np.ndarray) -> np.ndarray:
    """Return the allowed change of squares `(n - 1,)` from row to row, `spacing` leg lengths apart."""
    braking = np.where(moves, BRAKING, TURNING)
    for first, last in pairwise(halts):
        braking[first:last] -= (
            moves[first] * (BRAKING - SHORT_BRAKING) * np.exp(-(last - first) * spacing / SHORT)
        )
    return spacing / braking


def steps_of(turn: float) -> int:
    """Return in how many steps people make a turn on the spot of so many radians: 180 degrees in three, the
    last one closing."""
    return max(2 + (abs(turn) > SIDE_BY_SIDE), math.ceil(abs(turn) / MOST_A_STEP - 1e-9))


@dataclass(frozen=True)
class Table:
    """Rows `(n,)` of a path at equal distances: `places` `(n, 3)`, `headings`, `bends`, `squared` paces.

    `moves` `(n - 1,)`: whether the place changes from row to row.  `marks`: in order, with their `way`.
    """

    places: np.ndarray
    headings: np.ndarray
    bends: np.ndarray
    squared: np.ndarray
    moves: np.ndarray
    marks: tuple[Mark, ...]

    @classmethod
    def of(cls, places: np.ndarray, headings: np.ndarray, bends: np.ndarray, squared: np.ndarray) -> "Table":
        """Return a path without marks."""
        return cls(places, headings, bends, squared, np.ones(len(places) - 1, dtype=bool), ())


def with_marks(
    table: Table, marks: tuple[Mark, ...], spacing: float, leg_length: float, start_turn: float
) -> Table:
    """Return a path of rows `spacing` metres apart with marks at their distances, and the turns on the spot
    that these ask for.

    With a `start_turn` the first mark is at the beginning, turned there; at the end the walk stays turned; in
    between it turns there and back.
    """
    brief = BRIEFLY * float(np.sqrt(leg_length))
    rows: list[np.ndarray] = []
    headings: list[np.ndarray] = []
    marks_placed: list[Mark] = []
    done, last, facing = 0, len(table.places) - 1, float(table.headings[0])

    def stand(mark: Mark) -> None:
        marks_placed.append(replace(mark, way=spacing * (sum(map(len, rows)) - 1)))

    def go(row: int, first: int) -> None:
        rows.append(np.arange(first, row + 1))
        headings.append(table.headings[first : row + 1])

    def turn(row: int, start: float, end: float) -> None:
        share = np.linspace(0.0, 1.0, round(steps_of(end - start) * SPOT_STEP * leg_length / spacing) + 1)[1:]
        turned = start + (end - start) * ((1.0 - AT_ONCE) * share + AT_ONCE * smooth_between(share, *ONCE))
        rows.append(np.full(len(turned), row))
        headings.append(turned)

    for mark in marks:
        row = round(mark.distance / spacing)
        if start_turn and mark is marks[0]:
            rows.append(np.zeros(1, dtype=int))
            headings.append(np.array([facing + start_turn]))
            stand(mark)
            turn(0, facing + start_turn, facing)
            stand(Mark(0.0, brief))
            done = 1
            continue
        if row >= done:
            facing = float(table.headings[row])
        go(row, done)
        done = row + 1
        if not mark.turn:
            stand(mark)
            continue
        stand(replace(mark, pause=brief, act=-1))
        turn(row, facing, facing + mark.turn)
        stand(Mark(mark.distance, max(mark.pause, brief), act=mark.act, marker=mark.marker))
        if row < last:
            turn(row, facing + mark.turn, facing)
            stand(Mark(mark.distance, brief, marker=mark.marker))
        else:
            facing += mark.turn
    go(last, done)
    row = np.concatenate(rows)
    moves = np.diff(row) > 0
    still = np.zeros(len(row), dtype=bool)
    still[1:] |= ~moves
    still[:-1] |= ~moves
    bends = np.where(still, 0.0, table.bends[row])
    squared = np.where(still, 1.0, table.squared[row])
    return Table(table.places[row], np.concatenate(headings), bends, squared, moves, tuple(marks_placed))
