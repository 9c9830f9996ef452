"""What a rig looks like before and after: a whole file's record around Remove, undo, and failures injected
anywhere in what we do."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import CO_GENERATOR
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import bpy

import neurarig_addon.blender
from neurarig_addon.blender import api
from neurarig_addon.core.errors import NeuraRigError
from tests.blender.situations.played import remember
from tests.blender.situations.record import Difference, Record, differences, recorded

HERO = "Hero"
OURS = str(Path(neurarig_addon.blender.__file__).parent)
# What fails while all is taken back, or in a handler, which stops the character and says so, is another
# failure than those looked at.
_ELSEWHERE = {"come_back", "detach", "restore", "give_back", "put_back", "__exit__", "guarded"}
_HANDLER = "_on_"


class InjectedError(RuntimeError):
    """A failure that nobody has foreseen."""


def walk(obj: bpy.types.Object, controls: str) -> None:
    api.generate_walk(obj, use_network=False, controls="AUTO" if controls == "IK" else "FK")


def clip(obj: bpy.types.Object, controls: str) -> None:
    api.link_retarget(obj, source=bpy.data.objects["Actor"], controls=controls)


def pose(obj: bpy.types.Object, controls: str) -> None:
    api.pose_targets(obj, "FULL", controls=controls)


def bake(obj: bpy.types.Object, controls: str) -> None:
    api.bake_walk(obj, frame_start=1, frame_end=6)


FEATURES: dict[str, tuple[Callable[[bpy.types.Object, str], None], Callable[[bpy.types.Object], Any]]] = {
    "walk": (walk, api.remove_walk),
    "clip": (clip, api.remove_retarget),
    "pose": (pose, api.remove_targets),
}


def settle(obj: bpy.types.Object) -> None:
    """Bring a character into Object Mode, named HERO, its rest matrices rounded as Edit Mode rounds them
    once."""
    obj.name = HERO
    bpy.context.view_layer.objects.active = obj
    obj.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()


def taken_off(name: str, controls: str) -> list[Difference]:
    """Return what a feature leaves that is taken on and off again; nothing where it is refused, and leaves
    nothing."""
    take_on, take_off = FEATURES[name]
    before = recorded()
    _quietly(take_on, controls)
    bpy.context.scene.frame_set(bpy.context.scene.frame_current)
    _quietly(lambda obj, _: take_off(obj), controls)
    return left(before)


def undone(name: str, controls: str) -> list[Difference]:
    """Return what one step of undo leaves of a feature."""
    before = recorded()
    remember()
    if _quietly(FEATURES[name][0], controls):
        remember()
        bpy.ops.ed.undo()
    return left(before)


def failed(name: str, controls: str, rng: Random) -> tuple[str, list[Difference]]:
    """Let a feature fail at a point drawn at random; return where, '' where it did not, and what it
    leaves."""
    take_on, take_off = FEATURES[name]
    before = recorded()
    calls = _counted(lambda: _quietly(take_on, controls))
    _quietly(lambda obj, _: take_off(obj), controls)
    with _failing_at(rng.randrange(max(calls, 1))) as where:
        try:
            take_on(bpy.data.objects[HERO], controls)
        except (InjectedError, NeuraRigError):
            return "".join(where), left(before)
    _quietly(lambda obj, _: take_off(obj), controls)  # it went on without what failed
    return "", left(before)


def failed_bake(rng: Random) -> tuple[str, list[Difference]]:
    """Let the bake of a live walk fail at a drawn point; return where, '' where it did not, and what it
    leaves."""
    if not _quietly(walk, "IK"):
        return "", []
    remember()
    before = recorded()
    calls = _counted(lambda: _quietly(bake, "IK"))
    remember()
    bpy.ops.ed.undo()
    with _failing_at(rng.randrange(max(calls, 1))) as where:
        went_on = _quietly(bake, "IK")  # where what failed was a handler, of which Blender tells the console
    found = [] if went_on else left(before)
    _quietly(lambda obj, _: api.remove_walk(obj), "")
    return "".join(where), found


def left(before: Record) -> list[Difference]:
    """Return how the file differs from a record."""
    return differences(before, recorded())


def _quietly(what: Callable[[bpy.types.Object, str], Any], controls: str) -> bool:
    """Do something to the character; say whether that was neither refused nor failed."""
    try:
        what(bpy.data.objects[HERO], controls)
    except (NeuraRigError, InjectedError):
        return False
    return True


def _counted(what: Callable[[], None]) -> int:
    """Return how many points a call has at which it may fail."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event == "call" and _is_ahead(frame)

    sys.settrace(trace)
    try:
        what()
    finally:
        sys.settrace(None)
    return count


@contextmanager
def _failing_at(number: int) -> Iterator[list[str]]:
    """Raise an InjectedError once, at a point by its number; yields where, once it has happened."""
    where: list[str] = []
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        if where or event != "call" or not _is_ahead(frame):
            return
        if count == number:
            where.append(f"{Path(frame.f_code.co_filename).relative_to(OURS)}: {frame.f_code.co_name}")
            raise InjectedError(where[0])
        count += 1

    sys.settrace(trace)
    try:
        yield where
    finally:
        sys.settrace(None)


def _is_ahead(frame: FrameType) -> bool:
    """Say whether a function of ours begins, and not on the way back from something else."""
    code = frame.f_code
    if not code.co_filename.startswith(OURS) or code.co_flags & CO_GENERATOR or sys.exc_info()[0] is not None:
        return False
    above: FrameType | None = frame
    while above is not None:
        name = above.f_code.co_name
        if name in _ELSEWHERE or name.startswith(_HANDLER):
            return False
        above = above.f_back
    return True
