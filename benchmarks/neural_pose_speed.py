"""What a live pose costs while a hand is dragged, stage by stage, and how exactly locks are met meanwhile."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from time import thread_time
from typing import Any, NamedTuple
from unittest.mock import patch

import bpy
import numpy as np

from benchmarks.handler_speed import new_scene
from benchmarks.table import Row
from neurarig_addon.blender import api
from neurarig_addon.blender.neural_pose import follower, live, places
from neurarig_addon.core.neural.drag.drag import Drag
from neurarig_addon.core.neural.points import INDEX
from tests import rigs

STEPS = 300
WARM_UP = 30
SETS = {"MAIN": "7 targets", "FULL": "27 targets"}
# Milliseconds of an update, of the body that gives way, and of all else: within reach, and half out of it.
LIMITS = {
    ("MAIN", "FK"): ((1.7, 1.1, 1.4), (4.8, 3.2, 1.4)),
    ("FULL", "FK"): ((4.8, 3.6, 2.5), (9.5, 6.8, 2.7)),
    ("MAIN", "IK"): ((2.1, 1.4, 1.8), (5.0, 3.4, 1.6)),
}
DRAGGED = "wrist.L"
STAGES = {
    "reading targets": (places.PointPlaces, "read"),
    "drag": (Drag, "apply"),
    "posing": (follower, "turned_channels"),
    "writing": (follower, "put_row"),
}
AGAIN = 20  # updates of the same targets, one after the other


class Circle(NamedTuple):
    """A way of the hand, metres: its `radius`, and where its middle is from where the hand is at first."""

    words: str
    radius: float
    middle: tuple[float, float]

    def at(self, step: int) -> tuple[float, float, float]:
        """Return where the hand is from where it was at first."""
        angle = 2.0 * np.pi * step / STEPS
        return (
            self.middle[0] * (1.0 - np.cos(angle)),
            self.middle[1] * (1.0 - np.cos(angle)),
            self.radius * np.sin(angle),
        )


WITHIN = Circle("all within reach", 0.05, (-0.05, 0.0))
BEYOND = Circle("half out of reach", 0.15, (0.0, -0.15))


def rows() -> list[Row]:
    """Measure the live pose on a generated Rigify human, with few targets and with all, by FK and by IK
    controls."""
    found = []
    for (name, controls), limits in LIMITS.items():
        new_scene()
        rig = rigs.rigify_human()
        api.pose_targets(rig, name, controls=controls)
        words = f"generated Rigify, {SETS[name]}, {controls} controls"
        found += live_rows(rig, words, limits, exact=controls == "FK")
    return found


def live_rows(
    rig: bpy.types.Object, words: str, limits: Iterable[tuple[float, float, float]], exact: bool
) -> list[Row]:
    """Measure one character; `exact`: its locks are met to a tenth of a millimetre."""
    found = []
    for circle, (most, of_body, of_all_else) in zip((WITHIN, BEYOND), limits, strict=True):
        drag(rig, circle)
        ours, whole, missed = drag(rig, circle)
        with timed_stages() as spent:
            in_stages, _, _ = drag(rig, circle)
        each = {stage: float(np.median(seconds)) for stage, seconds in spent.items()}
        stages = ", ".join(
            f"{stage} {1e6 * seconds:.0f}" for stage, seconds in each.items() if stage != "drag"
        )
        note = (
            f"{1e3 * (whole - ours):.1f} ms of Blender's; the same again and again:"
            f" {1e3 * seconds_again(rig, circle):.2f} ms"
        )
        found += [
            Row(
                f"Neural Pose live, {words}, {circle.words}: our Python per update",
                1e3 * ours,
                most,
                "ms",
                note=note,
            ),
            Row("    of this the body that gives way", 1e3 * each["drag"], of_body, "ms"),
            Row(
                "    of this all else",
                1e3 * (in_stages - each["drag"]),
                of_all_else,
                "ms",
                note=f"microseconds: {stages}",
            ),
        ]
        if exact:
            found.append(Row("    locked targets: farthest miss", 1e3 * missed, 0.1, "mm"))
    return found


@contextmanager
def timed_stages() -> Iterator[dict[str, list[float]]]:
    """Note the seconds of each stage of each update."""
    spent: dict[str, list[float]] = {stage: [] for stage in STAGES}
    with ExitStack() as patches:
        for stage, (owner, name) in STAGES.items():
            patches.enter_context(patch.object(owner, name, noted(getattr(owner, name), spent[stage])))
        yield spent


def noted(function: Callable[..., Any], spent: list[float]) -> Callable[..., Any]:
    """Return a function that notes how long each call took, in seconds of its own: a busy machine makes
    others wait."""

    @wraps(function)
    def wrapper(*arguments: Any, **options: Any) -> Any:
        start = thread_time()
        try:
            return function(*arguments, **options)
        finally:
            spent.append(thread_time() - start)

    return wrapper


def drag(rig: bpy.types.Object, circle: Circle) -> tuple[float, float, float]:
    """Drag a hand around a circle; return the median seconds of an update, in our handlers and altogether,
    and the worst miss in metres."""
    handlers = bpy.app.handlers.depsgraph_update_post
    kept, missed = list(handlers), 0.0
    spent: list[float] = []
    handlers[:] = [
        noted(handler, spent) if "neurarig" in handler.__module__ else handler for handler in handlers
    ]
    ours, whole = [], []
    try:
        for step in dragged(rig, circle, range(STEPS)):
            spent.clear()
            begin = thread_time()
            bpy.context.view_layer.update()
            whole.append(thread_time() - begin)
            ours.append(sum(spent))
            if step % 30 == 0:
                missed = max(missed, farthest_miss(rig))
    finally:
        handlers[:] = kept
    return float(np.median(ours[WARM_UP:])), float(np.median(whole[WARM_UP:])), missed


def seconds_again(rig: bpy.types.Object, circle: Circle) -> float:
    """Return the median seconds of an update that is made again and again, with nothing of Blender's
    between."""
    spent: list[float] = []
    for _ in dragged(rig, circle, range(0, STEPS, 20)):
        bpy.context.view_layer.update()
        with patch.object(follower, "are_near", lambda *_: False):
            for _ in range(AGAIN):
                noted(live.follower_of(rig).update, spent)(rig, bpy.context.scene, None)
    return float(np.median(spent))


def dragged(rig: bpy.types.Object, circle: Circle, steps: Iterable[int]) -> Iterator[int]:
    """Yield steps with the hand moved to where they have it; Blender has not yet been told."""
    hand = next(item.object for item in rig.neurarig.neural_pose.targets if item.point == DRAGGED)
    start = hand.location.copy()
    try:
        for step in steps:
            hand.location = [begin + way for begin, way in zip(start, circle.at(step), strict=True)]
            yield step
    finally:
        hand.location = start


def farthest_miss(rig: bpy.types.Object) -> float:
    """Return how far the farthest locked target is from its point, as Blender shows the character, in
    metres."""
    scene, depsgraph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()
    posed = live.follower_of(rig).rig(rig, scene)
    to_world = posed.walk_to_world(rig, 1.0)
    shown = posed.body.points(posed.shown_motions(rig, depsgraph))[0] @ to_world[:3, :3].T + to_world[:3, 3]
    locked = [INDEX[point] for point in places.trust_of(rig).locked]
    read = places.PointPlaces.of(rig)
    return float(
        np.linalg.norm(shown[locked] - read.points(read.read(rig, None), 1.0)[locked], axis=-1).max()
    )
