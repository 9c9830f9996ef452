"""A recording of 10 000 frames, from its file or its empties to the keyframes of a character, and where the
time goes."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import bpy
import numpy as np

from benchmarks.handler_speed import new_scene
from benchmarks.table import Row
from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.character.read_character import read_character
from neurarig_addon.blender.neural_pose import clip, mocap, recording
from neurarig_addon.blender.neural_pose import clip as keys
from neurarig_addon.blender.walk.source import source as walk_source
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX, POINTS
from tests import rigs

FRAMES = 10_000
FPS = 24.0
LIMIT = 3.0  # seconds
REPEATS = 3
# What is timed inside: stage -> module and name of the function that does it.
STAGES = {
    "mending": (recording, "mended"),
    "size": (clip, "resized"),
    "poses": (clip, "pose_motions"),
    "planting": (clip, "_planted"),
    "channels": (clip, "pose_channels"),
    "keys": (keys, "write_action"),
}


def rows() -> list[Row]:
    """Measure a recording of all 27 points on a generated Rigify human, feet planted, refined: from three
    kinds of source."""
    new_scene()
    points = walk_points()
    rig = rigs.rigify_human()
    with tempfile.TemporaryDirectory() as folder:
        exact, noisy = (
            write_npz(Path(folder), f"{name}.npz", places)
            for name, places in (("exact", points), ("noisy", with_gaps(points)))
        )
        text = write_csv(Path(folder) / "points.csv", points)
        return [
            row("an .npz, 1 mm", lambda: api.solve_clip(rig, file=exact, noise=1.0)),
            row(
                "an .npz, 10 mm, smoothed, points missing",
                lambda: api.solve_clip(rig, file=noisy, noise=10.0),
            ),
            row("a .csv, 1 mm", lambda: api.solve_clip(rig, file=text, noise=1.0)),
            row("a collection of keyed empties, 1 mm", from_empties(rig, points)),
        ]


def row(source: str, solve: Callable[[], object]) -> Row:
    """Measure one way; the note tells the processor's seconds, and how long each stage took."""
    best, busy, stages = np.inf, np.inf, {}
    solve()
    for _ in range(REPEATS):
        with timed_stages() as spent:
            begin, working = perf_counter(), process_time()
            solve()
            seconds, busy = perf_counter() - begin, min(busy, process_time() - working)
        if seconds < best:
            best, stages = seconds, spent
    stages = {"reading": best - sum(stages.values())} | stages
    note = f"processor {busy:.2f}: " + ", ".join(f"{name} {part:.2f}" for name, part in stages.items())
    return Row(
        f"solve mocap, 10 000 frames of {source} to keys of a generated Rigify human",
        best,
        LIMIT,
        "s",
        note=note,
    )


@contextmanager
def timed_stages() -> Iterator[dict[str, float]]:
    """Measure the seconds spent in each of STAGES while the block runs."""
    spent = dict.fromkeys(STAGES, 0.0)
    kept = {stage: getattr(module, name) for stage, (module, name) in STAGES.items()}
    for stage, (module, name) in STAGES.items():
        setattr(module, name, _timed(kept[stage], spent, stage))
    try:
        yield spent
    finally:
        for stage, (module, name) in STAGES.items():
            setattr(module, name, kept[stage])


def _timed(function: Callable, spent: dict[str, float], stage: str) -> Callable:
    def wrapper(*given: Any, **named: Any) -> Any:
        begin = perf_counter()
        try:
            return function(*given, **named)
        finally:
            spent[stage] += perf_counter() - begin

    return wrapper


def walk_points() -> np.ndarray:
    """Return the points `(10 000, 27, 3)` of a human who walks through the scene, metres, z up; a millimetre
    of noise."""
    source, scene = rigs.build(rigs.biped(), "Source"), bpy.context.scene
    api.generate_walk(source, mode="TRAVEL")
    pose = walk_source.source_of(source, scene).pose(np.arange(float(FRAMES)))
    character = read_character(source, scene)
    points = PointBody.of(character).points(pose.motions)
    points = pose.root.carried(points)
    bpy.data.objects.remove(source)
    return character.in_world(points) + np.random.default_rng(5).normal(0.0, 0.001, points.shape)


def with_gaps(points: np.ndarray) -> np.ndarray:
    """Return points with 10 mm of noise, a hand hidden for half a second in every ten and a knee for five
    frames in every fifty."""
    noisy = points + np.random.default_rng(6).normal(0.0, 0.01, points.shape)
    frames = np.arange(len(points))
    noisy[frames % 240 < 12, INDEX["wrist.L"]] = np.nan
    noisy[frames % 50 < 5, INDEX["knee.R"]] = np.nan
    return noisy


def write_npz(folder: Path, name: str, points: np.ndarray) -> Path:
    """Write points to an .npz file and return its path."""
    np.savez(folder / name, names=np.array(POINTS), positions=points, fps=FPS)
    return folder / name


def write_csv(path: Path, points: np.ndarray) -> Path:
    """Write points to a .csv file with one header row, metres, and return its path."""
    head = ",".join(["time", *(f"{point}_{axis}" for point in POINTS for axis in "xyz")])
    table = np.column_stack([np.arange(len(points)) / FPS, points.reshape(len(points), -1)])
    np.savetxt(path, table, fmt="%.5f", delimiter=",", header=head, comments="")
    return path


def from_empties(rig: bpy.types.Object, points: np.ndarray) -> Callable[[], object]:
    """Return what solves points that are the keys of empties in a collection."""
    markers = bpy.data.collections.new("Markers")
    bpy.context.scene.collection.children.link(markers)
    frames = np.arange(1.0, len(points) + 1.0)
    for column, point in enumerate(POINTS):
        empty = bpy.data.objects.new(point, None)
        markers.objects.link(empty)
        action, slot = compat.new_action(point, empty)
        compat.assign(empty.animation_data_create(), action, slot)
        curves, _ = compat.ensure_channels(action, slot)
        for axis in range(3):
            found = curves.new("location", index=axis).keyframe_points
            found.add(len(points))
            found.foreach_set("co", np.stack([frames, points[:, column, axis]], axis=1).ravel())
    return lambda: mocap.solve_clip(rig, collection=markers, noise=1.0, frame_start=1, frame_end=len(points))
