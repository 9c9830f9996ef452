"""Footprints drawn in the viewport: soles on the ground, computed once per change, their numbers and frames
beside them."""

from dataclasses import dataclass

import bpy
import gpu
import numpy as np
from bpy.types import Object, Scene
from gpu.types import GPUBatch, GPUIndexBuf, GPUVertBuf, GPUVertFormat

from ....core.acts.act_prints import ActPrints, as_shown
from ....core.character.body import LEFT
from ....core.gait.prints.print_places import planned_steps, prints_within
from ....core.gait.prints.print_shapes import CORNERS, PrintShapes, of_all_feet, print_shapes
from ....core.gait.steps.footsteps import Footsteps
from ....core.gait.walker import Walker
from ....core.geometry.vectors import transformed
from ....core.skeleton.roles import FEET
from ...animation.frame_range import played_range
from ...interface.addon import preferred
from ...interface.screen import drawing, write_beside
from ...live.memory import Memory
from ..show import live
from ..source import memory
from ..walk import WalkSource
from ..way import deck, world
from ..way.path import travels_with

MOST = 1000  # most steps of a foot that are shown
FOR_GOOD = 1e7  # frames
RAISED = 0.004  # leg lengths above the ground, so as not to be hidden by it
LEFT_INK, RIGHT_INK, WRONG_INK = (0.2, 0.55, 1.0), (1.0, 0.6, 0.15), (1.0, 0.1, 0.12)
PLANNED_ALPHA, EDITED_ALPHA = 0.3, 0.65
LINE_WIDTH = 1.5
MOST_LABELS = 120  # most labels, those nearest to the middle of the view
TEXT_SIZE, TEXT_INK, WRONG_TEXT_INK = 11, (1.0, 1.0, 1.0, 0.9), (1.0, 0.45, 0.4, 1.0)
CLEAR_OF, LINE_UP = 10, 14  # pixels beside the print, and above it for acts
NO_ACTS = ActPrints(np.zeros((0, 3)), (), np.zeros((0, CORNERS, 3)), np.zeros(0, dtype=int))


@dataclass(frozen=True)
class ShownPrints:
    """Footprints in the world: `outlines` `(n, corners, 3)`, `places` `(n, 3)`, colours `inks` `(n, 4)`, side
    and number, `keys`, and what they were in the walk frame, `shapes`. `left` `(m, corners, 3)`, `left_inks`
    `(m, 4)`: outlines at lift of feet that turn on the ball, and those of acts. `acts` `(k, 3)`: where acts
    begin and what they touch, with labels `act_labels`.
    """

    outlines: np.ndarray
    places: np.ndarray
    inks: np.ndarray
    shapes: PrintShapes
    is_wrong: np.ndarray
    keys: tuple[tuple[int, int], ...]
    left: np.ndarray
    left_inks: np.ndarray
    acts: np.ndarray
    act_labels: tuple[str, ...]

    def label(self, row: int) -> str:
        """Return what is written beside a footprint: of many, few are near enough."""
        shapes, words = self.shapes, self.shapes.reasons[row]
        told = (
            f"{FEET[shapes.sides[row]]}{shapes.numbers[row]}  {_contact(shapes.touch[row], shapes.lift[row])}"
        )
        return f"{told}  {words}" if words else told


@dataclass(frozen=True)
class _Planned:
    """The steps between two numbers as planned by each girdle of a walker."""

    walker: Walker
    first: int
    last: int
    steps: list[Footsteps]


_planned: Memory[_Planned] = Memory()
_shown: Memory[tuple[tuple, WalkSource, ShownPrints]] = Memory()


def shown(obj: Object, scene: Scene, source: WalkSource) -> ShownPrints:
    """Return the footprints drawn for the scene's frames; cached until the walk or the frames change."""
    to_world = deck.stand(obj, world.AS_IS) @ source.walk_to_armature
    frames = played_range(scene)
    key = *frames, *to_world.ravel().tolist()
    known = _shown.get(obj)
    if known is not None and known[0] == key and known[1] is source:
        return known[2]
    made = in_world(_shapes_of(obj, source, *frames), to_world, source)
    _shown[obj] = key, source, made
    return made


def _shapes_of(obj: Object, source: WalkSource, start: float, end: float) -> PrintShapes:
    """Return the prints of a walk between two frames."""
    program = source.program
    first, last = prints_within(source.walker, *source.walk_frames(np.array([start, end])).tolist())
    last = min(last, first + MOST)
    known = _planned.get(obj)
    if known is None or known.walker is not source.planned or (known.first, known.last) != (first, last):
        steps = [planned_steps(girdle, first, last) for girdle in source.planned.girdles]
        known = _planned[obj] = _Planned(source.planned, first, last, steps)
    found = of_all_feet(
        [
            print_shapes(girdle, steps, first, last)
            for girdle, steps in zip(source.walker.girdles, known.steps, strict=True)
        ]
    )
    return found if program is None else as_shown(program, found)


