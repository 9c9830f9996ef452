"""What is drawn of a character's footprints, computed once per change."""

from dataclasses import dataclass

import bpy
import numpy as np

from ....core.character.body import LEFT
from ....core.gait.prints.print_places import planned_steps, prints_within
from ....core.gait.prints.print_shapes import PrintShapes, print_shapes
from ....core.gait.steps.footsteps import Footsteps
from ....core.gait.walker import Walker
from ...live.memory import Memory
from ..ground import deck, world
from ..walk import WalkSource

MOST = 1000  # most steps of a foot that are shown
RAISED = 0.004  # leg lengths above the ground, so as not to be hidden by it
LEFT_INK, RIGHT_INK, WRONG_INK = (0.2, 0.55, 1.0), (1.0, 0.6, 0.15), (1.0, 0.1, 0.12)
PLANNED_ALPHA, EDITED_ALPHA = 0.3, 0.65


@dataclass(frozen=True)
class ShownPrints:
    """Footprints in the world: `outlines` `(n, corners, 3)`, `places` `(n, 3)`, colours `inks` `(n, 4)`, the label of
    each, and side and number, `keys`.  `left` `(m, corners, 3)`, `left_inks` `(m, 4)`: outlines at lift of feet
    that turn on the ball.
    """

    outlines: np.ndarray
    places: np.ndarray
    inks: np.ndarray
    labels: tuple[str, ...]
    is_wrong: np.ndarray
    keys: tuple[tuple[int, int], ...]
    left: np.ndarray
    left_inks: np.ndarray


@dataclass(frozen=True)
class _Planned:
    """The steps between two numbers as planned by a walker."""

    walker: Walker
    first: int
    last: int
    steps: Footsteps


_planned: Memory[_Planned] = Memory()
_shown: Memory[tuple[tuple, WalkSource, ShownPrints]] = Memory()


def shown(obj: bpy.types.Object, scene: bpy.types.Scene, source: WalkSource) -> ShownPrints:
    """Return the footprints drawn for the scene's frames; cached until the walk or the frames change."""
    to_world = deck.stand(obj, world.AS_IS) @ source.walk_to_armature
    key = scene.frame_start, scene.frame_end, *to_world.ravel().tolist()
    known = _shown.get(obj)
    if known is not None and known[0] == key and known[1] is source:
        return known[2]
    made = in_world(shapes_of(obj, source, scene.frame_start, scene.frame_end), to_world, source)
    _shown[obj] = key, source, made
    return made


def shapes_of(obj: bpy.types.Object, source: WalkSource, start: float, end: float) -> PrintShapes:
    """Return the prints of a walk between two frames."""
    first, last = prints_within(source.walker, start, end)
    last = min(last, first + MOST)
    known = _planned.get(obj)
    if known is None or known.walker is not source.planned or (known.first, known.last) != (first, last):
        known = _planned[obj] = _Planned(source.planned, first, last, planned_steps(source.planned, first, last))
    return print_shapes(source.walker, known.steps, first, last)


def in_world(shapes: PrintShapes, to_world: np.ndarray, source: WalkSource) -> ShownPrints:
    """Return prints as drawn, for the transform `(4, 4)` from the walk frame to the world."""
    up = np.array([0.0, 0.0, RAISED * source.body.leg_length])
    is_wrong = np.array([bool(words) for words in shapes.reasons], dtype=bool)
    ink = np.where((shapes.sides == LEFT)[:, None], LEFT_INK, RIGHT_INK)
    ink = np.where(is_wrong[:, None], WRONG_INK, ink)
    alpha = np.where(shapes.edited | is_wrong, EDITED_ALPHA, PLANNED_ALPHA)
    names = ("L" if side == LEFT else "R" for side in shapes.sides)
    frames = (np.rint(each).astype(int).tolist() for each in (shapes.touch, shapes.lift))
    labels = tuple(
        f"{name}{number}  {touch}-{lift}" + (f"  {words}" if words else "")
        for name, number, touch, lift, words in zip(names, shapes.numbers.tolist(), *frames, shapes.reasons, strict=True)
    )

    keys = tuple(zip(shapes.sides.tolist(), shapes.numbers.tolist(), strict=True))

    def placed(points: np.ndarray) -> np.ndarray:
        return (points + up) @ to_world[:3, :3].T + to_world[:3, 3]

    inks = np.concatenate([ink, alpha[:, None]], axis=1)
    turns = shapes.turns
    return ShownPrints(
        placed(shapes.outlines), placed(shapes.places), inks, labels, is_wrong, keys, placed(shapes.left[turns]), inks[turns]
    )


def forget() -> None:
    """Drop what is remembered."""
    _planned.forget()
    _shown.forget()
