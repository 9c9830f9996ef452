"""What the live walk costs in a frame, beside Blender's own work in the same frames."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import thread_time

import bpy
import numpy as np

from benchmarks.table import Row, best_of
from neurarig_addon.blender import api
from neurarig_addon.blender.walk.source import source as walk_source
from tests import rigs
from tests.animals import dog

FRAMES = range(1, 121)
WARM_UP = range(1, 11)
CROWD = 100
FRAME_HANDLERS = (bpy.app.handlers.frame_change_pre, bpy.app.handlers.frame_change_post)


def rows() -> list[Row]:
    """Measure the handler on a generated Rigify human, the plan of 250 frames, and the handler on 100
    characters, people and animals, in place and travelling."""
    return [*rigify_rows(), *(row for mode in ("IN_PLACE", "TRAVEL") for row in crowd_rows(mode))]


def crowd_rows(mode: str) -> list[Row]:
    """Measure people, and animals against them."""
    people, animals = crowd_ms(person, mode), crowd_ms(trotting_dog, mode)
    return [
        Row(f"{CROWD} characters, {mode}: handler per frame", people, 25.0, "ms"),
        Row(f"{CROWD} animals, {mode}: against these", animals / people, 2.2, "x"),
    ]


def person(number: int, mode: str) -> None:
    """Make a person that walks at a speed of its own."""
    obj = rigs.build(rigs.biped(), name=f"Walker {number}")
    api.generate_walk(obj, mode=mode, speed=0.8 + 0.01 * number)


def trotting_dog(number: int, mode: str) -> None:
    """Make a dog that trots at a speed of its own."""
    api.generate_walk(dog(f"Dog {number}"), mode=mode, gait="TROT", speed=1.5 + 0.01 * number)


def rigify_rows() -> list[Row]:
    """Measure one Rigify character."""
    new_scene()
    rig = rigs.rigify_human()
    api.generate_walk(rig)
    ours, whole = play(FRAMES)
    source = walk_source.source_of(rig, bpy.context.scene)
    frames = np.arange(1.0, 251.0)
    plan_s = best_of(lambda: source.solve_pose(source.pose(frames)))
    note = f"{1e3 * ours:.3f} ms of ours, {1e3 * (whole - ours):.3f} ms of Blender's"
    return [
        Row(
            "handler per frame, generated Rigify: share of frame_set",
            100.0 * ours / (whole - ours),
            15.0,
            "%",
            note=note,
        ),
        Row("plan and targets of 250 frames in one call", 1e3 * plan_s, 10.0, "ms"),
    ]


def crowd_ms(make: Callable[[int, str], None], mode: str) -> float:
    """Return the handler's milliseconds a frame with 100 characters that walk at different speeds."""
    new_scene()
    for number in range(CROWD):
        make(number, mode)
    ours, _ = play(FRAMES[:40])
    return 1e3 * ours


def new_scene() -> None:
    """Start from an empty scene."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def play(frames: range) -> tuple[float, float]:
    """Play frames and return the median seconds of a frame: inside our handlers, and altogether.

    Seconds of this thread on the processor: what else runs on the machine has no part in them."""
    scene = bpy.context.scene
    with timed_handlers() as spent:
        ours, whole = [], []
        for frame in [*WARM_UP, *frames]:
            spent[0] = 0.0
            start = thread_time()
            scene.frame_set(frame)
            whole.append(thread_time() - start)
            ours.append(spent[0])
    return float(np.median(ours[len(WARM_UP) :])), float(np.median(whole[len(WARM_UP) :]))


@contextmanager
def timed_handlers(lists: Sequence[list] = FRAME_HANDLERS) -> Iterator[list[float]]:
    """Add the seconds spent in NeuraRig's handlers of some lists to the first item of the list that is
    yielded."""
    spent = [0.0]
    kept = [list(handlers) for handlers in lists]
    for handlers in lists:
        handlers[:] = [
            timed(handler, spent) if "neurarig" in handler.__module__ else handler for handler in handlers
        ]
    try:
        yield spent
    finally:
        for handlers, before in zip(lists, kept, strict=True):
            handlers[:] = before


def timed(handler: Callable, spent: list[float]) -> Callable:
    """Return a handler that adds its own time to `spent`."""

    def wrapper(*arguments: object) -> None:
        start = thread_time()
        handler(*arguments)
        spent[0] += thread_time() - start

    return wrapper