def in_world(shapes: PrintShapes, to_world: np.ndarray, source: WalkSource) -> ShownPrints:
    """Return prints as drawn, for the transform `(4, 4)` from the walk frame to the world."""
    up = np.array([0.0, 0.0, RAISED * source.body.leg_length])
    is_wrong = np.array([bool(words) for words in shapes.reasons], dtype=bool)
    ink = np.where((shapes.sides % 2 == LEFT)[:, None], LEFT_INK, RIGHT_INK)
    ink = np.where(is_wrong[:, None], WRONG_INK, ink)
    alpha = np.where(shapes.edited | is_wrong, EDITED_ALPHA, PLANNED_ALPHA)
    keys = tuple(zip(shapes.sides.tolist(), shapes.numbers.tolist(), strict=True))

    def placed(points: np.ndarray) -> np.ndarray:
        return transformed(points + up, to_world)

    inks = np.concatenate([ink, alpha[:, None]], axis=1)
    turns, acts = shapes.turns, NO_ACTS if source.program is None else ActPrints.of(source.program)
    act_ink = np.where((acts.sides == LEFT)[:, None], LEFT_INK, RIGHT_INK)
    act_inks = np.concatenate([act_ink, np.full((len(act_ink), 1), EDITED_ALPHA)], axis=1)
    return ShownPrints(
        placed(shapes.outlines),
        placed(shapes.places),
        inks,
        shapes,
        is_wrong,
        keys,
        placed(np.concatenate([shapes.left[turns], acts.soles])),
        np.concatenate([inks[turns], act_inks]),
        placed(acts.places),
        acts.labels,
    )


def _contact(touch: float, lift: float) -> str:
    """Return the frames of a contact; before a walk starts, and where it ends, a foot stands for good."""
    first, last = (f"{frame:.0f}" if abs(frame) < FOR_GOOD else "" for frame in (touch, lift))
    return (
        f"{first}-{last}" if first and last else f"from {first}" if first else f"until {last}" if last else ""
    )


def forget() -> None:
    """Drop what is remembered."""
    _planned.forget()
    _shown.forget()


_batches: Memory[tuple[ShownPrints, GPUBatch, GPUBatch]] = Memory()


def _shown_now() -> list[tuple[Object, ShownPrints]]:
    """Return the footprints of the scene's characters that have been posed since the last change."""
    space, scene = bpy.context.space_data, bpy.context.scene
    if space is None or not space.overlay.show_overlays or not preferred("draw_footprints", True):
        return []
    found = []
    for obj in live.walking(scene):
        source = memory.known(obj)
        if (
            obj.neurarig.walk.show_footprints
            and source is not None
            and travels_with(obj)
            and obj.visible_get()
        ):
            found.append((obj, shown(obj, scene, source)))
    return found


def _draw_soles() -> None:
    found = _shown_now()
    if not found:
        return
    shader = gpu.shader.from_builtin("FLAT_COLOR")
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("LESS_EQUAL")
    gpu.state.line_width_set(LINE_WIDTH)
    for obj, prints in found:
        known = _batches.get(obj)
        if known is None or known[0] is not prints:
            known = _batches[obj] = (prints, *_batches_of(prints))
        for batch in known[1:]:
            batch.draw(shader)
    gpu.state.line_width_set(1.0)
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("NONE")


def _batches_of(prints: ShownPrints) -> tuple[GPUBatch, GPUBatch]:
    """Return the soles' faces and edges, also at lift for feet that turn on the ball."""
    corners = prints.outlines.shape[1]
    around, each = np.arange(1, corners - 1, dtype=np.int32), np.arange(corners, dtype=np.int32)
    face, edge = (
        np.stack([np.zeros_like(around), around, around + 1], axis=-1),
        np.stack([each, (each + 1) % corners], axis=-1),
    )
    lines = np.concatenate([prints.outlines, prints.left])
    solid = np.concatenate([prints.inks, prints.left_inks])
    solid[:, 3] = np.minimum(2.0 * solid[:, 3], 1.0)
    return (
        _batch("TRIS", prints.outlines, prints.inks, _of_each(face, len(prints.outlines), corners)),
        _batch("LINES", lines, solid, _of_each(edge, len(lines), corners)),
    )


def _of_each(index: np.ndarray, count: int, corners: int) -> np.ndarray:
    """Return one outline's indices `(k, n)` repeated for `count` outlines `(count * k, n)`."""
    begin = corners * np.arange(count, dtype=np.int32)[:, None, None]
    return (begin + index).reshape(-1, index.shape[-1])


def _batch(kind: str, outlines: np.ndarray, inks: np.ndarray, index: np.ndarray) -> GPUBatch:
    form = GPUVertFormat()
    for name, numbers in (("pos", 3), ("color", 4)):
        form.attr_add(id=name, comp_type="F32", len=numbers, fetch_mode="FLOAT")
    vertices = GPUVertBuf(form, outlines.shape[0] * outlines.shape[1])
    vertices.attr_fill("pos", np.ascontiguousarray(outlines.reshape(-1, 3), dtype=np.float32))
    vertices.attr_fill("color", np.repeat(inks, outlines.shape[1], axis=0).astype(np.float32))
    return GPUBatch(type=kind, buf=vertices, elem=GPUIndexBuf(type=kind, seq=np.ascontiguousarray(index)))


def _draw_labels() -> None:
    for _, prints in _shown_now():
        inks = np.where(prints.is_wrong[:, None], WRONG_TEXT_INK, TEXT_INK)
        write_beside(prints.places, prints.label, inks, (CLEAR_OF, 0.0), TEXT_SIZE, MOST_LABELS)
        label = prints.act_labels.__getitem__
        write_beside(prints.acts, label, TEXT_INK, (CLEAR_OF, LINE_UP), TEXT_SIZE, MOST_LABELS)


register, _end = drawing(
    ("SpaceView3D", _draw_soles, "POST_VIEW"), ("SpaceView3D", _draw_labels, "POST_PIXEL")
)


def unregister() -> None:
    """Stop drawing."""
    _end()
    _batches.forget()
    forget()
