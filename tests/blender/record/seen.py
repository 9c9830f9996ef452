"""What can be seen of the open file: bones as they are evaluated, keys, settings, panels, reports and refusals, every property."""

import ctypes
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import bpy
import numpy as np

from neurarig_addon.blender.animation import compat
from neurarig_addon.core.errors import NeuraRigError
from tests.blender.drawing import drawn
from tests.blender.situations import record as whole_file

FILE_BROWSER = "NEURARIG_PT_export_fbx"  # asks for a file browser
KEY_FIELDS = {"co": 2, "handle_left": 2, "handle_right": 2}
FRAMES = (1, 6, 11, 23)
RIGIFY = ("rigify_", "active_feature_set")  # what it adds to every bone and armature from when it is on in this process
RIG_ID = '["rig_id"]'  # a number of the hour
ONCE = "Draco"  # Blender's exporter tells of it the first time
MANY = 40_000  # properties
TELLING = (
    ".constraints",
    '["',
    ".animation_data",
    " in order",
    ".location",
    ".rotation_quaternion",
    ".scale",
    ".collections_all",
    ".lock_",
)


class Seen:
    """What a scenario has shown: part -> path -> value.

    Parts are `bones`, `keys`, `settings`, `panels`, `told`, `answers`, and `file`, which is all else that Blender has of the file.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.parts: dict[str, dict[str, Any]] = {}
        self.looks = 0
        self.has_finished = False  # the button pressed last
        self.before = empty_file()  # of what has not changed since, nothing is noted again

    def look(self, *frames: float) -> None:
        """Note all that can be seen; bones at some frames, by default at a few."""
        self.looks += 1
        here = f"{self.looks} "
        self.bones(here, frames or FRAMES)
        record = _telling(whole_file.recorded(RIGIFY))
        changed = {
            path: value for path, value in record.items() if path not in self.before or not whole_file.same(self.before[path], value)
        }
        changed |= {f"{path} has gone": True for path in self.before.keys() - record.keys()}
        self.before = record
        self._note("keys", {f"{here}{path}": value for path, value in _keys()})
        self._note("file", {f"{here}{path}": value for path, value in changed.items() if not path.endswith(".keys")})
        self.settings(here)
        self.panels(here)

    def bones(self, here: str, frames: Sequence[float]) -> None:
        """Note where every armature and its bones are on some frames; the present one is the same afterwards."""
        scene = bpy.context.scene
        now, mode = scene.frame_current_final, bpy.context.mode
        for frame in frames if mode != "EDIT_ARMATURE" else ():
            scene.frame_set(int(frame // 1), subframe=frame % 1)
            depsgraph = bpy.context.evaluated_depsgraph_get()
            for obj in scene.objects:
                shown = obj.evaluated_get(depsgraph)
                self._note("bones", {f"{here}{frame} {obj.name}": np.array(shown.matrix_world)})
                if obj.type == "ARMATURE" and obj.neurarig.roles:
                    self._note("bones", {f"{here}{frame} {obj.name} bones": np.array([bone.matrix for bone in shown.pose.bones])})
        scene.frame_set(int(now // 1), subframe=now % 1)

    def settings(self, here: str = "") -> None:
        """Note what we keep on every object, action and scene."""
        for block in (*bpy.data.objects, *bpy.data.actions):
            found: whole_file.Record = {}
            if isinstance(block, bpy.types.Object):
                whole_file.dump(block.neurarig, f"{here}{block.name}", found)
            self._note(
                "settings", found | {f"{here}{block.name}[{key}]": _plain(value) for key, value in block.items() if key != "neurarig"}
            )

    def panels(self, here: str = "") -> None:
        """Note what every panel and menu draws."""
        for name in dir(bpy.types):
            if name.startswith(("NEURARIG_PT_", "NEURARIG_MT_")) and name != FILE_BROWSER:
                headers = (False, True) if hasattr(getattr(bpy.types, name), "draw_header") else (False,)
                for header in headers:
                    widgets = [repr(list(vars(widget).values())) for widget in drawn(name, header)]
                    self._note("panels", {f"{here}{name} {header}": tuple(widgets)})

    def ask(self, call: Callable[..., Any], *given: Any, **named: Any) -> Any:
        """Call something of ours and note what it answers, or how it refuses; returns the answer, None where it is refused."""
        with self._noting_words(getattr(call, "__name__", "it")) as path:
            answer = call(*given, **named)
            self._note("answers", {path: _plain(answer)})
            return answer

    def press(self, name: str, /, **given: Any) -> None:
        """Press a button, with or without it being on, and note what it reports."""
        button, self.has_finished = getattr(bpy.ops.neurarig, name), False
        with self._noting_words(name) as path:
            self._note("answers", {f"{path} on": button.poll()})
            outcome = button(**given)
            self.has_finished = "FINISHED" in outcome
            self._note("answers", {path: sorted(outcome)})

    def note(self, name: str, value: Any) -> None:
        """Note anything else."""
        self._note("answers", {f"{len(self.parts.get('answers', ()))} {name}": _plain(value)})

    @contextmanager
    def _noting_words(self, name: str) -> Iterator[str]:
        path = f"{len(self.parts.get('told', ()))} {name}"
        told = []
        with _output_into(told):
            try:
                yield path
            except (NeuraRigError, RuntimeError, TypeError) as refusal:
                told.append(f"{type(refusal).__name__}: {refusal}")
        self._note("told", {path: tuple(told)})

    def _note(self, part: str, values: dict[str, Any]) -> None:
        self.parts.setdefault(part, {}).update(values)


@cache
def empty_file() -> whole_file.Record:
    """Return the record of the file that every scenario begins with."""
    return _telling(whole_file.recorded(RIGIFY))


def _telling(record: whole_file.Record) -> whole_file.Record:
    """Return a record without Rigify's number of a rig, nor, of hundreds of bones, the rest and the looks."""
    own = {path: value for path, value in record.items() if RIG_ID not in path}
    return own if len(own) < MANY else {path: value for path, value in own.items() if any(part in path for part in TELLING)}


