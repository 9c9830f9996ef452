"""What a character costs among 200 others, against the same alone: Generate, Check, Bake, Remove and one more
frame of playing.

And 100 characters on drawn paths over terrain, whose crossings are cleared: a frame, how far feet slip, and
who still walks through whom.
"""

from collections.abc import Callable
from time import thread_time

import bpy
import numpy as np

from benchmarks.handler_speed import FRAMES, new_scene, play
from benchmarks.table import Row
from neurarig_addon.blender import api
from tests import rigs
from tests.blender.leading import curve, sheet

CROWD = 200
REPEATS = 7
# how many, metres of ground for each in both directions, of path, beside it
ON_PATHS, ROOM, FAR, ASIDE = 100, 4.0, 10.0, 0.8
CHECKED = 10  # of those that make way, whose feet are measured
BAKED = {"frame_start": 1, "frame_end": 120}
LIMIT, OF_REMOVE = 1.5, 2.5  # times what it takes alone: Remove has Blender look for users in the file
LINEAR = 1.5  # times what a frame of a quarter of the crowd takes, per character

STEPS: dict[str, Callable[[bpy.types.Object], object]] = {
    "Generate": lambda obj: api.generate_walk(obj),
    "Check": lambda obj: api.contact_report(obj),
    "Bake": lambda obj: api.bake_walk(obj, **BAKED),
    "Remove": lambda obj: api.remove_walk(obj),
}


def rows() -> list[Row]:
    """Measure a character alone, and the same in a crowd."""
    new_scene()
    alone = times()
    few = fill(CROWD // 4)
    fill(CROWD - CROWD // 4)
    many = play(FRAMES[:20])[0] / CROWD
    among = times()
    found = [
        Row(
            f"{step} among {CROWD} walkers, against alone",
            among[step] / alone[step],
            OF_REMOVE if step == "Remove" else LIMIT,
            "x",
            note=f"{1e3 * alone[step]:.1f} ms alone",
        )
        for step in STEPS
    ]
    return [
        *found,
        Row(
            f"handler per character: {CROWD} against {CROWD // 4}",
            many / few,
            LINEAR,
            "x",
            note=f"{1e6 * many:.0f} us",
        ),
        *on_paths(),
    ]


def on_paths() -> list[Row]:
    """Measure characters on drawn paths over hills, all at once, with one walk copied to the others."""
    new_scene()
    hills = sheet("Hills", lambda x, y: 0.3 * np.sin(0.3 * x) * np.cos(0.25 * y), 40.0)
    paths = [curve(line.tolist()) for line in drawn_lines(np.random.default_rng(37))]
    walkers = [rigs.build(rigs.biped(), name=f"Walker {number:03}") for number in range(ON_PATHS)]
    api.generate_walk(walkers[0], ground=hills, variation=1.0)
    start = thread_time()
    refused = api.copy_walk(walkers[0], walkers, paths=paths, seed=37)["refused"]
    copied = thread_time() - start
    start = thread_time()
    found = api.clear_crossings(walkers)
    cleared = thread_time() - start
    late = [obj for obj in walkers if obj.name in found["waits"]][:CHECKED]
    slips = [side["max"] for obj in late for side in api.contact_report(obj, (1, 250))["slip_mm"].values()]
    ours, whole = play(FRAMES[:40])
    left = len(found["left"])
    return [
        Row(
            f"{ON_PATHS} on paths over hills: our Python a frame",
            1e3 * ours,
            15.0,
            "ms",
            note=f"{1e3 * (whole - ours):.0f} ms of Blender's",
        ),
        Row(
            f"slip of {len(late)} that make way",
            max(slips),
            0.5,
            "mm",
            note=f"copied in {copied:.0f} s, {len(refused)} refused",
        ),
        Row(
            "pairs nearer than their radii",
            left,
            0.0,
            "",
            note=f"{len(found['waits'])} make way, solved in {cleared:.1f} s",
        ),
    ]


def drawn_lines(draw: np.random.Generator) -> list[np.ndarray]:
    """Return straight lines `(2, 2)` that may cross, but on which nobody else begins or ends."""
    half, found = 0.5 * ROOM * np.sqrt(ON_PATHS), list[np.ndarray]()

    def off(line: np.ndarray, point: np.ndarray) -> float:
        way = line[1] - line[0]
        return float(
            np.linalg.norm(line[0] + np.clip((point - line[0]) @ way / (way @ way), 0.0, 1.0) * way - point)
        )

    while len(found) < ON_PATHS:
        start, way = draw.uniform(-half, half, 2), draw.uniform(0.0, 2.0 * np.pi)
        line = np.array([start, start + FAR * np.array([np.cos(way), np.sin(way)])])
        if all(
            min(off(one, end) for one, other in ((line, old), (old, line)) for end in other) > ASIDE
            for old in found
        ):
            found.append(line)
    return found


def times() -> dict[str, float]:
    """Return the shortest seconds of every step on the processor: what else the machine does has no part in
    them, nor the threads in which Blender evaluates the crowd."""
    obj = rigs.build(rigs.biped(), name="Probe")
    found: dict[str, list[float]] = {step: [] for step in STEPS}
    for _ in range(REPEATS):
        for step, act in STEPS.items():
            rigs.make_active(obj)
            bpy.context.view_layer.update()  # what Blender does anyway before the next click
            start = thread_time()
            act(obj)
            found[step].append(thread_time() - start)
    bpy.data.objects.remove(obj)
    bpy.context.view_layer.update()
    return {step: min(seconds) for step, seconds in found.items()}


def fill(count: int) -> float:
    """Add walkers, copies of one, and return the seconds that a frame takes our handlers for each."""
    first = next((obj for obj in bpy.context.scene.objects if obj.name == "Walker"), None)
    if first is None:
        first = rigs.build(rigs.biped(), name="Walker")
        api.generate_walk(first)
    there = sum(obj.type == "ARMATURE" for obj in bpy.context.scene.objects)
    for _ in range(count - 1 if there == 1 else count):
        copy = first.copy()
        copy.data = first.data.copy()
        bpy.context.scene.collection.objects.link(copy)
    return play(FRAMES[:20])[0] / sum(obj.type == "ARMATURE" for obj in bpy.context.scene.objects)
