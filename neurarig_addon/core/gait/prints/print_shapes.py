"""Footprints for display: outlines of soles, their times, and what is wrong with any."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from ...body.sole import Sole
from ...geometry.rotation import TURN, norms, rotated
from ...ground.fitting import BALL_WIDTH, MOST_BANK, STEEPEST
from ..steps.foot_headings import MOST_INWARD, MOST_OUTWARD, ball_of, is_even
from ..steps.footsteps import BOTH, Footsteps, Steps
from ..steps.placement import SIDE_SIGN
from ..walker import Walker
from .edited_steps import EditedSteps, edited
from .follow import FOLLOWS

LONGEST_STEP, MOST_RISE = 1.3, 0.45  # leg lengths from the other foot's print before
QUICKEST_SWING, QUICKEST_STANCE = 0.91, 0.75  # x the planned ones: knees and toes move half as fast again
FARTHER_LEAP = 1.15  # x the planned one: a step with a flight
FARTHEST_PIVOT = np.radians(90.0)
TILT_ROUNDS = 1e-6  # radians: prints on steep ground are tilted up to the limits themselves
CROSSED = -0.02  # leg lengths that a foot may cross past the other
CORNERS = 20
HEEL_WIDTH = 0.65  # share of the ball's width
DRAWN_WIDER = 1.35  # x the sole, as shoes are wider


def reasons(walker: Walker, steps: EditedSteps) -> dict[tuple[int, int], str]:
    """Return row and side of edited steps that no leg can do -> the reason in a few words; the first row
    counts as good."""
    leg, plan, planned = walker.body.leg_length, steps.plan.steps, steps.planned.steps
    known, apart, flies, late, most = _after_the_other(walker, steps)
    course = np.broadcast_to(plan.course, plan.heading.shape)
    way, rise = norms(apart[..., :2]), apart[..., 2]
    beside = SIDE_SIGN * (apart[..., 1] * np.cos(course) - apart[..., 0] * np.sin(course))
    half_way, as_planned = (each.heading + 0.5 * each.ball_pivot for each in (plan, planned))
    out = SIDE_SIGN * (as_planned - course + (1.0 - FOLLOWS) * (half_way - as_planned))
    swing, stance = _quickness(steps)
    edited, follows = (
        steps.edited & ~steps.stays,
        np.concatenate([np.zeros((1, 2), dtype=bool), steps.edited[:-1]]),
    )

    def metres(values: np.ndarray, row: int, side: int) -> str:
        return f"{abs(values[row, side]):.2f} m"

    stride = np.zeros_like(way)
    stride[1:] = np.where(steps.stays[:-1], norms(np.diff(plan.place, axis=0)[..., :2]), 0.0)
    reasons_by_print = [
        (
            known & ~flies & (way > most),
            lambda at: f"step of {metres(way, *at)}, the leg reaches {metres(most, *at)}",
        ),
        (
            known & flies & (way > most),
            lambda at: f"step of {metres(way, *at)}, at this speed {metres(most, *at)} at most",
        ),
        (
            stride > 2.0 * LONGEST_STEP * leg,
            lambda at: f"the foot stays {metres(stride, *at)} behind, too far for a stride",
        ),
        (
            known & (rise > MOST_RISE * leg),
            lambda at: f"{metres(rise, *at)} up, a step goes up {MOST_RISE * leg:.2f} m",
        ),
        (
            known & (rise < -MOST_RISE * leg),
            lambda at: f"{metres(rise, *at)} down, a step goes down {MOST_RISE * leg:.2f} m",
        ),
        (known & edited & (beside < CROSSED * leg), lambda at: "crosses the other foot"),
        (edited & (out > MOST_OUTWARD), lambda at: "turned out farther than the hip"),
        (edited & (out < -MOST_INWARD), lambda at: "turned in farther than the hip"),
        (edited & _too_tilted(plan), lambda at: "tilted farther than the ankle"),
        (edited & late, lambda at: "the other foot has left the ground by then"),
        (edited & (np.abs(plan.ball_pivot) > FARTHEST_PIVOT), lambda at: "turns too far on the ball"),
        (edited & _on_uneven_ground(walker, plan), lambda at: "turns on the ball on ground that is not flat"),
        ((swing < QUICKEST_SWING) & (steps.edited | follows), lambda at: "comes too quickly"),
        ((stance < QUICKEST_STANCE) & edited, lambda at: "leaves too quickly"),
    ]
    reasons_of: dict[tuple[int, int], str] = {}
    for wrong, words in reasons_by_print:
        for row, side in np.argwhere(wrong).tolist():
            reasons_of.setdefault((row, side), words((row, side)))
    return reasons_of


def _after_the_other(walker: Walker, steps: EditedSteps) -> tuple[np.ndarray, ...]:
    """Return how steps `(steps, 2)` follow the other foot's steps that are under way at planned touchdowns.

    Whether these are known; metres `(steps, 2, 3)` from their prints; whether the other foot has left by
    then, as planned, in a flight, or too early; how far a leg reaches, in metres.
    """
    plan, planned, to_other = steps.plan.steps, steps.planned.steps, walker.rhythm.of_the_other
    number = np.floor(to_other(planned.contact)).astype(int) - steps.planned.first[::-1]
    known, others = (number >= 0) & (number < len(number)), (np.clip(number, 0, len(number) - 1), BOTH[::-1])
    flies = to_other(planned.contact) > planned.lift[others]
    late = known & ~flies & (to_other(steps.touch) > steps.leave[others])
    apart, planned_apart = (each.place - each.place[others] for each in (plan, planned))
    longest, leap = LONGEST_STEP * walker.body.leg_length, FARTHER_LEAP * norms(planned_apart[..., :2])
    return known, apart, flies, late, np.where(flies, np.maximum(longest, leap), longest)


def _too_tilted(plan: Steps) -> np.ndarray:
    """Return which prints are tilted farther than ankles go `(steps, 2)`; planned ones never are (see
    `fitted`)."""
    return (np.abs(plan.slope) > STEEPEST + TILT_ROUNDS) | (np.abs(plan.bank) > MOST_BANK + TILT_ROUNDS)


def _on_uneven_ground(walker: Walker, plan: Steps) -> np.ndarray:
    """Return which feet turn on the ball where the ground is not a plane `(steps, 2)`."""
    if walker.ground.is_level or not plan.ball_pivot.any():
        return np.zeros(plan.heading.shape, dtype=bool)
    return (plan.ball_pivot != 0.0) & ~is_even(walker, plan.prints, plan.ball_pivot, walker.ground)


def _quickness(steps: EditedSteps) -> tuple[np.ndarray, np.ndarray]:
    """Return the durations of swings and stances `(steps, 2)`, relative to the planned ones."""
    swing, plan = np.ones(steps.touch.shape), steps.plan.steps
    swing[1:] = (steps.touch[1:] - steps.leave[:-1]) / (plan.contact[1:] - plan.lift[:-1])
    return np.where(steps.stays, 1.0, swing), np.where(
        steps.stays, 1.0, (steps.leave - steps.touch) / plan.duty
    )


@dataclass(frozen=True)
class PrintShapes:
    """Prints `(n,)`: `sides`, those of fore feet 2 and 3, `numbers`, frames of `touch` and `lift`, whether
    they are `edited`, and why no leg can reach them.

    `outlines` `(n, CORNERS, 3)` and `places` `(n, 3)`: metres in the walk frame. `turns` `(n,)`: the foot
    turns on its ball; `left`
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


