"""From edits to the places of prints, and back, for dragging prints."""

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace

import numpy as np

from ...geometry.rotation import TURN, to_euler
from ...ground.prints import Prints
from ..inputs.print_edits import PrintEdit, PrintEdits
from ..steps.footsteps import BOTH, Footsteps, footsteps
from ..walker import Walker
from .edited_steps import AROUND, EditedSteps, edited

Keys = Sequence[tuple[int, int]]  # side and number of prints
APART = 40  # steps
_WHOLE_TURN = TURN


def planned_steps(walker: Walker, first: int, last: int) -> Footsteps:
    """Return both feet's planned steps from number `first` to `last`, and some around them."""
    return footsteps(walker, np.array([[first - AROUND] * 2, [last + AROUND] * 2]) + 0.5)


def _around(
    walker: Walker, keys: Keys
) -> Iterator[tuple[list[int], Walker, EditedSteps, tuple[np.ndarray, np.ndarray]]]:
    """Yield prints in groups of near numbers of one girdle, whose steps are planned together.

    Which of the prints they are, the girdle, the steps around them with its edits, and the rows and sides of
    the prints in these.
    """
    groups: list[list[int]] = []
    for row in sorted(range(len(keys)), key=lambda row: (keys[row][0] // 2, keys[row][1])):
        pair, number = keys[row][0] // 2, keys[row][1]
        if not groups or pair != keys[groups[-1][-1]][0] // 2 or number - keys[groups[-1][-1]][1] > APART:
            groups.append([])
        groups[-1].append(row)
    for group in groups:
        sides, numbers = np.array([keys[row] for row in group]).T
        girdle, sides = walker.girdles[sides[0] // 2], sides % 2
        steps = edited(girdle, planned_steps(girdle, int(numbers.min()), int(numbers.max())))
        yield group, girdle, steps, (numbers - steps.planned.first[sides], sides)


def places_of(walker: Walker, keys: Keys) -> Prints:
    """Return the places of prints `(n,)`, with the walker's edits, in the walk frame."""
    laid = Prints(np.zeros((len(keys), 3)), *np.zeros((3, len(keys))))
    for group, _, steps, at in _around(walker, keys):
        prints = steps.plan.steps.prints.take(*at)
        for field in fields(Prints):
            getattr(laid, field.name)[group] = getattr(prints, field.name)
    return laid


def touches_of(walker: Walker, keys: Keys) -> np.ndarray:
    """Return the frames `(n,)` on which feet touch prints, with the walker's edits."""
    touches = np.zeros(len(keys))
    for group, girdle, steps, at in _around(walker, keys):
        touches[group] = walker.clock.frames(girdle.rhythm.seconds_when(steps.touch))[at]
    return touches


def edits_for(
    walker: Walker, edits: Sequence[PrintEdit], place: np.ndarray, axes: np.ndarray, on_ground: np.ndarray
) -> list[PrintEdit]:
    """Return edits that put their prints at `place` `(n, 3)` with `axes` `(n, 3, 3)`, in the walk frame.

    Prints `on_ground` `(n,)` lie on the ground, whatever height and tilt they are given. All other values of
    the edits stay.
    """
    edits_there, (slope, heading, bank) = list(edits), to_euler(axes)
    for group, girdle, steps, at in _around(walker, [edit.key for edit in edits]):
        plan = steps.planned.steps
        course, away = np.broadcast_to(plan.course, plan.heading.shape)[at], place[group] - plan.place[at]
        along = away[:, 0] * np.cos(course) + away[:, 1] * np.sin(course)
        aside = away[:, 1] * np.cos(course) - away[:, 0] * np.sin(course)
        yaw = np.mod(heading[group] - plan.heading[at] + np.pi, _WHOLE_TURN) - np.pi
        flat = [
            replace(
                edits[row], along=ahead, aside=left, yaw=turn, height=0.0, slope=0.0, bank=0.0, held=False
            )
            for row, ahead, left, turn in zip(
                group, along.tolist(), aside.tolist(), yaw.tolist(), strict=True
            )
        ]
        own = PrintEdits(tuple(replace(edit, side=edit.side % 2) for edit in flat))
        ground = edited(replace(girdle, edits=own), steps.planned).plan.steps.prints.take(*at)
        off = [place[group, 2] - ground.place[:, 2], slope[group] - ground.slope, bank[group] - ground.bank]
        for row, edit, (up, tilt, roll) in zip(
            group, flat, np.where(on_ground[group], 0.0, off).T.tolist(), strict=True
        ):
            edits_there[row] = replace(edit, height=up, slope=tilt, bank=roll, held=edits[row].held)
    return edits_there


def prints_at(walker: Walker, frame: float) -> list[tuple[int, int]]:
    """Return the print that each foot stands on at a frame, or reaches next; a carried foot has none."""
    found = []
    for pair, girdle in enumerate(walker.girdles):
        phase = girdle.rhythm.phases_at(walker.clock.seconds(np.array([frame])))
        steps = footsteps(girdle, phase)
        rows = steps.under_way(phase)
        swings = phase > steps.steps.lift[rows, BOTH]
        stand = [side for side in BOTH.tolist() if side != walker.gait.law.contacts.carried]
        found += [(side + 2 * pair, int(np.floor(phase[0, side])) + int(swings[0, side])) for side in stand]
    return found


def next_after(walker: Walker, frame: float) -> tuple[int, int]:
    """Return the next print touched after a frame."""
    phase = walker.rhythm.phases_at(walker.clock.seconds(np.array([frame])))[0]
    side = int(np.argmax(phase - np.floor(phase)))
    return side, int(np.floor(phase[side])) + 1


def prints_within(walker: Walker, first: float, last: float) -> tuple[int, int]:
    """Return the lowest and highest number of prints on which a foot stands between two frames."""
    phase = walker.rhythm.phases_at(walker.clock.seconds(np.array([first, last])))
    return int(np.floor(phase[0].min())), int(np.floor(phase[1].max()))
