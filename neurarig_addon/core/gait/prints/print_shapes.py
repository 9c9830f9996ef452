"""Footprints for display: outlines of soles, their times, and what is wrong with any."""

from dataclasses import dataclass

import numpy as np

from ...geometry.rotation import rotated
from ...ground.fitting import BALL_WIDTH
from ...ground.sole import Sole
from ..steps.ball_pivot import ball_of
from ..steps.footsteps import BOTH, Footsteps
from ..walker import Walker
from .edited_steps import EditedSteps, edited
from .print_limits import reasons

CORNERS = 20
HEEL_WIDTH = 0.65  # share of the ball's width
DRAWN_WIDER = 1.35  # x the sole, as shoes are wider


@dataclass(frozen=True)
class PrintShapes:
    """Prints `(n,)`: `sides`, `numbers`, frames of `touch` and `lift`, whether they are `edited`, and why no leg can reach them.

    `outlines` `(n, CORNERS, 3)` and `places` `(n, 3)`: metres in the walk frame.  `turns` `(n,)`: the foot turns on its ball; `left`
    `(n, CORNERS, 3)`: outlines at lift.
    """

    sides: np.ndarray
    numbers: np.ndarray
    touch: np.ndarray
    lift: np.ndarray
    edited: np.ndarray
    reasons: tuple[str, ...]
    outlines: np.ndarray
    places: np.ndarray
    turns: np.ndarray
    left: np.ndarray


def print_shapes(walker: Walker, planned: Footsteps, first: int, last: int) -> PrintShapes:
    """Return prints `first` to `last` of both feet, which are among the `planned` steps, with the walker's edits; without skipped ones."""
    steps = edited(walker, planned)
    why = {(row, side): words for row, side, words in reasons(walker, steps)}
    rows, sides = np.arange(first, last + 1).repeat(2), np.tile(BOTH, last + 1 - first)
    rows = rows - planned.first[sides]
    stands = ~steps.stays[rows, sides] & (sides != walker.gait.law.contacts.carried)
    rows, sides = rows[stands], sides[stands]
    prints = steps.plan.steps.prints.take(rows, sides)
    ball_pivot = steps.plan.steps.ball_pivot[rows, sides]
    outlines, left = (
        rotated(each.axes[:, None], outline(walker.sole)[sides]) + each.place[:, None]
        for each in (prints, prints.turned(ball_of(walker.sole)[sides], ball_pivot))
    )
    return PrintShapes(
        sides=sides,
        numbers=rows + planned.first[sides],
        touch=walker.frames_at(walker.rhythm.seconds_when(steps.touch))[rows, sides],
        lift=walker.frames_at(walker.rhythm.seconds_when(_leaving(steps)))[rows, sides],
        edited=steps.edited[rows, sides],
        reasons=tuple(why.get((int(row), int(side)), "") for row, side in zip(rows, sides, strict=True)),
        outlines=outlines,
        places=prints.place,
        turns=ball_pivot != 0.0,
        left=left,
    )


def _leaving(steps: EditedSteps) -> np.ndarray:
    """Return the phases at which feet leave their prints `(steps, 2)`; a foot that stays leaves with the last print it skips."""
    count = len(steps.stays)
    goes = np.where(np.concatenate([steps.stays[1:], np.zeros((1, 2), dtype=bool)]), count - 1, np.arange(count)[:, None])
    last = np.minimum.accumulate(goes[::-1], axis=0)[::-1]
    return steps.leave[last, BOTH]


def outline(sole: Sole) -> np.ndarray:
    """Return the soles' outlines seen from above `(2, CORNERS, 3)`, relative to prints, counterclockwise."""
    turn = 2.0 * np.pi * np.arange(CORNERS) / CORNERS
    half = DRAWN_WIDER * BALL_WIDTH * sole.length
    middle, reach = 0.5 * (sole.heel[:, 0] + sole.toe[:, 0]), 0.5 * (sole.toe[:, 0] - sole.heel[:, 0])
    ahead = np.sign(np.cos(turn)) * np.abs(np.cos(turn)) ** 0.8
    wide = half * (1.0 + HEEL_WIDTH + (1.0 - HEEL_WIDTH) * np.cos(turn)) / 2.0 * np.sign(np.sin(turn)) * np.abs(np.sin(turn)) ** 0.7
    x = middle[:, None] + reach[:, None] * ahead
    y = 0.5 * (sole.heel[:, 1] + sole.toe[:, 1])[:, None] + wide
    return np.stack([x, y, np.zeros_like(x)], axis=-1)