def of_all_feet(girdles: Sequence[PrintShapes]) -> PrintShapes:
    """Return the prints of all girdles, the hind one's first."""
    if len(girdles) == 1:
        return girdles[0]
    found = {
        field.name: np.concatenate([getattr(girdle, field.name) for girdle in girdles])
        for field in fields(PrintShapes)
        if field.name != "reasons"
    }
    found["sides"] = np.concatenate([girdle.sides + 2 * row for row, girdle in enumerate(girdles)])
    return PrintShapes(**found, reasons=tuple(words for girdle in girdles for words in girdle.reasons))


def print_shapes(walker: Walker, planned: Footsteps, first: int, last: int) -> PrintShapes:
    """Return prints `first` to `last` of both feet, which are among the `planned` steps, with the walker's
    edits; without skipped ones."""
    steps = edited(walker, planned)
    why = reasons(walker, steps)
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
        touch=walker.clock.frames(walker.rhythm.seconds_when(steps.touch))[rows, sides],
        lift=walker.clock.frames(walker.rhythm.seconds_when(_leaving(steps)))[rows, sides],
        edited=steps.edited[rows, sides],
        reasons=tuple(why.get((int(row), int(side)), "") for row, side in zip(rows, sides, strict=True)),
        outlines=outlines,
        places=prints.place,
        turns=ball_pivot != 0.0,
        left=left,
    )


def _leaving(steps: EditedSteps) -> np.ndarray:
    """Return the phases at which feet leave their prints `(steps, 2)`; a foot that stays leaves with the last
    print it skips."""
    count = len(steps.stays)
    goes = np.where(
        np.concatenate([steps.stays[1:], np.zeros((1, 2), dtype=bool)]), count - 1, np.arange(count)[:, None]
    )
    last = np.minimum.accumulate(goes[::-1], axis=0)[::-1]
    return steps.leave[last, BOTH]


def outline(sole: Sole) -> np.ndarray:
    """Return the soles' outlines seen from above `(2, CORNERS, 3)`, relative to prints, counterclockwise."""
    turn = TURN * np.arange(CORNERS) / CORNERS
    half = DRAWN_WIDER * BALL_WIDTH * sole.length
    middle, reach = 0.5 * (sole.heel[:, 0] + sole.toe[:, 0]), 0.5 * (sole.toe[:, 0] - sole.heel[:, 0])
    ahead = np.sign(np.cos(turn)) * np.abs(np.cos(turn)) ** 0.8
    wide = (
        half
        * (1.0 + HEEL_WIDTH + (1.0 - HEEL_WIDTH) * np.cos(turn))
        / 2.0
        * np.sign(np.sin(turn))
        * np.abs(np.sin(turn)) ** 0.7
    )
    x = middle[:, None] + reach[:, None] * ahead
    y = 0.5 * (sole.heel[:, 1] + sole.toe[:, 1])[:, None] + wide
    return np.stack([x, y, np.zeros_like(x)], axis=-1)
