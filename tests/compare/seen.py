"""What can be seen of the open file: bones as they are evaluated, keys, settings, panels, reports and
refusals, every property."""

import ctypes
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import bpy
import numpy as np

from neurarig_addon.blender import api
from tests.blender.drawing import drawn
from tests.blender.situations import record as whole_file
from tests.compare.differences import Parts

FILE_BROWSER = "NEURARIG_PT_export_fbx"  # asks for a file browser
# what Rigify adds to every bone and armature once it is on in this process
NOT_OURS = ("rigify_", "active_feature_set")
MANY = 40_000  # properties
# What the rest, of hundreds of bones, is left out beside.
TELLING = (
    ".constraints",
    '["',
    ".animation_data",
    " in order",
    ".location",
    ".rotation_quaternion",
    ".scale",
    ".lock_",
)


ELSEWHERE = (".keys", '["neurarig_', "rig_id")  # what other parts have, and Rigify's number of the hour


class Seen:
    """What a scenario shows: the parts `bones`, `keys`, `settings`, `panels`, `told`, `answers` and
    `file`."""

    def __init__(self, rigs: Path, folder: Path) -> None:
        self.parts: Parts = {}
        self.folder = folder  # to write into
        self._rigs, self._looks = rigs, 0

    def open(self, rig: str) -> bpy.types.Object:
        """Open the file of a rig, and return its character, the active object."""
        bpy.ops.wm.open_mainfile(filepath=str(self._rigs / f"{rig}.blend"))
        return bpy.data.objects["Hero"]

    def look(self, *frames: float) -> None:
        """Note bones on some frames, all keys, our settings and panels."""
        self._looks += 1
        here = f"look {self._looks}, "
        self.bones(here, *frames)
        self._note("keys", {here + path: value for path, value in _keys()})
        self.settings(here)
        self.panels(here)

    def bones(self, here: str, *frames: float) -> None:
        """Note where objects and bones are on some frames; the present one is the same afterwards."""
        scene = bpy.context.scene
        now = scene.frame_current_final
        for frame in frames:
            scene.frame_set(int(frame // 1), subframe=frame % 1)
            depsgraph = bpy.context.evaluated_depsgraph_get()
            for obj in scene.objects:
                shown = obj.evaluated_get(depsgraph)
                found = {"the object": np.array(shown.matrix_world)}
                if obj.type == "ARMATURE":
                    found |= {bone.name: np.array(bone.matrix) for bone in shown.pose.bones}
                self._note("bones", {f"{here}frame {frame:g}, {obj.name}": found})
        scene.frame_set(int(now // 1), subframe=now % 1)

    def settings(self, here: str = "") -> None:
        """Note what we keep on objects and actions."""
        for block in (*bpy.data.objects, *bpy.data.actions):
            found: whole_file.Record = {}
            if isinstance(block, bpy.types.Object):
                whole_file.dump(block.neurarig, "", found)
            found |= {f".{key}": _plain(value) for key, value in block.items() if key.startswith("neurarig_")}
            self._note(
                "settings", {f"{here}{block.name}: {path[1:]}": value for path, value in found.items()}
            )

    def panels(self, here: str = "") -> None:
        """Note what every panel and menu draws."""
        for name in dir(bpy.types):
            if name.startswith(("NEURARIG_PT_", "NEURARIG_MT_")) and name != FILE_BROWSER:
                headers = (False, True) if hasattr(getattr(bpy.types, name), "draw_header") else (False,)
                for header in headers:
                    widgets = [" ".join(map(str, vars(widget).values())) for widget in drawn(name, header)]
                    self._note("panels", {f"{here}{name}{' header' * header}": widgets})

    def file(self) -> None:
        """Note every property that Blender has of the file."""
        found = whole_file.recorded(NOT_OURS)
        if len(found) > MANY:
            found = {path: value for path, value in found.items() if any(part in path for part in TELLING)}
        self._note(
            "file",
            {path: value for path, value in found.items() if not any(part in path for part in ELSEWHERE)},
        )

    def ask(self, call: Callable[..., Any], *given: Any, **named: Any) -> Any:
        """Call something of ours and note what it answers, or how it refuses; returns the answer, None where
        it refuses."""
        with self._noting_words(getattr(call, "__name__", "it")) as path:
            answer = call(*given, **named)
            self._note("answers", {path: _plain(answer)})
            return answer

    def press(self, name: str, /, **given: Any) -> None:
        """Press a button, with or without it being on, and note what it reports."""
        button = getattr(bpy.ops.neurarig, name)
        with self._noting_words(name) as path:
            self._note("answers", {f"{path}, on": button.poll()})
            self._note("answers", {path: sorted(button(**given))})

    def note(self, name: str, value: Any) -> None:
        """Note anything else."""
        self._note("answers", {f"{len(self.parts.get('answers', ()))} {name}": _plain(value)})

    @contextmanager
    def _noting_words(self, name: str) -> Iterator[str]:
        path = f"{len(self.parts.get('told', ()))} {name}"
        told: list[str] = []
        with _output_into(told):
            try:
                yield path
            except (api.NeuraRigError, RuntimeError, TypeError) as refusal:
                told.append(f"{type(refusal).__name__}: {refusal}")
        self._note("told", {path: told})

    def part(self, part: str, path: str, value: Any) -> None:
        """Note a value in a part."""
        self._note(part, {path: value})

    def _note(self, part: str, values: dict[str, Any]) -> None:
        self.parts.setdefault(part, {}).update(
            {path: self._anywhere(value) for path, value in values.items()}
        )

    def _anywhere(self, value: Any) -> Any:
        """Return a value without the names of this run's folders, and JSON taken apart."""
        if isinstance(value, list | tuple):
            return [self._anywhere(each) for each in value]
        if not isinstance(value, str):
            return value
        text = value.replace(os.fspath(self.folder), "<folder>").replace(
            os.environ["BLENDER_USER_RESOURCES"], "<user>"
        )
        if not text.startswith("{"):
            return text
        try:
            # What a bake remembers of its curves are its keys, in single precision.
            return {key: sorted(each) if key == "curves" else each for key, each in json.loads(text).items()}
        except ValueError:
            return text


def _keys() -> Iterator[tuple[str, Any]]:
    """Yield the keys of every action by curve: numbers of both handles and the key between, and their
    kinds."""
    for action in bpy.data.actions:
        for curve in curves(action):
            path, points = f"{action.name}, {curve.data_path}[{curve.array_index}]", curve.keyframe_points
            values = {field: np.empty(len(points) * 2) for field in ("co", "handle_left", "handle_right")}
            for field, places in values.items():
                points.foreach_get(field, places)
            yield path, values
            yield (
                f"{path} kinds",
                [
                    f"{point.interpolation} {point.type} {point.handle_left_type} {point.handle_right_type}"
                    for point in points
                ],
            )


def curves(action: bpy.types.Action) -> list[bpy.types.FCurve]:
    """Return all curves of an action."""
    bags = (bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags)
    return [curve for bag in bags for curve in bag.fcurves]


def _plain(value: Any) -> Any:
    """Return an answer without Blender's own data in it."""
    if isinstance(value, bpy.types.ID):
        return f"<{value.name}>"
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if hasattr(value, "to_dict") or hasattr(value, "to_list"):
        return _plain((value.to_dict if hasattr(value, "to_dict") else value.to_list)())
    if hasattr(value, "__dataclass_fields__"):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return (
        value
        if isinstance(value, str | bytes | bool | int | float | np.ndarray | np.generic | None)
        else type(value).__name__
    )


@contextmanager
def _output_into(told: list[str]) -> Iterator[None]:
    """Add what is printed meanwhile, by Blender too, which is where reports go without a window."""
    flush = ctypes.CDLL(None).fflush
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
            told.extend(line for line in kept.read().decode("utf-8", "replace").splitlines() if line.strip())
