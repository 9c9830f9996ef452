"""From edits to the places of prints, and back, for dragging prints."""

from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np

from ...geometry.rotation import to_euler
from ...ground.prints import Prints
from ..inputs.print_edits import PrintEdit, PrintEdits
from ..steps.footsteps import BOTH, Footsteps, footsteps
from ..walker import Walker
from .edited_steps import AROUND, EditedSteps, edited

Keys = Sequence[tuple[int, int]]  # side and number of prints
APART = 40  # steps
_WHOLE_TURN = 2.0 * np.pi


def planned_steps(walker: Walker, first: int, last: int) -> Footsteps:
    """Return both feet's planned steps from number `first` to `last`, and some around them."""
    return footsteps(walker, np.array([[first - AROUND] * 2, [last + AROUND] * 2]) + 0.5)


def _steps_around(walker: Walker, keys: Keys) -> EditedSteps:
    """Return the steps around the given prints, with the walker's edits."""
    numbers = [number for _, number in keys]
    return edited(walker, planned_steps(walker, min(numbers), max(numbers)))


def places_of(walker: Walker, keys: Keys) -> Prints:
    """Return the places of prints `(n,)`, with the walker's edits, in the walk frame."""
    found = Prints(np.zeros((len(keys), 3)), *np.zeros((3, len(keys))))
    for rows in _neighbours(keys):
        near = [keys[row] for row in rows]
        steps = _steps_around(walker, near)
        prints = steps.plan.steps.prints.take(*_rows(steps, near))
        for field in fields(Prints):
            getattr(found, field.name)[rows] = getattr(prints, field.name)
    return found


def touches_of(walker: Walker, keys: Keys) -> np.ndarray:
    """Return the frames `(n,)` on which feet touch prints, with the walker's edits."""
    found = np.zeros(len(keys))
    for rows in _neighbours(keys):
        near = [keys[row] for row in rows]
        steps = _steps_around(walker, near)
        found[rows] = walker.clock.frames(walker.rhythm.seconds_when(steps.touch))[_rows(steps, near)]
    return found


def edits_for(walker: Walker, edits: Sequence[PrintEdit], place: np.ndarray, axes: np.ndarray, on_ground: np.ndarray) -> list[PrintEdit]:
    """Return edits that put their prints at `place` `(n, 3)` with `axes` `(n, 3, 3)`, in the walk frame.

    Prints `on_ground` `(n,)` lie on the ground, whatever height and tilt they are given.  All other values of the edits stay.
    """
    found = dict.fromkeys(range(len(edits)), edits[0]) if edits else {}
    for rows in _neighbours([edit.key for edit in edits]):
        near = _edits_for(walker, [edits[row] for row in rows], place[rows], axes[rows], on_ground[rows])
        found |= dict(zip(rows, near, strict=True))
    return list(found.values())


def _edits_for(walker: Walker, edits: Sequence[PrintEdit], place: np.ndarray, axes: np.ndarray, on_ground: np.ndarray) -> list[PrintEdit]:
    keys = [edit.key for edit in edits]
    steps = _steps_around(walker, keys)
    rows = _rows(steps, keys)
    planned = steps.planned.steps
    course = np.broadcast_to(planned.course, planned.heading.shape)[rows]
    away = place - planned.place[rows]
    along = away[:, 0] * np.cos(course) + away[:, 1] * np.sin(course)
    aside = away[:, 1] * np.cos(course) - away[:, 0] * np.sin(course)
    slope, heading, bank = to_euler(axes)
    yaw = np.mod(heading - planned.heading[rows] + np.pi, _WHOLE_TURN) - np.pi
    flat = [
        replace(edit, along=float(along[row]), aside=float(aside[row]), yaw=float(yaw[row]), height=0.0, slope=0.0, bank=0.0, held=False)
        for row, edit in enumerate(edits)
    ]
    ground = edited(replace(walker, edits=PrintEdits(tuple(flat))), steps.planned).plan.steps.prints.take(*rows)
    lifted = np.where(on_ground, 0.0, [place[:, 2] - ground.place[:, 2], slope - ground.slope, bank - ground.bank])
    return [
        replace(edit, height=float(lifted[0, row]), slope=float(lifted[1, row]), bank=float(lifted[2, row]), held=edits[row].held)
        for row, edit in enumerate(flat)
    ]


def _neighbours(keys: Keys) -> list[list[int]]:
    """Return the rows of prints in groups of near numbers; all steps within a group are planned together."""
    groups: list[list[int]] = []
    for row in sorted(range(len(keys)), key=lambda row: keys[row][1]):
        if not groups or keys[row][1] - keys[groups[-1][-1]][1] > APART:
            groups.append([])
        groups[-1].append(row)
    return groups


def _rows(steps: EditedSteps, keys: Keys) -> tuple[np.ndarray, np.ndarray]:
    sides = np.array([side for side, _ in keys])
    return np.array([number for _, number in keys]) - steps.planned.first[sides], sides


def prints_at(walker: Walker, frame: float) -> list[tuple[int, int]]:
    """Return the print that each foot stands on at a frame, or reaches next; a carried foot has none."""
    phase = walker.rhythm.phases_at(walker.clock.seconds(np.array([frame])))
    steps = footsteps(walker, phase)
    rows = steps.under_way(phase)
    swings = phase > steps.steps.lift[rows, BOTH]
    stand = [side for side in BOTH.tolist() if side != walker.gait.law.contacts.carried]
    return [(side, int(np.floor(phase[0, side])) + int(swings[0, side])) for side in stand]


def next_after(walker: Walker, frame: float) -> tuple[int, int]:
    """Return the next print touched after a frame."""
    phase = walker.rhythm.phases_at(walker.clock.seconds(np.array([frame])))[0]
    side = int(np.argmax(phase - np.floor(phase)))
    return side, int(np.floor(phase[side])) + 1


def prints_within(walker: Walker, first: float, last: float) -> tuple[int, int]:
    """Return the lowest and highest number of prints on which a foot stands between two frames."""
    phase = walker.rhythm.phases_at(walker.clock.seconds(np.array([first, last])))
    return int(np.floor(phase[0].min())), int(np.floor(phase[1].max()))
