"""What acts touch, for display: the walk's prints as they are shown, and the contacts that acts add to
them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np

from ..body.hold import HANDS
from ..character.motion import rows_of
from ..gait.prints.print_shapes import PrintShapes, outline
from ..geometry.rotation import rotated
from ..skeleton.roles import SIDES
from .feet import Stance
from .program import PlayedAct, Program
from .staging import Staged


@dataclass(frozen=True)
class ActPrints:
    """Acts and what they touch: `places` `(n, 3)` with a label each, and outlines of soles beside the walk's
    prints, `soles` `(m, corners, 3)`, of the `sides` `(m,)`; metres in the walk frame.
    """

    places: np.ndarray
    labels: tuple[str, ...]
    soles: np.ndarray
    sides: np.ndarray

    @classmethod
    def of(cls, program: Program) -> "ActPrints":
        """Return what the acts of a walk touch."""
        corners = outline(program.walker.sole)
        roots = program.pose(np.array([span.begin for span in program.spans])).root.position
        marks = [
            (root, span.name, span.begin, span.end) for root, span in zip(roots, program.spans, strict=True)
        ]
        soles, sides = [], []
        for one in program.played:
            for side, stance in _own_stances(one.staged):
                soles.append(rotated(stance.on.axes, corners[side]) + stance.on.place)
                sides.append(side)
            marks += [
                (place, name, *(one.begin + program.walker.clock.fps * at for at in (begin, end)))
                for place, name, begin, end in _contacts(one.staged)
            ]
        return cls(
            np.reshape([place for place, *_ in marks], (-1, 3)),
            tuple(f"{name}  {round(begin)}-{round(end)}" for _, name, begin, end in marks),
            np.reshape(soles, (-1, *corners.shape[1:])),
            np.array(sides, dtype=int),
        )


def _own_stances(staged: Staged) -> Iterator[tuple[int, Stance]]:
    """Yield side and stance on the prints of an act that are not the walk's."""
    for side, stances in enumerate(staged.stances):
        yield from ((side, one) for one in stances if one.begin > 0.0 and one.end < staged.seconds)


def _contacts(staged: Staged) -> Iterator[tuple[np.ndarray, str, float, float]]:
    """Yield place, name, and begin and end in seconds of play, of what an act touches beside the walk's
    prints."""
    yield from (
        (one.on.place, f"{SIDES[side]} foot", one.begin, one.end) for side, one in _own_stances(staged)
    )
    yield from ((one.place, "seat", one.begin, one.end) for one in staged.rests if one.place is not None)
    yield from (
        (one.place, f"{SIDES[HANDS.index(one.point)]} hand", one.begin, one.end)
        for one in staged.grips
        if one.place is not None
    )


def as_shown(program: Program, shapes: PrintShapes) -> PrintShapes:
    """Return the walk's prints on the frames on which they are shown, without those that acts leave out."""
    touch, lift = (
        np.array([program.shown(frame) for frame in frames.tolist()])
        for frames in (shapes.touch, shapes.lift)
    )
    kept = np.ones(len(touch), dtype=bool)
    for one in program.played:
        lands, leaves = (
            (one.left < frames) & (frames < one.entered) for frames in (shapes.touch, shapes.lift)
        )
        kept &= ~(lands & leaves)
        for side in range(2):
            first, last = _edges(one, side, program.walker.clock.fps)
            touch = np.where(lands & (shapes.sides == side), last, touch)
            lift = np.where(leaves & (shapes.sides == side), first, lift)
    reasons = tuple(compress(shapes.reasons, kept))
    return rows_of(replace(shapes, touch=touch, lift=lift, reasons=reasons), kept)


def _edges(one: PlayedAct, side: int, fps: float) -> tuple[float, float]:
    """Return the frames on which a foot leaves the print before an act, and touches the one after it."""
    stances = one.staged.stances[side]
    return one.begin + fps * stances[0].end, one.begin + fps * stances[-1].begin