def _keys() -> Iterator[tuple[str, Any]]:
    """Yield the keys of every action by curve."""
    for action in bpy.data.actions:
        for slot in action.slots if compat.HAS_SLOTS else [None]:
            for curve in compat.find_channels(action, slot):
                path = f"{action.name} {curve.data_path}[{curve.array_index}]"
                points = curve.keyframe_points
                for field, size in KEY_FIELDS.items():
                    values = np.empty(len(points) * size)
                    points.foreach_get(field, values)
                    yield f"{path}.{field}", values
                yield (
                    f"{path}.kinds",
                    tuple((point.interpolation, point.type, point.handle_left_type, point.handle_right_type) for point in points),
                )


def _plain(value: Any) -> Any:
    """Return an answer without Blender's own data in it."""
    if isinstance(value, bpy.types.ID):
        return f"<{value.name}>"
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each) for each in (sorted(value, key=str) if isinstance(value, set | frozenset) else value)]
    if hasattr(value, "to_dict") or hasattr(value, "to_list"):
        return (value.to_dict if hasattr(value, "to_dict") else value.to_list)()
    if hasattr(value, "__dataclass_fields__"):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return value if isinstance(value, str | bytes | bool | int | float | np.ndarray | np.generic | None) else type(value).__name__


@contextmanager
def _output_into(told: list[str]) -> Iterator[None]:
    """Add what is printed meanwhile, by Blender too, which is where reports go without a window."""
    flush = ctypes.CDLL(None).fflush if os.name == "posix" else lambda _: None
    python, before = (sys.stdout, sys.stderr), (os.dup(1), os.dup(2))
    with TemporaryFile() as kept:
        for stream in python:
            stream.flush()
        flush(None)
        for number in (1, 2):
            os.dup2(kept.fileno(), number)
        try:
            with os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1) as sys.stdout:
                sys.stderr = sys.stdout
                yield
        finally:
            flush(None)
            sys.stdout, sys.stderr = python
            for number, own in enumerate(before, start=1):
                os.dup2(own, number)
                os.close(own)
            kept.seek(0)
            told.extend(line for line in kept.read().decode("utf-8", "replace").splitlines() if line.strip() and ONCE not in line)
